package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Kind;
import io.weir.sql.catalog.Streams;
import io.weir.sql.validate.AggregateFunctions.Folded;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes columns of flows as folds over their packets. */
final class FlowMetrics {
    static final Set<String> NAMES = Set.of("packets", "bytes", "time_flow_start", "time_flow_end");

    private FlowMetrics() {}

    /** Returns the columns that identify a flow, as columns of packets. */
    static List<Variable> key() {
        return Streams.FLOW_KEY.stream().map(FlowMetrics::packetColumn).toList();
    }

    private static Variable packetColumn(String name) {
        return Streams.packets().find(name).orElseThrow();
    }

    /**
     * Returns a metric of one flow. Over a group of flows it is the sum (of times, the least or
     * greatest).
     */
    static Folded of(String metric, boolean neverEmpty, Optional<Expr> filter) {
        return switch (metric) {
            case "packets" -> new Folded("COUNT", Folds.count(), List.of(), false, filter);
            case "bytes" ->
                    new Folded(
                            "SUM",
                            neverEmpty && filter.isEmpty()
                                    ? Folds.sumOfSome(Kind.BIGINT)
                                    : Folds.sum(Kind.BIGINT),
                            List.of(packetColumn("bytes")),
                            false,
                            filter);
            case "time_flow_start" ->
                    new Folded(
                            "MIN",
                            Folds.min(Kind.TIMESTAMP),
                            List.of(packetColumn("ts")),
                            false,
                            filter);
            case "time_flow_end" ->
                    new Folded(
                            "MAX",
                            Folds.max(Kind.TIMESTAMP),
                            List.of(packetColumn("ts")),
                            false,
                            filter);
            default -> throw new IllegalArgumentException(metric);
        };
    }

    /** Returns the number of flows. */
    static Folded count(Optional<Expr> filter) {
        List<Expr> key = List.copyOf(key());
        Kind[] kinds = key.stream().map(e -> e.type().kind()).toArray(Kind[]::new);
        return new Folded("COUNT", Folds.count(kinds), key, true, filter);
    }
}
