package io.weir.operators.node;

import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.result.Activation;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.result.Unmade;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The queries of an engine, with their sources and their shared states. The results' lock. */
final class Queries {
    private final Lanes lanes;
    private final ResultStage stage;
    private final List<WakeListener> listeners;
    private final Map<String, Running> byName = new LinkedHashMap<>();

    /** The account pages by name, for queries whose last windows had no memory. */
    private final Map<String, Stage> lastWindows = new HashMap<>();

    private final Dependencies dependencies;
    private boolean started;

    Queries(Lanes lanes, ResultStage stage, Hold hold, List<WakeListener> listeners) {
        this.lanes = lanes;
        this.stage = stage;
        this.listeners = listeners;
        dependencies = new Dependencies(lanes, hold, listeners, byName, this::fail);
    }

    boolean isStarted() {
        return started;
    }

    /**
     * Groups queries into crowds, and starts all that have no WHEN.
     *
     * @param ready called first for each crowd
     */
    void start(Consumer<Crowd> ready) {
        started = true;
        List<Crowd> crowds = Crowds.of(List.copyOf(byName.values()), lanes);
        crowds.forEach(ready);
        for (Crowd crowd : crowds) {
            if (crowd.code().query().when().isEmpty()) {
                begin(crowd);
            }
        }
        for (Running running : List.copyOf(byName.values())) {
            if (running.waking != null) {
                running.waking.started();
            }
        }
    }

    /** Live packets do not wait for a query without memory. */
    private void begin(Crowd crowd) {
        try {
            crowd.activate(new Gate(), RowContext.ALWAYS);
        } catch (WeirException noMemory) {
            if (!lanes.options().live()) {
                throw noMemory;
            }
            crowd.members().forEach(running -> fail(running, noMemory));
        }
    }

    Running running(String name) {
        return dependencies.running(name);
    }

    Waking waking(String name) {
        Waking waking = running(name).waking;
        if (waking == null) {
            throw new WeirException(ErrorCode.INVALID_QUERY, name + " has no WHEN");
        }
        return waking;
    }

    /** Returns a crowd that counts at least what the query needs; or null. */
    Crowd crowdFor(Query query, boolean leaves) {
        for (Running running : byName.values()) {
            if (running.crowd != null && running.crowd.takes(query, leaves)) {
                return running.crowd;
            }
        }
        return null;
    }

    /** Returns whether the parts that were prepared without the lock are still valid. */
    boolean fits(Prepared prepared) {
        Query query = prepared.code().query();
        boolean crowd =
                prepared.crowd() == null
                        || prepared.crowd().takes(query, prepared.departure() != null);
        return crowd && (prepared.upstream() == null || isRunning(prepared.upstream()));
    }

    private boolean isRunning(Running running) {
        return byName.get(running.name()) == running;
    }

    void add(Prepared prepared) {
        Query query = prepared.code().query();
        if (byName.containsKey(query.name())) {
            throw new WeirException(
                    ErrorCode.DUPLICATE_QUERY, "a query " + query.name() + " is running");
        }
        dependencies.check(prepared, started);
        Running added = made(prepared);
        if (started) {
            ready(added, prepared, query.when().isEmpty() ? new Gate() : null, false);
        }
        dependencies.connect(added, prepared);
        byName.put(query.name(), added);
        stage.add(added.result);
        if (started && prepared.crowd() != null) {
            prepared.crowd().join(added, prepared.over());
        } else if (started && query.when().isEmpty()) {
            added.crowd.begin(lanes.completeFromNs(), null);
        }
    }

    private Running made(Prepared prepared) {
        Running made =
                new Running(
                        prepared.code(),
                        prepared.sink(),
                        lanes.account(),
                        lanes.pipelines().size());
        if (prepared.departure() != null) {
            made.leaveBy(prepared.departure(), prepared.readElsewhere());
        }
        return made;
    }

    /**
     * If the query joins no crowd, makes one for it, and allocates the memory that it needs to
     * count.
     *
     * @param gate null if it sleeps
     * @param read whether it takes over readers from another query
     */
    private void ready(Running made, Prepared prepared, Gate gate, boolean read) {
        if (prepared.crowd() != null) {
            return;
        }
        Crowd alone = new Crowd(lanes, prepared.code());
        alone.add(made, prepared.code());
        if (gate != null) {
            alone.prepare(gate, lanes.completeFromNs(), read || made.result.wantsTicks());
        }
    }

    /**
     * Puts a new version in place of the old one. A query of that name may be running or not. All
     * possible refusals come before the first change.
     */
    void replace(Prepared prepared) {
        Running old = byName.get(prepared.code().query().name());
        if (old == null) {
            add(prepared);
            return;
        }
        checkReplaceable(old, prepared.code());
        dependencies.check(prepared, started);
        Running altered = made(prepared);
        boolean sameWhen = sameWhen(old.query(), altered.query());
        ready(altered, prepared, gate(old, altered, sameWhen), old.result.wantsTicks());
        dependencies.reconnect(old, altered, prepared, sameWhen);
        byName.put(altered.name(), altered);
        stage.replace(old.result, altered.result);
        dependencies.succeeded(old, altered);
        if (prepared.crowd() != null) {
            prepared.crowd().join(altered, prepared.over());
        }
        begin(old, altered, sameWhen, prepared.crowd() != null);
    }

