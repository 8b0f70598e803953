package io.weir.cluster.worker;

import io.weir.cluster.node.BindingText;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.node.WakeListener;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.when.WhenState;

/** Reports the events of a worker's queries to their keepers. Any thread. */
record WakeReports(
        Attachments attachments, Outboxes outboxes, WorkerListener listener, LastWakes wakes)
        implements WakeListener {
    @Override
    public void woken(Query query, long activeFromNs, RowBatch batch, int row) {
        wakes.woken(query.name(), activeFromNs);
        listener.woken(query, BindingText.of(query, batch, row), batch.windowEndNs(), activeFromNs);
    }

    @Override
    public void wokenElsewhere(Query query, long activeFromNs) {
        wakes.woken(query.name(), activeFromNs);
        listener.wokenElsewhere(query, activeFromNs);
    }

    @Override
    public void resumed(Query query, long activeFromNs) {
        wakes.woken(query.name(), activeFromNs);
        listener.resumed(query, activeFromNs);
    }

    @Override
    public void fired(Query query, WhenState.Change change) {
        outboxes.made().fired();
        outboxes.conditions().fired(query, change);
    }

    @Override
    public void until(Query query, long untilNs) {
        wakes.until(query.name(), untilNs);
        listener.until(query, untilNs);
    }

    @Override
    public void failed(Query query, WeirException cause) {
        attachments.failed(query, cause);
        listener.failed(query, cause);
    }

    @Override
    public void lost(Query query, long packets, WeirException cause) {
        attachments.lost(query, packets, cause);
    }
}
