package io.weir.cluster.node;

import io.weir.cluster.sink.OutputClosed;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.util.List;
import java.util.function.Consumer;

/** Produces all rows of a query, as its windows close in a replay. */
final class ReplayProducer implements RowProducer {
    private final EmbeddedNode node;
    private final Query query;
    private final Consumer<Outcome> ended;
    private final boolean ofTable;
    private volatile boolean stopped;
    private volatile Replay replay;

    private ReplayProducer(
            EmbeddedNode node, Query query, Consumer<Outcome> ended, boolean ofTable) {
        this.node = node;
        this.query = query;
        this.ended = ended;
        this.ofTable = ofTable;
    }

    /**
     * Produces all rows that the query emits.
     *
     * @param ended gets the account and events of the replay, before {@link #produce} returns
     */
    static ReplayProducer ofRows(EmbeddedNode node, Query query, Consumer<Outcome> ended) {
        return new ReplayProducer(node, query, ended, false);
    }

    /** Does the same, but for a keyed table it produces all rows at each change of the table. */
    static ReplayProducer ofWindows(EmbeddedNode node, Query query, Consumer<Outcome> ended) {
        return new ReplayProducer(node, query, ended, query.isTable());
    }

    @Override
    public void produce(RowSink sink) {
        Outcome outcome = new Outcome();
        Events events = new Events(outcome);
        Replay created =
                ofTable
                        ? node.replayTable(query, batch -> pass(batch, sink), events)
                        : node.replay(List.of(query), batch -> pass(batch, sink), events);
        replay = created;
        if (!stopped) {
            Report report = created.run();
            outcome.report(report);
            events.end();
            ended.accept(outcome);
            report.throwFailure();
        }
    }

    /**
     * When nobody takes rows any more, the replay ends in order, so that its account can be shown.
     */
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
