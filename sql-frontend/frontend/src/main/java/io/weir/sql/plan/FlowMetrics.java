package io.weir.sql.plan;

import io.weir.operators.function.ArgLibrary;
import io.weir.operators.function.BitLibrary;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.RetransmissionFolds;
import io.weir.sql.catalog.Streams;
import io.weir.sql.validate.AggregateFunctions.Folded;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes columns of flows as folds over their packets. */
final class FlowMetrics {
    /** Columns of packets whose latest value a flow has. */
    private static final List<String> LATEST = Streams.LATEST_OF_FLOW;

    static final Set<String> NAMES =
            Stream.concat(
                            Stream.of(
                                    "packets",
                                    "bytes",
                                    "time_flow_start",
                                    "time_flow_end",
                                    "tcp_flags",
                                    "lost_packets",
                                    "lost_bytes"),
                            LATEST.stream())
                    .collect(Collectors.toUnmodifiableSet());

    private FlowMetrics() {}

    /** Returns the columns that identify a flow, as columns of packets. */
    static List<Variable> key() {
        return Streams.FLOW_KEY.stream().map(FlowMetrics::packetColumn).toList();
    }

    private static Variable packetColumn(String name) {
        return Streams.packets().find(name).orElseThrow();
    }

    /**
     * Returns a metric of one flow. Over a group of flows it is the sum; of times the least or
     * greatest, of flags all that one has.
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
            case "tcp_flags" ->
                    new Folded(
                            "BIT_OR",
                            BitLibrary.or(neverEmpty && filter.isEmpty()),
                            List.of(packetColumn("tcp_flags")),
                            false,
                            filter);
            case "lost_packets" -> lost(RetransmissionFolds.packets(), filter);
            case "lost_bytes" -> lost(RetransmissionFolds.bytes(), filter);
            default -> latest(metric, filter);
        };
    }

    private static Folded latest(String metric, Optional<Expr> filter) {
        List<Expr> arguments = List.of(packetColumn(metric), packetColumn("ts"));
        return new Folded("ARG_MAX", ArgLibrary.latest(arguments), arguments, false, filter);
    }

    /** Only TCP packets with payload have a place among the bytes that are sent. */
    private static Folded lost(Fold fold, Optional<Expr> filter) {
        Variable payload = packetColumn("payload_bytes");
        Expr isData =
                Functions.call(
                        Functions.AND,
                        List.of(
                                Functions.call("=", packetColumn("proto"), Expr.Literal.of(6L)),
                                Functions.call(">", payload, Expr.Literal.of(0L))));
        List<Expr> parts =
                List.of(isData, packetColumn("tcp_seq"), Expr.Literal.nullOf(Kind.BIGINT));
        Expr seq = Functions.call(Functions.CASE, parts);
        return new Folded(fold.name(), fold, List.of(seq, payload), false, filter);
    }

    /** Returns the number of flows. */
    static Folded count(Optional<Expr> filter) {
        List<Expr> key = List.copyOf(key());
        Kind[] kinds = key.stream().map(e -> e.type().kind()).toArray(Kind[]::new);
        return new Folded("COUNT", Folds.count(kinds), key, true, filter);
    }
}
