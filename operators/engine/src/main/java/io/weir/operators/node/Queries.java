package io.weir.operators.node;

import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.result.RowlessWindow;
import io.weir.operators.when.ActiveBinding;
import io.weir.operators.when.WhenTester;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The queries of an engine, with their sources and their shared states. The results' lock. */
final class Queries {
    private final EngineContext engine;
    private final ResultStage stage;
    private final List<WakeListener> listeners;
    private final Map<String, RunningQuery> byName = new LinkedHashMap<>();

    /** The account pages by name, for queries whose last windows had no memory. */
    private final Map<String, Stage> lastWindows = new HashMap<>();

    private final Dependencies dependencies;
    private final Succession succession;
    private boolean started;

    Queries(
            EngineContext engine,
            ResultStage stage,
            ReplayBarrier barrier,
            List<WakeListener> listeners) {
        this.engine = engine;
        this.stage = stage;
        this.listeners = listeners;
        dependencies = new Dependencies(engine, stage, barrier, listeners, byName, this::fail);
        succession = new Succession(engine, dependencies);
    }

    boolean isStarted() {
        return started;
    }

    /**
     * Groups queries into shared states, and starts all that have no WHEN.
     *
     * @param ready called first for each shared state
     */
    void start(Consumer<SharedState> ready) {
        started = true;
        List<SharedState> sharedStates =
                SharedStates.of(
                        byName.values().stream().filter(one -> !one.isPaused()).toList(),
                        engine,
                        this::overflowed);
        sharedStates.forEach(ready);
        for (SharedState sharedState : sharedStates) {
            if (sharedState.code().query().when().isEmpty()) {
                begin(sharedState);
            }
        }
        for (RunningQuery running : List.copyOf(byName.values())) {
            dependencies.triggered(running).ifPresent(TriggeredQuery::started);
        }
    }

    /** Live packets do not wait for a query without memory. */
    private void begin(SharedState sharedState) {
        try {
            sharedState.activate(new ActiveInterval(), RowContext.ALWAYS);
        } catch (WeirException noMemory) {
            if (!engine.options().live()) {
                throw noMemory;
            }
            sharedState.queries().forEach(query -> fail(query, noMemory));
        }
    }

    RunningQuery running(String name) {
        return dependencies.running(name);
    }

    /** Returns the bindings of all queries that count at a time. */
    List<ActiveBinding> bindings(long timeNs) {
        return byName.values().stream()
                .flatMap(running -> dependencies.triggered(running).stream())
                .flatMap(triggered -> triggered.bindings(timeNs).stream())
                .toList();
    }

    /** Returns the work of each query so far. */
    List<QueryCost> costs() {
        return byName.values().stream().map(RunningQuery::cost).toList();
    }

    void watch(When when, List<CompiledQuery> codes, WhenTester test) {
        dependencies.watch(when, codes, test);
    }

    TriggeredQuery triggered(String name) {
        return dependencies
                .triggered(running(name))
                .orElseThrow(
                        () -> new WeirException(ErrorCode.INVALID_QUERY, name + " has no WHEN"));
    }

    /** Returns a shared state that counts at least what the query needs; or null. */
    SharedState sharedStateFor(Query query, boolean leaves) {
        for (RunningQuery running : byName.values()) {
            if (running.sharedState != null && running.sharedState.takes(query, leaves)) {
                return running.sharedState;
            }
        }
        return null;
    }

    /**
     * Goes on with one more pipeline, the last one.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and nothing has changed
     */
    void widen() {
        Set<SharedState> states = new LinkedHashSet<>();
        for (RunningQuery running : byName.values()) {
            if (running.sharedState != null && running.query().reads().comesAsGpvs()) {
                states.add(running.sharedState);
            }
        }
        List<AttachedQuery> made = new ArrayList<>();
        try {
            states.forEach(state -> made.addAll(state.wider()));
        } catch (WeirException noMemory) {
            made.forEach(AttachedQuery::discard);
            states.forEach(SharedState::narrow);
            throw noMemory;
        }
        byName.values().forEach(running -> running.pages.widen());
        states.forEach(SharedState::widen);
    }

    /** Returns whether the parts that were prepared without the lock are still valid. */
    boolean fits(RunningQuery prepared) {
        Query query = prepared.query();
        boolean sharedState =
                prepared.joins == null || prepared.joins.takes(query, prepared.leaves());
        return sharedState && prepared.upstreams.stream().allMatch(one -> isRunning(one.result));
    }

    private boolean isRunning(ResultQuery result) {
        RunningQuery running = byName.get(result.name());
        return running != null && running.result == result;
    }

    void add(RunningQuery added) {
        Query query = added.query();
        if (byName.containsKey(query.name())) {
            throw new WeirException(
                    ErrorCode.DUPLICATE_QUERY, "a query " + query.name() + " is running");
        }
        dependencies.check(added, started);
        added.pages.open(engine.account(), engine.pipelines().size());
        if (started) {
            ready(added, query.when().isEmpty() ? new ActiveInterval() : null, false);
        }
        dependencies.connect(added);
        byName.put(query.name(), added);
        stage.add(added.result);
        if (started && added.joins != null) {
            added.join();
        } else if (started && query.when().isEmpty() && !added.isPaused()) {
            added.sharedState.begin(engine.completeFromNs(), null);
        }
    }

