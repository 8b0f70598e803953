package io.weir.cluster.protocol;

import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.cluster.protocol.wire.StateForm;
import io.weir.operators.kernel.BindingSpan;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.result.PartialExporter.Departing;
import io.weir.operators.result.PartialExporter.Span;
import io.weir.operators.window.LeftOutPackets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the messages of one query's windows, and sends them to the shards that the query has. The
 * results' thread.
 */
final class WindowMessages {
    private final Route route;
    private final StateForm form;
    private final boolean counted;
    private final int home;
    private final Map<CompiledQuery, PartialWriter> writers = new HashMap<>();

    /**
     * The way of all messages of a source.
     *
     * @param goesOn whether other processes of the source go on in the middle of its packets
     */
    record Route(WorkerEpoch source, ShardRoutes ways, int blockBytes, boolean goesOn) {}

    /**
     * @param counted whether sets stay here, and only their sizes leave
     */
    WindowMessages(Route route, CompiledQuery code, boolean counted) {
        this.route = route;
        this.form = StateForm.of(code);
        this.counted = counted;
        this.home = route.ways().home(code.query().name());
    }

    void window(ActivationId id, Departing from, List<Partial> parts, ExactSpans.Exact told) {
        Span span = told.span();
        int[] blocks = new int[route.ways().shards()];
        LeftOutPackets.Told leftOut = Partial.leftOut(parts);
        List<BindingSpan> bindings = from.spans(parts);
        writer(from.over())
                .write(
                        parts,
                        (shard, bytes) -> {
                            blocks[shard]++;
                            route.ways()
                                    .send(
                                            shard,
                                            (s, sequence) ->
                                                    new MergeMessage.Block(
                                                            route.source(),
                                                            sequence,
                                                            id,
                                                            span.endNs(),
                                                            bytes));
                        });
        each(
                (shard, sequence) ->
                        new MergeMessage.WindowEnd(
                                route.source(),
                                sequence,
                                id,
                                new MergeMessage.Window(
                                        span.startNs(),
                                        span.endNs(),
                                        from.untilNs(),
                                        from.activeFromNs(),
                                        span.losses(),
                                        span.processed(),
                                        told.before(),
                                        blocks[shard],
                                        route.goesOn(),
                                        shard == home ? leftOut : leftOut.withoutPackets(),
                                        told.ledger(),
                                        told.earlier(),
                                        bindings)));
    }

    private PartialWriter writer(CompiledQuery over) {
        int shards = route.ways().shards();
        return writers.computeIfAbsent(
                over,
                code ->
                        counted
                                ? PartialWriter.counted(form, shards, home, route.blockBytes())
                                : PartialWriter.of(form, code, shards, home, route.blockBytes()));
    }

    void ended(ActivationId id, long untilNs) {
        each((shard, sequence) -> new MergeMessage.Ended(route.source(), sequence, id, untilNs));
    }

    private void each(ShardRoutes.Made message) {
        if (form.isSharded()) {
            route.ways().sendAll(message);
        } else {
            route.ways().send(home, message);
        }
    }
}
