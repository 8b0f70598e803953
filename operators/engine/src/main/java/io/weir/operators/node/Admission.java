package io.weir.operators.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.kernel.WarmUp;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.TableReader;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.ActiveBinding;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Adds, alters and drops queries while packets flow. Slow work is done first and without a lock:
 * budgets are checked, kernels are warmed up. The change itself comes between two turns of the
 * results. Any thread, but not from a sink or a listener.
 */
final class Admission {
    /** The longest wait for the results when somebody asks for costs. */
    private static final long COSTS_MS = 50;

    private final EngineOptions options;
    private final Queries queries;
    private final ReentrantLock lock;
    private final AtomicReference<List<QueryCost>> costs = new AtomicReference<>(List.of());
    private boolean closed;

    /**
     * @param lock the results thread holds it in each turn
     */
    Admission(EngineOptions options, Queries queries, ReentrantLock lock) {
        this.options = options;
        this.queries = queries;
        this.lock = lock;
    }

    void add(CompiledQuery code, RowSink sink, RunningQuery.Way way) {
        change(code, sink, way, queries::add);
    }

    void replace(CompiledQuery code, RowSink sink, RunningQuery.Way way) {
        change(code, sink, way, queries::replace);
    }

    /** Adds a query. Its table's reader is there before its first row. */
    void add(CompiledQuery code, RowSink sink, RowSink table) {
        change(
                code,
                sink,
                RunningQuery.Way.STAYS,
                prepared -> withTable(prepared, queries::add, table));
    }

    void replace(CompiledQuery code, RowSink sink, RowSink table) {
        change(
                code,
                sink,
                RunningQuery.Way.STAYS,
                prepared -> withTable(prepared, queries::replace, table));
    }

    private void withTable(RunningQuery prepared, Consumer<RunningQuery> how, RowSink table) {
        how.accept(prepared);
        Query query = prepared.query();
        if (query.isTable()) {
            queries.running(query.name()).result.addTableReader(TableReader.of(table));
        }
    }

    private void change(
            CompiledQuery code, RowSink sink, RunningQuery.Way way, Consumer<RunningQuery> how) {
        boolean changed = false;
        while (!changed) {
            RunningQuery prepared = prepare(code, sink, way);
            changed =
                    locked(
                            () -> {
                                boolean fits = queries.fits(prepared);
                                if (fits) {
                                    how.accept(prepared);
                                }
                                return fits;
                            });
        }
    }

    private RunningQuery prepare(CompiledQuery code, RowSink sink, RunningQuery.Way way) {
        Query query = code.query();
        query.budget().ifPresent(budget -> checkBudget(budget, code));
        List<String> names =
                query.when()
                        .filter(when -> !way.wokenElsewhere())
                        .map(When::upstreams)
                        .orElse(List.of());
        List<RunningQuery> upstreams = locked(() -> names.stream().map(queries::running).toList());
        boolean leaves = way.exporter() != null;
        boolean joins = !way.paused() && locked(queries::isStarted);
        SharedState sharedState =
                joins ? locked(() -> queries.sharedStateFor(query, leaves)) : null;
        if (way.paused()) {
            return new RunningQuery(code, sink, way, null, upstreams);
        } else if (query.reads().isOfQuery()) {
            prepareRows(code);
        } else if (sharedState == null && (options.live() || locked(queries::isStarted))) {
            WarmUp.run(code, tickNs(query));
        }
        return new RunningQuery(code, sink, way, sharedState, upstreams);
    }

    /** Compiles the kernels for the rows that it will read. */
    private void prepareRows(CompiledQuery code) {
        Operator.Scan scan = code.query().scan();
        if (scan.join().isPresent()) {
            code.prepareFor(code.combinedLayout());
        }
        for (String name : scan.queries()) {
            CompiledQuery read = locked(() -> queries.running(name)).code;
            if (scan.join().isEmpty()) {
                code.prepareFor(read.rowLayout());
            }
        }
    }

    private void checkBudget(Budget budget, CompiledQuery code) {
        StateOptions state =
                new StateOptions(budget.memoryBytes(), tickNs(code.query()), options.delayNs());
        long least = Math.max(Budget.LEAST_BYTES, code.leastStateBytes(state));
        if (budget.memoryBytes() / options.rings() < least) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    budget + ", is too little for " + options.rings() + " pipelines",
                    "at least " + least + " bytes each");
        }
    }

    /** Returns the ticks of the state that will run at each packet. */
    private long tickNs(Query query) {
        return QueryShape.isTotals(query) && !options.finalTotals() ? QueryShape.TICK_NS : 0;
    }

    void drop(String name) {
        change(() -> queries.drop(name));
    }

    void retire(String name) {
        change(() -> queries.retire(name));
    }

    void watch(When when, WhenState state, WhenTester.Listener listener) {
        List<RunningQuery> upstreams =
                locked(() -> when.upstreams().stream().map(queries::running).toList());
        List<CompiledQuery> codes = RunningQuery.codes(upstreams);
        WhenTester.Conditions conditions = WhenTester.Conditions.of(when, codes);
        WhenTester test = new WhenTester(conditions, options.delayNs(), state, listener);
        change(() -> queries.watch(when, codes, test));
    }

    void readTable(String query, RowSink sink) {
        change(() -> queries.running(query).result.addTableReader(TableReader.of(sink)));
    }

    void report(String query, WhenState.Change told) {
        change(() -> queries.triggered(query).report(told));
    }

    void resume(String query, WhenState.Change activation) {
        change(() -> queries.triggered(query).resume(activation));
    }

    void lacks(String query, long packets) {
        change(
                () ->
                        queries.running(query)
                                .result
                                .activations()
                                .forEach(one -> one.resume(one.untold() + packets)));
    }

    List<ActiveBinding> bindings(LongSupplier time) {
        return locked(() -> queries.bindings(time.getAsLong()));
    }

    /**
     * Returns the work of each query so far. It is the answer of the last time if the engine is
     * closed, or if the results hold the lock: nobody waits long for figures.
     */
    List<QueryCost> costs() {
        boolean free = isFreeSoon();
        try {
            if (free && !closed) {
                costs.set(queries.costs());
            }
            return costs.get();
        } finally {
            if (free) {
                lock.unlock();
            }
        }
    }

    private boolean isFreeSoon() {
        try {
            return lock.tryLock(COSTS_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void start() {
        change(() -> queries.start(this::warmUp));
    }

    /**
     * Warms up the code of several queries that share a state. {@link #add} has not seen that code.
     */
    private void warmUp(SharedState sharedState) {
        if (options.live() && sharedState.isShared()) {
            WarmUp.run(sharedState.code(), tickNs(sharedState.code().query()));
        }
    }

    /** Runs a change of the engine's shape between two turns of the results. */
    void reshape(Consumer<Queries> action) {
        change(() -> action.accept(queries));
    }

    /** Forbids changes from now on. Returns whether they were possible before. */
    boolean close() {
        lock.lock();
        try {
            boolean open = !closed;
            closed = true;
            return open;
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable action) {
        locked(
                () -> {
                    action.run();
                    return true;
                });
    }

    private <T> T locked(Supplier<T> action) {
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("queries do not change from a sink or a listener");
        }
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the engine is closed");
            }
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
