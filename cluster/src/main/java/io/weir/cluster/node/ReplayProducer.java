package io.weir.cluster.node;

import io.weir.operators.graph.Query;
import io.weir.operators.result.RowSink;
import java.util.List;

/** All rows of a query, as its windows close in a replay. */
final class ReplayProducer implements RowProducer {
    private final EmbeddedNode node;
    private final Query query;
    private volatile boolean stopped;
    private volatile Replay replay;

    ReplayProducer(EmbeddedNode node, Query query) {
        this.node = node;
        this.query = query;
    }

    @Override
    public void produce(RowSink sink) {
        Replay created = node.replay(List.of(query), sink, Listener.NONE);
        replay = created;
        if (!stopped) {
            created.run().throwFailure();
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
