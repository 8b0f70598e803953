package io.weir.operators.node;

import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Correlation;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.result.Activation;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.ActiveBinding;
import io.weir.operators.when.Binding;
import io.weir.operators.when.LatestRows;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Wakes one query and sets its ends, as its {@link WhenState} changes: by rows that are tested
 * here, or by reports of another process. The results' lock.
 */
final class TriggeredQuery implements WhenTester.Listener {
    private final EngineContext engine;
    private final List<WakeListener> listeners;
    private final BiConsumer<ResultQuery, WeirException> refused;
    private final WhenState state;
    private final Optional<BoundActivations> bound;
    private final Optional<Stage> page;
    private RunningQuery running;
    private WhenTester test;
    private List<RowSink> readers = List.of();
    private Optional<BooleanSupplier> joint = Optional.empty();

    /** The interval that pipelines read: that of the latest activation. */
    private ActiveInterval gate;

    private List<Activation> latest = List.of();
    private boolean ended;

    /** True from the first binding that is refused until one begins again. */
    private boolean toldFull;

    /**
     * @param refused ends a query that was woken, and has no memory
     */
    TriggeredQuery(
            EngineContext engine,
            RunningQuery running,
            List<WakeListener> listeners,
            BiConsumer<ResultQuery, WeirException> refused) {
        this.refused = refused;
        this.engine = engine;
        this.running = running;
        this.listeners = listeners;
        Optional<Correlation> used = running.query().when().flatMap(When::correlation);
        state = used.map(c -> new WhenState(c.most(), 0)).orElseGet(WhenState::latest);
        long delayNs = engine.options().delayNs();
        bound = used.map(c -> new BoundActivations(running.query(), c, delayNs));
        page = used.map(c -> engine.account().stage("bindings:" + running.name()));
    }

    /**
     * Makes the test of the upstreams' rows that moves this; for rows that are made here.
     *
     * @param upstreams in the order of the condition
     */
    void testing(WhenTester.Conditions conditions, List<CompiledQuery> upstreams) {
        test = new WhenTester(conditions, engine.options().delayNs(), state, this);
        When when = running.query().when().orElseThrow();
        if (when.isJoint()) {
            LatestRows latest = new LatestRows(when, upstreams, engine.allocator(), test);
            readers = latest.sinks();
            joint = Optional.of(latest::test);
        } else {
            readers = List.of(test);
        }
    }

    /** Returns the readers of the upstreams' rows, in the order of the condition. */
    List<RowSink> readers() {
        return readers;
    }

    /** Returns the test of rows of several upstreams. */
    Optional<BooleanSupplier> joint() {
        return joint;
    }

    /** Returns the test of rows; null if the query is woken from elsewhere. */
    WhenTester test() {
        return test;
    }

    /** Stops waking the query, though rows that its condition reads can still be on their way. */
    void end() {
        ended = true;
    }

    @Override
    public void changed(WhenState.Change change, RowBatch batch, int row) {
        if (ended) {
            return;
        }
        Query query = running.query();
        if (!change.begins()) {
            ends(bound.isPresent() ? boundEnd(change) : change.untilNs());
            listeners.forEach(listener -> listener.fired(query, change));
            return;
        }
        OptionalLong activeFromNs =
                bound.isPresent() ? beginBound(change, batch, row) : begin(change);
        page.ifPresent(
                counts -> {
                    counts.offered().add(1);
                    counts.processed().add(1);
                });
        toldFull = false;
        if (activeFromNs.isPresent()) {
            listeners.forEach(l -> l.woken(query, activeFromNs.getAsLong(), batch, row));
            listeners.forEach(l -> l.fired(query, change));
        }
    }

    @Override
    public void refused(RowBatch batch, int row) {
        page.ifPresent(
                counts -> {
                    counts.offered().add(1);
                    counts.lost("set_full").add(1);
                });
        if (!toldFull) {
            toldFull = true;
            listeners.forEach(listener -> listener.full(running.query(), batch, row));
        }
    }

