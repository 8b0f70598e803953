package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.protocol.UnreadableRecord;
import io.weir.cluster.trigger.TriggerWriter;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.when.Binding;
import io.weir.operators.when.CountingInterval;
import io.weir.operators.when.JointTest;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.utils.Bytes;

/**
 * A query with WHEN whose condition is over merged rows. Triggers are written while the rows that
 * fire them are committed, and neither waits for the other. So activations that other processes may
 * not know yet are pending in the state that is stored with the commit. The next owner writes them
 * again. The stream's thread.
 */
final class MergedTrigger implements WhenTester.Listener {
    private static final int MOST_PENDING = 1024;

    final Definition definition;
    private final TriggerWriter writer;
    private final MergeStage stage;
    private final WhenState state;
    private final JointTest test;
    private final CountingInterval interval;
    private boolean changed;

    /** The number of changes on their way, by activation. */
    private final Map<Begun, Integer> unwritten = new HashMap<>();

    /** The changes that were written, by the writer's threads. */
    private final Queue<WhenState.Change> written = new ConcurrentLinkedQueue<>();

    private record Begun(Binding binding, long fromNs) {
        static Begun of(WhenState.Change change) {
            return new Begun(change.binding(), change.fromNs());
        }
    }

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
        this.writer = writer;
        this.stage = stage;
        Query query = definition.query();
        Optional<Correlation> used = query.when().flatMap(When::correlation);
        state = new WhenState(used.map(Correlation::most).orElse(1), MOST_PENDING);
        interval = new CountingInterval(query, delayNs);
        test = stage.addTrigger(query, delayNs, state, this, older);
    }

    /** Returns the test of the merged rows. */
    JointTest test() {
        return test;
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
        return releaseWritten() || was;
    }

    private boolean releaseWritten() {
        boolean any = false;
        for (WhenState.Change one = written.poll(); one != null; one = written.poll()) {
            any = true;
            if (unwritten.merge(Begun.of(one), -1, Integer::sum) == 0) {
                unwritten.remove(Begun.of(one));
                state.release(one);
            }
        }
        return any;
    }

    byte[] kept() {
        return state.bytes();
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
        }
        try {
            state.restore(value);
        } catch (IllegalArgumentException unreadable) {
            stage.restoring()
                    .restore(new UnreadableRecord.Other("the condition of " + definition.name()));
            return;
        }
        state.latestOfEach().forEach(one -> interval.begin(one, one.fromNs()));
        tell();
        again();
    }

    /** Lets an awake query over rows count again, after all its upstreams had ended. */
    void again() {
        if (state.latestOfEach().stream().anyMatch(one -> state.isAwake(one.binding()))) {
            wake(interval.gate().fromNs());
        }
    }

    @Override
    public void changed(WhenState.Change change, RowBatch batch, int row) {
        changed = true;
        if (!change.begins()) {
            interval.end(change);
            return;
        }
        stage.counts().bindings().addAndGet(change.waking().isPresent() ? 1 : 0);
        if (interval.begin(change, change.fromNs())) {
            wake(change.fromNs());
        }
    }

    @Override
    public void refused(RowBatch batch, int row) {
        stage.counts().bindingsRefused().incrementAndGet();
    }

    @Override
    public void forgot() {
        stage.counts().bindingRowsForgotten().incrementAndGet();
    }

    private void wake(long activeFromNs) {
        if (!definition.query().reads().isSpread()) {
            stage.wake(definition.name(), interval.gate(), activeFromNs);
        }
    }

    /** Publishes, after the rows have been tested. */
    void tell() {
        for (WhenState.Change change : state.takeChanges()) {
            unwritten.merge(Begun.of(change), 1, Integer::sum);
            writer.write(
                    definition.name(), definition.version(), change, () -> written.add(change));
        }
    }
}
