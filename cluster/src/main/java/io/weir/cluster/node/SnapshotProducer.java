package io.weir.cluster.node;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.RowSink;
import java.util.List;

/** SELECT from a query: the last window that it closes in a replay, seen through the select. */
final class SnapshotProducer implements RowProducer {
    private final EmbeddedNode node;
    private final Query upstream;
    private final CompiledQuery select;
    private volatile boolean stopped;
    private volatile Replay replay;

    SnapshotProducer(EmbeddedNode node, Query upstream, CompiledQuery select) {
        this.node = node;
        this.upstream = upstream;
        this.select = select;
    }

    @Override
    public void produce(RowSink sink) {
        try (LastWindow last = new LastWindow(select)) {
            Replay created = node.replay(List.of(upstream), last, Listener.NONE);
            replay = created;
            if (!stopped) {
                created.run().throwFailure();
            }
            if (!stopped) {
                last.select(sink);
            }
        }
    }

    @Override
    public void stop() {
        stopped = true;
        Replay running = replay;
        if (running != null) {
            running.stop();
        }
    }
}
