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
import io.weir.operators.when.CountingInterval;
import io.weir.operators.when.JointTest;
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
    private final CountingInterval interval;
    private final Optional<Stage> page;
    private RunningQuery running;
    private WhenTester test;
    private JointTest tests = JointTest.NONE;

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
        boolean elsewhere = running.way.wokenElsewhere();
        state = used.map(c -> state(c, elsewhere)).orElseGet(WhenState::latest);
        interval = new CountingInterval(running.query(), engine.options().delayNs());
        page = used.map(c -> engine.account().stage("bindings:" + running.name()));
    }

    /** A process that hears of ends may hear of the next begins before it takes these for over. */
    private static WhenState state(Correlation used, boolean elsewhere) {
        return new WhenState(elsewhere ? 2 * used.most() : used.most(), 0);
    }

    /**
     * Makes the test of the upstreams' rows that moves this; for rows that are made here.
     *
     * @param upstreams in the order of the condition
     */
    void testing(WhenTester.Conditions conditions, List<CompiledQuery> upstreams) {
        test = new WhenTester(conditions, engine.options().delayNs(), state, this);
        When when = running.query().when().orElseThrow();
        tests = JointTest.of(when, upstreams, engine.allocator(), test);
    }

    /** Returns the readers of the upstreams' rows, in the order of the condition. */
    List<RowSink> readers() {
        return tests.readers();
    }

    /** Returns the test of rows of several upstreams. */
    Optional<BooleanSupplier> joint() {
        return tests.joint();
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
            ends(change);
            listeners.forEach(listener -> listener.fired(query, change));
            return;
        }
        OptionalLong activeFromNs = begin(change);
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
        return interval.bindings(timeNs);
    }

    /** Begins an activation. Returns the time from which it counts; empty if it cannot. */
    private OptionalLong begin(WhenState.Change change) {
        long activeFromNs = activeFromNs(change.fromNs());
        try {
            if (interval.begin(change, activeFromNs)) {
                latest = running.sharedState.activate(interval.gate(), activeFromNs);
            }
        } catch (WeirException noMemory) {
            // Only this query fails, and no other.
            refused.accept(running.result, noMemory);
            return OptionalLong.empty();
        }
        return OptionalLong.of(activeFromNs);
    }

    /** Continues from rows that were tested before this engine began. */
    void resume(WhenState.Change activation) {
        Query query = running.query();
        boolean ends = query.when().orElseThrow().until().isPresent();
        boolean isOver = ends && activation.untilNs() != Long.MAX_VALUE;
        boolean valued = activation.waking().isPresent();
        state.resume(activation, valued ? !activation.closed() : !isOver);
        OptionalLong activeFromNs = begin(activation);
        if (activeFromNs.isPresent()) {
            listeners.forEach(l -> l.resumed(query, activeFromNs.getAsLong()));
        }
    }

    /** Takes a change that rows of another process have made. */
    void report(WhenState.Change told) {
        Optional<WhenState.Change> last = state.last(told.binding());
        boolean isKnown = last.filter(one -> one.fromNs() == told.fromNs()).isPresent();
        if (!ended && (told.begins() || isKnown)) {
            state.report(told).ifPresent(change -> report(change, running.query()));
        }
    }

    private void report(WhenState.Change change, Query query) {
        if (!change.begins()) {
            ends(change);
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
        state.latestOfEach().forEach(told -> report(told, running.query()));
    }

    /** Files wait for conditions to settle. Live packets do not, so some may already be past. */
    private long activeFromNs(long fromNs) {
        return engine.options().live() ? Math.max(fromNs, engine.completeFromNs()) : fromNs;
    }

    private void ends(WhenState.Change change) {
        interval.end(change);
        ActiveInterval gate = interval.gate(); // null before the engine begins
        if (gate != null && gate.untilNs() <= gate.fromNs()) {
            // Rows of one window woke and ended it. It never counted, and reports nothing.
            latest.forEach(Activation::close);
        }
        Query query = running.query();
        long untilNs = gate == null ? change.untilNs() : gate.untilNs();
        listeners.forEach(listener -> listener.until(query, untilNs));
    }

    boolean isAwake() {
        return !running.result.activations().isEmpty();
    }

    /** Returns the latest interval in which it counts. */
    ActiveInterval gate() {
        return interval.gate();
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
