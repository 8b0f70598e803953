package io.weir.cluster.server;

import io.weir.cluster.sink.JdbcValues;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Type;
import java.sql.DatabaseMetaData;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.ColumnMetaData.Rep;

/**
 * Weir's types in JDBC (ADR 0020). Types that JDBC does not have travel as text, and the type's
 * name says what they are. Times do too, because Avatica's TIMESTAMP would cut their nanoseconds.
 */
final class ColumnTypes {
    /**
     * @param jdbc of {@link Types}
     * @param displayWidth characters that a console needs
     * @param size most characters, or digits, that a value has; 0: any number
     */
    record JdbcType(int jdbc, String name, Rep rep, int displayWidth, int size) {}

    private static final JdbcType TEXT = new JdbcType(Types.VARCHAR, "VARCHAR", Rep.STRING, 40, 0);

    private ColumnTypes() {}

    static JdbcType of(Kind kind) {
        return switch (kind) {
            case BOOLEAN -> new JdbcType(Types.BOOLEAN, "BOOLEAN", Rep.BOOLEAN, 5, 1);
            case BIGINT -> new JdbcType(Types.BIGINT, "BIGINT", Rep.LONG, 12, 19);
            case DOUBLE -> new JdbcType(Types.DOUBLE, "DOUBLE", Rep.DOUBLE, 18, 15);
            case TIMESTAMP ->
                    new JdbcType(
                            Types.TIMESTAMP_WITH_TIMEZONE,
                            "TIMESTAMP(9) WITH TIME ZONE",
                            Rep.STRING,
                            JdbcValues.TIME_CHARACTERS,
                            JdbcValues.TIME_CHARACTERS);
            case INTERVAL -> new JdbcType(Types.VARCHAR, "INTERVAL", Rep.STRING, 16, 0);
            case INET -> new JdbcType(Types.VARCHAR, "INET", Rep.STRING, 26, 43);
            case MACADDR -> new JdbcType(Types.VARCHAR, "MACADDR", Rep.STRING, 17, 17);
            case VARCHAR -> new JdbcType(Types.VARCHAR, "VARCHAR", Rep.STRING, 16, 0);
        };
    }

    /** Returns the columns of rows. */
    static List<ColumnMetaData> columns(List<Variable> variables) {
        return columns(variables, ColumnTypes::of);
    }

    /** Returns the columns of a snapshot, whose texts are sentences rather than symbols. */
    static List<ColumnMetaData> snapshot(List<Variable> variables) {
        return columns(variables, ColumnTypes::inSnapshot);
    }

    static JdbcType inSnapshot(Kind kind) {
        return kind == Kind.VARCHAR ? TEXT : of(kind);
    }

    private static List<ColumnMetaData> columns(
            List<Variable> variables, Function<Kind, JdbcType> types) {
        List<ColumnMetaData> columns = new ArrayList<>();
        for (Variable variable : variables) {
            Type type = variable.type();
            JdbcType jdbc = types.apply(type.kind());
            columns.add(column(columns.size(), variable.name(), jdbc, type.nullable()));
        }
        return columns;
    }

    private static ColumnMetaData column(
            int ordinal, String name, JdbcType type, boolean nullable) {
        ColumnMetaData.AvaticaType scalar =
                ColumnMetaData.scalar(type.jdbc(), type.name(), type.rep());
        return new ColumnMetaData(
                ordinal,
                false,
                true,
                false,
                false,
                nullable ? DatabaseMetaData.columnNullable : DatabaseMetaData.columnNoNulls,
                true,
                Math.max(type.displayWidth(), name.length()),
                name,
                name,
                null,
                type.size(),
                0,
                null,
                null,
                scalar,
                true,
                false,
                false,
                scalar.columnClassName());
    }
}
