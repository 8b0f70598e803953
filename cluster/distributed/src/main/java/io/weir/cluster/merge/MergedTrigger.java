package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.protocol.KeptUnread;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.trigger.HeldWake;
import io.weir.cluster.trigger.TriggerWriter;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.trigger.Trigger;
import io.weir.operators.trigger.TriggerListener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;

/**
 * A query with WHEN whose condition is over merged rows. The stream's thread.
 *
 * <p>Its stored state:
 *
 * <pre>
 *   byte awake, long from, long end, and what may be untold
 * </pre>
 */
final class MergedTrigger implements TriggerListener {
    private static final int KEPT_BYTES = 1 + 2 * Long.BYTES;

    final Definition definition;
    private final HeldWake wake;
    private final PendingTriggers untold;
    private final MergeStage stage;
    private final Trigger trigger;
    private ActiveInterval gate = new ActiveInterval();
    private boolean changed;

    /**
     * @param older whether rows of older versions are tested too
     */
    MergedTrigger(
            Definition definition,
            TriggerWriter writer,
            MergeStage stage,
            long delayNs,
            boolean older) {
        this.definition = definition;
        untold = new PendingTriggers(writer);
        wake = new HeldWake(untold, definition.name(), definition.version());
        this.stage = stage;
        trigger = stage.addTrigger(definition.query(), delayNs, this, older);
    }

    Trigger trigger() {
        return trigger;
    }

    /** Returns its key in the store. */
    Bytes key() {
        byte[] name = definition.name().getBytes(StandardCharsets.UTF_8);
        ByteBuffer key = ByteBuffer.allocate(1 + name.length + Long.BYTES);
        key.put(StoreJournal.WAKER).put(name).putLong(definition.version());
        return Bytes.wrap(key.array());
    }

    /** Returns whether the state to store has changed since the last call. */
    boolean changed() {
        boolean was = changed;
        changed = false;
        return untold.forgetWritten() || was;
    }

    byte[] kept() {
        ByteBuffer value = ByteBuffer.allocate(KEPT_BYTES + untold.bytes());
        value.put((byte) (trigger.isAwake() ? 1 : 0));
        value.putLong(gate.fromNs()).putLong(trigger.endNs());
        untold.put(value);
        return value.array();
    }

    /**
     * Continues from the stored state, and publishes wakes that may be unpublished. A state that
     * cannot be read is counted, and the condition begins again.
     *
     * @param value null when nothing was kept
     */
    void resume(byte[] value) {
        if (value == null) {
            return;
        } else if (value.length < KEPT_BYTES || value[0] < 0 || value[0] > 1) {
            stage.restore(new KeptUnread.Other("the condition of " + definition.name()));
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(value);
        boolean awake = bytes.get() != 0;
        long fromNs = bytes.getLong();
        long endNs = bytes.getLong();
        gate = new ActiveInterval(fromNs, endNs);
        trigger.resume(awake, endNs);
        untold.tellAgain(definition.name(), definition.version(), bytes);
        again();
    }

    /** Lets an awake query over rows count again, after all its upstreams had ended. */
    void again() {
        if (trigger.isAwake() && !definition.query().reads().isSpread()) {
            stage.wake(definition.name(), gate, gate.fromNs());
        }
    }

    @Override
    public void woken(long fromNs, long untilNs, RowBatch batch, int row) {
        changed = true;
        gate = new ActiveInterval(fromNs, untilNs);
        if (!definition.query().reads().isSpread()) {
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

    /** Publishes, after the rows have been tested. */
    void tell() {
        wake.tell();
    }
}
