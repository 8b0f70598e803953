package io.weir.cluster.server;

import io.weir.operators.graph.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.calcite.avatica.AvaticaParameter;

/** The JDBC types of a statement's {@code ?}s. */
final class ParameterTypes {
    private ParameterTypes() {}

    /**
     * @param kinds of each; a parameter that accepts anything is called VARCHAR
     */
    static List<AvaticaParameter> of(List<Optional<Kind>> kinds) {
        return IntStream.range(0, kinds.size())
                .mapToObj(i -> parameter(i + 1, kinds.get(i).orElse(Kind.VARCHAR)))
                .toList();
    }

    /** A time is given as text, to keep its nanoseconds (ADR 0020). */
    private static AvaticaParameter parameter(int number, Kind kind) {
        ColumnTypes.JdbcType type =
                kind == Kind.TIMESTAMP ? ColumnTypes.of(Kind.VARCHAR) : ColumnTypes.of(kind);
        return new AvaticaParameter(
                kind.isNumeric(),
                0,
                0,
                type.jdbc(),
                ColumnTypes.of(kind).name(),
                type.rep().clazz.getName(),
                "?" + number);
    }
}
