package io.weir.operators.function;

import io.weir.operators.function.Meaning.Folding;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Kind;
import java.util.List;

/** Counts, sums, means and extremes. */
public final class AggregateLibrary implements FunctionLibrary {
    private static final int MOST_COUNTED = 8;
    private static final String ADDRESSES =
            "COUNT(DISTINCT x) is, and an address can be a group column";
    private static final String CONDITIONS =
            "COUNT(*) FILTER (WHERE …) counts the rows for which it is true";
    private static final String NUMBERS = "it takes numbers";

    @Override
    public String topic() {
        return "Aggregates";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                FunctionBuilder.of("COUNT", Role.AGGREGATE)
                        .form("COUNT(*)", "rows")
                        .form("COUNT(x, …)", "rows in which none is NULL")
                        .form("COUNT(DISTINCT x, …)", "different values, or tuples")
                        .syntax(MOST_COUNTED - 1, Parameter.any("x"))
                        .gives(Kind.BIGINT)
                        .nulls("never")
                        .example("COUNT(*)", "4")
                        .example("COUNT(DISTINCT bytes)", "3")
                        .build(),
                FunctionBuilder.of("SUM", Role.AGGREGATE)
                        .form("SUM(x)", "NULL beyond 64 bits, and of nothing")
                        .syntax(0, summed(Kind.BIGINT, Kind.DOUBLE, Kind.INTERVAL))
                        .gives("the kind of x")
                        .nulls("when no row has a value; when an integer leaves 64 bits")
                        .example("SUM(bytes)", "3112")
                        .build(),
                FunctionBuilder.of("AVG", Role.AGGREGATE)
                        .form("AVG(x)", "DOUBLE; NULL of nothing")
                        .syntax(
                                0,
                                summed(Kind.BIGINT, Kind.DOUBLE)
                                        .hinting(Kind.INTERVAL, "AVG(NANOSECONDS(x)) is"))
                        .gives(Kind.DOUBLE)
                        .example("AVG(bytes)", "778.0")
                        .build(),
                FunctionBuilder.of("MIN", Role.AGGREGATE)
                        .form("MIN(x)", "numbers, times, intervals, MAC addresses")
                        .group((a, some) -> new Folding(Folds.min(a.get(0).type().kind()), a), x())
                        .gives("the kind of x")
                        .ignoresRepeats()
                        .example("MIN(bytes)", "52")
                        .build(),
                FunctionBuilder.of("MAX", Role.AGGREGATE)
                        .form("MAX(x)", "numbers, times, intervals, MAC addresses")
                        .group((a, some) -> new Folding(Folds.max(a.get(0).type().kind()), a), x())
                        .gives("the kind of x")
                        .ignoresRepeats()
                        .example("MAX(bytes)", "1500")
                        .build());
    }

    private static Parameter summed(Kind... kinds) {
        return Parameter.of("x", kinds)
                .hinting(Kind.BOOLEAN, CONDITIONS)
                .hinting(Kind.INET, ADDRESSES)
                .hinting(Kind.TIMESTAMP, NUMBERS)
                .hinting(Kind.MACADDR, NUMBERS)
                .hinting(Kind.VARCHAR, NUMBERS);
    }

    private static Parameter x() {
        return Parameter.of(
                        "x", Kind.BIGINT, Kind.DOUBLE, Kind.TIMESTAMP, Kind.INTERVAL, Kind.MACADDR)
                .hinting(Kind.BOOLEAN, CONDITIONS)
                .hinting(Kind.INET, ADDRESSES);
    }
}
