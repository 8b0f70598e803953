package io.weir.cluster.node;

import io.weir.cluster.sink.OutputClosed;
import io.weir.operators.graph.Query;
import io.weir.operators.result.RowBatch;
import io.weir.operators.result.RowSink;
import java.util.List;
import java.util.function.Consumer;

/** All rows of a query, as its windows close in a replay. */
final class ReplayProducer implements RowProducer {
    private final EmbeddedNode node;
    private final Query query;
    private final Consumer<Outcome> ended;
    private volatile boolean stopped;
    private volatile Replay replay;

    /**
     * @param ended gets what the replay leaves behind, before {@link #produce} returns
     */
    ReplayProducer(EmbeddedNode node, Query query, Consumer<Outcome> ended) {
        this.node = node;
        this.query = query;
        this.ended = ended;
    }

    @Override
    public void produce(RowSink sink) {
        Outcome outcome = new Outcome();
        Events events = new Events(outcome);
        Replay created = node.replay(List.of(query), batch -> pass(batch, sink), events);
        replay = created;
        if (!stopped) {
            Report report = created.run();
            outcome.report(report);
            events.end();
            ended.accept(outcome);
            report.throwFailure();
        }
    }

    /** When nobody takes rows any more the replay ends in good order, so that it can be told of. */
    private void pass(RowBatch batch, RowSink sink) {
        if (!stopped) {
            try {
                sink.rows(batch);
            } catch (OutputClosed e) {
                stop();
            }
        }
    }

    boolean isStopped() {
        return stopped;
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
