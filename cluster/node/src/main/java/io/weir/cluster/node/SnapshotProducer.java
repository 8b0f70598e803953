package io.weir.cluster.node;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.rows.RowSink;

/**
 * Answers SELECT from a query: the last window that it closes in a replay, seen through the select.
 */
final class SnapshotProducer implements RowProducer {
    private final ReplayProducer upstream;
    private final CompiledQuery select;

    SnapshotProducer(ReplayProducer upstream, CompiledQuery select) {
        this.upstream = upstream;
        this.select = select;
    }

    @Override
    public void produce(RowSink sink) {
        try (LastWindow last = new LastWindow(select)) {
            upstream.produce(last);
            if (!upstream.isStopped()) {
                last.select(sink);
            }
        }
    }

    @Override
    public void stop() {
        upstream.stop();
    }
}