    /**
     * If the query joins no shared state, makes one for it, and allocates the memory that it needs
     * to count.
     *
     * @param gate null if it sleeps
     * @param read whether it takes over readers from another query
     */
    private void ready(RunningQuery made, ActiveInterval gate, boolean read) {
        if (made.joins != null || made.isPaused()) {
            return;
        }
        SharedState alone = new SharedState(engine, made.code, this::overflowed);
        made.enter(alone, made.code);
        if (gate != null) {
            alone.prepare(gate, engine.completeFromNs(), read || made.result.wantsTicks());
        }
    }

    /**
     * Puts a new version in place of the old one. A query of that name may be running or not. All
     * possible refusals come before the first change.
     */
    void replace(RunningQuery altered) {
        RunningQuery old = byName.get(altered.name());
        if (old == null) {
            add(altered);
            return;
        }
        succession.check(old, altered.code);
        dependencies.check(altered, started);
        altered.pages.open(engine.account(), engine.pipelines().size());
        if (started) {
            ready(altered, succession.gate(old, altered), old.result.wantsTicks());
        }
        dependencies.reconnect(old, altered, Succession.isSameWhen(old, altered));
        byName.put(altered.name(), altered);
        stage.replace(old.result, altered.result);
        dependencies.succeeded(old, altered);
        if (started) {
            succession.begin(old, altered);
        }
    }

    /**
     * Ends a query in the same way as a replaced one: its open windows are still emitted. Its
     * readers stay, and wait.
     */
    void retire(String name) {
        RunningQuery old = byName.remove(name);
        if (old != null) {
            dependencies.disconnect(old);
            stage.retire(old.result);
            succession.end(old, false);
        }
    }

    /** Drops a query. Waiting rows are not emitted. */
    void drop(String name) {
        RunningQuery running = byName.get(name);
        if (running == null) {
            throw new WeirException(ErrorCode.UNKNOWN_QUERY, "no query " + name + " is running");
        }
        List<String> dependents = dependencies.dependents(running);
        if (!dependents.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    name + " is used by " + String.join(", ", dependents),
                    "drop these first");
        }
        remove(running);
    }

    private void remove(RunningQuery running) {
        byName.remove(running.name());
        dependencies.disconnect(running);
        stage.remove(running.result);
    }

    /** A pipeline's thread. */
    private void overflowed(SharedState sharedState) {
        engine.first().accept(() -> fail(sharedState));
    }

    /**
     * Ends all queries of a shared state whose groups outgrew the budget. Their readers stay, and
     * wait. Each pipeline may report it.
     */
    private void fail(SharedState sharedState) {
        if (!sharedState.failsFirst()) {
            return;
        }
        for (ResultQuery query : sharedState.queries()) {
            long bytes = query.code().query().budget().orElseThrow().memoryBytes();
            WeirException failure =
                    new WeirException(
                            ErrorCode.BUDGET_EXCEEDED,
                            "query "
                                    + query.name()
                                    + " has ended: its "
                                    + (query.code().query().scan().join().isPresent()
                                            ? "waiting rows and "
                                            : "")
                                    + "groups need more than its memory of "
                                    + bytes
                                    + " bytes",
                            "raise memory, or choose on_overflow = 'evict'");
            fail(query, failure);
        }
    }

    /**
     * Notes that there is no memory for rows of a query. It may have been replaced or dropped
     * since.
     */
    void unmade(ResultQuery result, RowlessWindow window) {
        if (result.isReplaced()) {
            lost(result, window);
            return;
        }
        WeirException cause = window.why();
        if (!isRunning(result)) {
            stage.remove(result);
            return;
        }
        String why = "query " + result.name() + " has ended: " + cause.getMessage();
        fail(result, new WeirException(cause.code(), why, cause.hint().orElse(null)));
    }

    /**
     * Packets without a row are in no window of the successor either. So they have a page of their
     * own.
     */
    private void lost(ResultQuery replaced, RowlessWindow window) {
        Stage page =
                lastWindows.computeIfAbsent(
                        replaced.name(), name -> engine.account().stage("replaced:" + name));
        page.offered().add(window.packets());
        page.lost("no_memory").add(window.packets());
        Query query = replaced.code().query();
        listeners.forEach(listener -> listener.lost(query, window.packets(), window.why()));
    }

    private void fail(ResultQuery result, WeirException cause) {
        if (result.isReplaced()) {
            result.lose(cause);
            return;
        }
        result.failed();
        if (!isRunning(result)) {
            stage.remove(result); // it was dropped meanwhile
            return;
        }
        RunningQuery running = byName.get(result.name());
        remove(running);
        listeners.forEach(listener -> listener.failed(running.query(), cause));
    }
}
