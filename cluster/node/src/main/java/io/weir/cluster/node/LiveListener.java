package io.weir.cluster.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.node.WakeListener;
import io.weir.operators.rows.RowBatch;
import java.util.function.BiConsumer;

/** Notes what happens to the queries of a shared engine. The results thread, or one that adds. */
final class LiveListener implements WakeListener {
    private final Outcome outcome;
    private final Events events;
    private final BiConsumer<Query, WeirException> failed;

    /**
     * @param outcome guards the events, too
     * @param failed is told of a query that has ended by itself
     */
    LiveListener(Outcome outcome, Events events, BiConsumer<Query, WeirException> failed) {
        this.outcome = outcome;
        this.events = events;
        this.failed = failed;
    }

    @Override
    public void woken(Query query, long activeFromNs, RowBatch batch, int row) {
        synchronized (outcome) {
            events.woken(
                    query, BindingText.of(query, batch, row), batch.windowEndNs(), activeFromNs);
        }
    }

    @Override
    public void full(Query query, RowBatch batch, int row) {
        synchronized (outcome) {
            events.full(query, BindingText.of(query, batch, row), batch.windowEndNs());
        }
    }

    @Override
    public void until(Query query, long untilNs) {
        synchronized (outcome) {
            events.until(query, untilNs);
        }
    }

    @Override
    public void failed(Query query, WeirException why) {
        failed.accept(query, why);
    }
}