    @Override
    public void forgot() {
        page.ifPresent(
                counts -> {
                    counts.offered().add(1);
                    counts.lost("rows_forgotten").add(1);
                });
    }

    /** Returns the bindings that count at a time. */
    List<ActiveBinding> bindings(long timeNs) {
        return bound.map(all -> all.at(timeNs)).orElse(List.of());
    }

    private long boundEnd(WhenState.Change change) {
        bound.orElseThrow().ends(change);
        return bound.orElseThrow().untilNs();
    }

    /** Begins the activation of a binding. The first one makes the query count. */
    private OptionalLong beginBound(WhenState.Change change, RowBatch batch, int row) {
        BoundActivations all = bound.orElseThrow();
        if (!BoundActivations.isWithin(gate, change.fromNs())) {
            all.restart();
            all.begin(change, activeFromNs(change.fromNs()), batch, row);
            return begin(change);
        }
        long activeFromNs = activeFromNs(change.fromNs());
        all.begin(change, activeFromNs, batch, row);
        gate.until(all.untilNs());
        return OptionalLong.of(activeFromNs);
    }

    /** Continues from rows that were tested before this engine began. */
    void resume(WhenState.Change activation) {
        Query query = running.query();
        boolean ends = query.when().orElseThrow().until().isPresent();
        state.resume(activation, !ends || activation.untilNs() == Long.MAX_VALUE);
        OptionalLong activeFromNs = begin(activation);
        if (activeFromNs.isPresent()) {
            listeners.forEach(l -> l.resumed(query, activeFromNs.getAsLong()));
        }
    }

    /** Takes a change that rows of another process have made. */
    void report(WhenState.Change told) {
        Optional<WhenState.Change> last = state.last(Binding.NONE);
        boolean isKnown = last.filter(one -> one.fromNs() == told.fromNs()).isPresent();
        if (!ended && (told.begins() || isKnown)) {
            state.report(told).ifPresent(change -> report(change, running.query()));
        }
    }

    private void report(WhenState.Change change, Query query) {
        if (!change.begins()) {
            ends(change.untilNs());
            return;
        } else if (running.sharedState == null) {
            return; // it begins with the engine
        }
        OptionalLong activeFromNs = begin(change);
        if (activeFromNs.isPresent()) {
            listeners.forEach(l -> l.wokenElsewhere(query, activeFromNs.getAsLong()));
        }
    }

    /** Notes that the engine begins. */
    void started() {
        state.last(Binding.NONE).ifPresent(told -> report(told, running.query()));
    }

    /** Returns the time from which it counts; empty if it cannot. */
    private OptionalLong begin(WhenState.Change activation) {
        gate =
                new ActiveInterval(
                        activation.fromNs(),
                        activation.untilNs(),
                        bound.map(BoundActivations::feed));
        long activeFromNs = activeFromNs(gate.fromNs());
        try {
            latest = running.sharedState.activate(gate, activeFromNs);
        } catch (WeirException noMemory) {
            // Only this query fails, and no other.
            refused.accept(running.result, noMemory);
            return OptionalLong.empty();
        }
        return OptionalLong.of(activeFromNs);
    }

    /** Files wait for conditions to settle. Live packets do not, so some may already be past. */
    private long activeFromNs(long fromNs) {
        return engine.options().live() ? Math.max(fromNs, engine.completeFromNs()) : fromNs;
    }

    private void ends(long untilNs) {
        if (gate != null) { // otherwise the engine has not begun
            gate.until(untilNs);
            if (untilNs <= gate.fromNs()) {
                // Rows of one window woke and ended it. It never counted, and reports nothing.
                latest.forEach(Activation::close);
            }
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
            latest = altered.sharedState.begin(engine.completeFromNs(), old);
        }
    }
}