    private static boolean sameWhen(Query old, Query altered) {
        return old.when().isPresent()
                && old.when().equals(altered.when())
                && old.reads().carrier() == altered.reads().carrier();
    }

    /** Returns the gate with which the new version counts at once; null if it sleeps. */
    private static Gate gate(Running old, Running altered, boolean sameWhen) {
        if (altered.query().when().isEmpty()) {
            return new Gate();
        }
        return sameWhen && old.waking.isAwake() ? old.waking.gate() : null;
    }

    /** Ends the old version and begins the new one, between two blocks if both read packets. */
    private void begin(Running old, Running altered, boolean sameWhen, boolean joined) {
        boolean alone = old.crowd.members().size() == 1;
        boolean gpvs = altered.query().reads().comesAsGpvs();
        Crowd inPlaceOf = alone && old.query().reads().comesAsGpvs() && gpvs ? old.crowd : null;
        boolean begins = altered.query().when().isEmpty() && !joined;
        if (sameWhen) {
            altered.waking.alter(altered);
        } else if (begins) {
            altered.crowd.begin(lanes.completeFromNs(), inPlaceOf);
        }
        if (inPlaceOf == null || !sameWhen && !begins) {
            end(old, joined);
        }
    }

    /** Emits the open windows: as they are, or whole if other queries share them. */
    private void end(Running old, boolean joined) {
        long nowNs = lanes.completeFromNs();
        boolean alone = old.crowd.members().size() == 1;
        for (Activation activation : List.copyOf(old.result.activations())) {
            if (!old.query().reads().comesAsGpvs()) {
                activation.finishRows();
            } else if (joined) {
                // The successor answers windows whole that this one has not seen yet.
                activation.retire(Long.MIN_VALUE, Long.MIN_VALUE);
            } else if (alone) {
                old.crowd.detach();
            } else if (QueryShape.isTotals(old.query())) {
                activation.close();
            } else {
                long sizeNs = dependencies.emission(old).sizeNs();
                activation.retire(nowNs, nowNs + sizeNs);
            }
        }
    }

    /**
     * Ends a query in the same way as a replaced one: its open windows are still emitted. Its
     * readers stay, and wait.
     */
    void retire(String name) {
        Running old = byName.remove(name);
        if (old != null) {
            dependencies.disconnect(old);
            stage.retire(old.result);
            end(old, false);
        }
    }

    private void checkReplaceable(Running old, CompiledQuery code) {
        boolean sameColumns = old.query().columns().equals(code.query().columns());
        List<String> dependents = dependencies.dependents(old);
        if (!sameColumns && !dependents.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    "the columns of "
                            + old.name()
                            + " are used by "
                            + String.join(", ", dependents),
                    "keep its columns, or drop the queries that use them first");
        }
    }

    /** Drops a query. Waiting rows are not emitted. */
    void drop(String name) {
        Running running = byName.get(name);
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

    private void remove(Running running) {
        byName.remove(running.name());
        dependencies.disconnect(running);
        stage.remove(running.result);
    }

    /**
     * Ends all queries of a crowd whose groups outgrew the budget. Their readers stay, and wait.
     * Each pipeline may report it.
     */
    void fail(Crowd crowd) {
        if (!crowd.failsFirst()) {
            return;
        }
        for (Running running : new ArrayList<>(crowd.members())) {
            long bytes = running.query().budget().orElseThrow().memoryBytes();
            WeirException failure =
                    new WeirException(
                            ErrorCode.BUDGET_EXCEEDED,
                            "query "
                                    + running.name()
                                    + " has ended: its groups need more than its memory of "
                                    + bytes
                                    + " bytes",
                            "raise memory, or choose on_overflow = 'evict'");
            fail(running, failure);
        }
    }

    /**
     * Notes that there is no memory for rows of a query. It may have been replaced or dropped
     * since.
     */
    void unmade(ResultQuery result, Unmade window) {
        if (result.isReplaced()) {
            lost(result, window);
            return;
        }
        WeirException cause = window.why();
        for (Running running : List.copyOf(byName.values())) {
            if (running.result == result) {
                String why = "query " + running.name() + " has ended: " + cause.getMessage();
                WeirException told =
                        new WeirException(cause.code(), why, cause.hint().orElse(null));
                fail(running, told);
                return;
            }
        }
        stage.remove(result);
    }

    /**
     * Packets without a row are in no window of the successor either. So they have a page of their
     * own.
     */
    private void lost(ResultQuery replaced, Unmade window) {
        Stage page =
                lastWindows.computeIfAbsent(
                        replaced.name(), name -> lanes.account().stage("replaced:" + name));
        page.offered().add(window.packets());
        page.lost("no_memory").add(window.packets());
        Query query = replaced.code().query();
        listeners.forEach(listener -> listener.lost(query, window.packets(), window.why()));
    }

    private void fail(Running running, WeirException cause) {
        if (running.result.isReplaced()) {
            running.result.lose(cause);
            return;
        }
        running.result.failed();
        if (byName.get(running.name()) != running) {
            stage.remove(running.result); // it was dropped meanwhile
            return;
        }
        remove(running);
        listeners.forEach(listener -> listener.failed(running.query(), cause));
    }
}
