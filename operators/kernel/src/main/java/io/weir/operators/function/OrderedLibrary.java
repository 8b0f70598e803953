package io.weir.operators.function;

import io.weir.operators.function.Meaning.Folding;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.OrderedFolds;
import java.util.List;
import java.util.function.Function;

/** Aggregates that depend on the order of a flow's packets. */
public final class OrderedLibrary implements FunctionLibrary {
    private static final String BY_FLOW = "GROUP BY src_addr, dst_addr, src_port, dst_port, proto";
    private static final Parameter X = Parameter.of("x", Kind.BIGINT);

    @Override
    public String topic() {
        return "Aggregates in the order of packets";
    }

    @Override
    public List<FunctionDef> functions() {
        return List.of(
                end("FIRST", OrderedFolds::first).example("FIRST(bytes)", BY_FLOW, "60").build(),
                end("LAST", OrderedFolds::last).example("LAST(bytes)", BY_FLOW, "52").build(),
                ewma(),
                fold("NON_MONOTONIC", OrderedFolds.nonMonotonic(), X)
                        .form("NON_MONOTONIC(x)", "x below the greatest before, by 5-tuple")
                        .example("NON_MONOTONIC(tcp_seq)", BY_FLOW, "1")
                        .build(),
                fold(
                                "OUT_OF_SEQUENCE",
                                OrderedFolds.outOfSequence(),
                                X,
                                Parameter.of("next", Kind.BIGINT))
                        .form("OUT_OF_SEQUENCE(x, next)", "x unlike the next of the row before")
                        .example("OUT_OF_SEQUENCE(tcp_seq, tcp_seq + payload_bytes)", BY_FLOW, "3")
                        .build(),
                gaps());
    }

    private static FunctionBuilder end(String name, Function<Kind, Fold> fold) {
        Parameter x =
                Parameter.of(
                        "x",
                        Kind.BIGINT,
                        Kind.DOUBLE,
                        Kind.BOOLEAN,
                        Kind.TIMESTAMP,
                        Kind.INTERVAL,
                        Kind.MACADDR);
        return FunctionBuilder.of(name, Role.ORDERED)
                .form(name + "(x)", "of a flow's packets; group by the 5-tuple")
                .group((a, facts) -> new Folding(fold.apply(a.get(0).type().kind()), a), x)
                .gives("the kind of x");
    }

    private static FunctionDef ewma() {
        Parameter alpha =
                Parameter.of("alpha", Kind.DOUBLE)
                        .where(
                                "alpha is over 0, and at most 1",
                                v -> v instanceof Double a && a > 0 && a <= 1);
        return fold("EWMA", OrderedFolds.ewma(), Parameter.of("x", Kind.DOUBLE), alpha)
                .form("EWMA(x, alpha)", "(1 − alpha) · mean + alpha · x, by 5-tuple")
                .gives(Kind.DOUBLE)
                .example("EWMA(bytes, 0.5)", BY_FLOW, "596.0")
                .build();
    }

    private static FunctionDef gaps() {
        Parameter pause =
                Parameter.of("interval", Kind.INTERVAL)
                        .where(
                                "no pause is shorter than nothing",
                                v -> v instanceof Long lengthNs && lengthNs >= 0);
        return fold("GAPS", OrderedFolds.gaps(), Parameter.of("ts", Kind.TIMESTAMP), pause)
                .form("GAPS(ts, interval)", "pauses longer than that, by 5-tuple")
                .example("GAPS(ts, INTERVAL '1' SECOND)", BY_FLOW, "1")
                .build();
    }

    private static FunctionBuilder fold(String name, Fold fold, Parameter... parameters) {
        boolean counts = !fold.result().type().nullable();
        return FunctionBuilder.of(name, Role.ORDERED)
                .group((a, facts) -> new Folding(fold, a), parameters)
                .nulls(counts ? "never" : "when no row has a value")
                .gives(Kind.BIGINT);
    }
}
