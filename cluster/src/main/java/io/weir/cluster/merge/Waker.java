package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.trigger.HeldWake;
import io.weir.cluster.trigger.Triggers;
import io.weir.operators.kernel.Gate;
import io.weir.operators.merge.MergeStage;
import io.weir.operators.result.RowBatch;
import io.weir.operators.trigger.Trigger;
import io.weir.operators.trigger.TriggerListener;

/** A query with WHEN whose condition is over merged rows. The stream's thread. */
final class Waker implements TriggerListener {
    final Definition definition;
    private final HeldWake wake;
    private final MergeStage stage;
    private final Trigger trigger;
    private Gate gate = new Gate();
    private boolean changed;

    /**
     * @param older whether rows of older versions are tested too
     */
    Waker(Definition definition, Triggers triggers, MergeStage stage, long delayNs, boolean older) {
        this.definition = definition;
        wake = new HeldWake(triggers, definition.name(), definition.version());
        this.stage = stage;
        trigger = stage.addTrigger(definition.query(), delayNs, this, older);
    }

    Trigger trigger() {
        return trigger;
    }

    long fromNs() {
        return gate.fromNs();
    }

    /** Whether rows have said something since this was last asked. */
    boolean changed() {
        boolean was = changed;
        changed = false;
        return was;
    }

    void resume(boolean awake, long fromNs, long endNs) {
        gate = new Gate(fromNs, endNs);
        trigger.resume(awake, endNs);
        again();
    }

    /** A query over rows that was awake counts again, after all that it read had ended. */
    void again() {
        if (trigger.isAwake() && !definition.query().readsPackets()) {
            stage.wake(definition.name(), gate, gate.fromNs());
        }
    }

    @Override
    public void woken(long fromNs, long untilNs, RowBatch batch, int row) {
        changed = true;
        gate = new Gate(fromNs, untilNs);
        if (!definition.query().readsPackets()) {
            stage.wake(definition.name(), gate, fromNs);
        }
        wake.woken(fromNs, untilNs);
    }

    @Override
    public void until(long untilNs) {
        changed = true;
        gate.until(untilNs);
        wake.until(gate.fromNs(), untilNs);
    }

    /** The rows have been tested. */
    void tell() {
        wake.tell();
    }
}
