package io.weir.operators.node;

import io.weir.operators.graph.Query;
import io.weir.operators.kernel.Gate;
import io.weir.operators.result.Activation;
import io.weir.operators.result.RowBatch;
import io.weir.operators.trigger.TriggerListener;
import java.util.List;

/** Wakes one query and sets its ends. The results' thread. */
final class Waker implements TriggerListener {
    private final Query query;
    private final Activator activator;
    private final List<WakeListener> listeners;
    private Gate gate;
    private List<Activation> latest = List.of();

    Waker(Query query, Activator activator, List<WakeListener> listeners) {
        this.query = query;
        this.activator = activator;
        this.listeners = listeners;
    }

    @Override
    public void woken(long fromNs, long untilNs, RowBatch batch, int row) {
        gate = new Gate(fromNs, untilNs);
        latest = activator.activate(gate);
        listeners.forEach(listener -> listener.woken(query, fromNs, batch, row));
    }

    @Override
    public void until(long untilNs) {
        gate.until(untilNs);
        if (untilNs <= gate.fromNs()) {
            // Woken and ended by rows of one window: it never counted, and has nothing to say.
            latest.forEach(Activation::close);
        }
        listeners.forEach(listener -> listener.until(query, untilNs));
    }
}
