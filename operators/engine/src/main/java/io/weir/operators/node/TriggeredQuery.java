package io.weir.operators.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.result.Activation;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.trigger.Trigger;
import io.weir.operators.trigger.TriggerListener;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/** Wakes one query and sets its ends. The results' lock. */
final class TriggeredQuery implements TriggerListener {
    private final EngineContext lanes;
    private final List<WakeListener> listeners;
    private final BiConsumer<RunningQuery, WeirException> refused;
    private RunningQuery running;
    private Trigger trigger;
    private ActiveInterval gate;
    private List<Activation> latest = List.of();
    private boolean ended;

    /**
     * @param refused ends a query that was woken, and has no memory
     */
    TriggeredQuery(
            EngineContext lanes,
            RunningQuery running,
            List<WakeListener> listeners,
            BiConsumer<RunningQuery, WeirException> refused) {
        this.refused = refused;
        this.lanes = lanes;
        this.running = running;
        this.listeners = listeners;
    }

    /** Sets the trigger that tests the rows; once. */
    void trigger(Trigger testing) {
        trigger = testing;
    }

    Trigger trigger() {
        return trigger;
    }

    /** Stops waking the query, though rows that its trigger reads can still be on their way. */
    void end() {
        ended = true;
    }

    @Override
    public void woken(long fromNs, long untilNs, RowBatch batch, int row) {
        if (ended) {
            return;
        }
        Query query = running.query();
        OptionalLong activeFromNs = begin(fromNs, untilNs);
        if (activeFromNs.isPresent()) {
            listeners.forEach(l -> l.woken(query, activeFromNs.getAsLong(), batch, row));
            listeners.forEach(l -> l.fired(query, fromNs, untilNs));
        }
    }

    /** Continues from rows that were tested before this engine began. */
    void resume(long fromNs, long untilNs) {
        Query query = running.query();
        boolean ends = query.when().orElseThrow().until().isPresent();
        trigger.resume(!ends || untilNs == Long.MAX_VALUE, untilNs);
        OptionalLong activeFromNs = begin(fromNs, untilNs);
        if (activeFromNs.isPresent()) {
            listeners.forEach(l -> l.resumed(query, activeFromNs.getAsLong()));
        }
    }

    /** Wakes the query because of a row that another process made. */
    void wokenElsewhere(long fromNs, long untilNs) {
        if (gate != null && fromNs <= gate.fromNs()) {
            untilElsewhere(fromNs, untilNs); // It was reported before, perhaps with an earlier end.
            return;
        } else if (running.sharedState == null) {
            gate = new ActiveInterval(fromNs, untilNs); // It begins with the engine.
            return;
        }
        Query query = running.query();
        OptionalLong activeFromNs = begin(fromNs, untilNs);
        if (activeFromNs.isPresent()) {
            listeners.forEach(l -> l.wokenElsewhere(query, activeFromNs.getAsLong()));
        }
    }

    /** Notes that the engine begins. */
    void started() {
        ActiveInterval told = gate;
        if (told != null) {
            gate = null;
            wokenElsewhere(told.fromNs(), told.untilNs());
        }
    }

    void untilElsewhere(long fromNs, long untilNs) {
        if (ended || gate == null || fromNs != gate.fromNs()) {
            return;
        }
        long laterNs = ActiveInterval.laterEnd(gate.untilNs(), untilNs);
        if (laterNs != gate.untilNs()) {
            ends(laterNs);
        }
    }

    /** Returns the time from which it counts; empty if it cannot. */
    private OptionalLong begin(long fromNs, long untilNs) {
        gate = new ActiveInterval(fromNs, untilNs);
        // Files wait for conditions to settle. Live packets do not, so some may already be past.
        long activeFromNs =
                lanes.options().live() ? Math.max(fromNs, lanes.completeFromNs()) : fromNs;
        try {
            latest = running.sharedState.activate(gate, activeFromNs);
        } catch (WeirException noMemory) {
            // Only this query fails, and no other.
            refused.accept(running, noMemory);
            return OptionalLong.empty();
        }
        return OptionalLong.of(activeFromNs);
    }

    @Override
    public void until(long untilNs) {
        if (!ended) {
            ends(untilNs);
            Query query = running.query();
            listeners.forEach(listener -> listener.fired(query, gate.fromNs(), untilNs));
        }
    }

    private void ends(long untilNs) {
        gate.until(untilNs);
        if (untilNs <= gate.fromNs()) {
            // Rows of one window woke and ended it. It never counted, and has nothing to report.
            latest.forEach(Activation::close);
        }
        Query query = running.query();
        listeners.forEach(listener -> listener.until(query, untilNs));
    }

    boolean isAwake() {
        return !running.result.activations().isEmpty();
    }

    /** Returns the gate of the latest activation. */
    ActiveInterval gate() {
        return gate;
    }

    /**
     * Wakes the new version from now on. If the old version was awake, the new one is, and it was
     * prepared.
     */
    void alter(RunningQuery altered) {
        SharedState old = running.sharedState;
        boolean awake = isAwake();
        running = altered;
        if (awake) {
            latest = altered.sharedState.begin(lanes.completeFromNs(), old);
        }
    }
}
