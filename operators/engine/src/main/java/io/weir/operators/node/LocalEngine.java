package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.result.RowlessWindow;
import io.weir.operators.result.SourceCounts;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.OwnPipelines;
import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.rows.RowSink;
import io.weir.operators.when.ActiveBinding;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * The embedded engine: rings, pipelines, results and triggers of one process, over one finite or
 * endless input.
 *
 * <pre>
 *   reader → BlockWriter → ring → pipeline (all states) → windows → merge, post → sinks
 *                                     ↑ attach                          ↓ rows
 *                                     └────────── triggers ←────────────┘
 * </pre>
 *
 * The reader's thread calls, in this order: {@link #add}, {@link #start}, writes through {@link
 * #writers} minding {@link #throttle}, with a {@link #poll} after each step, {@link #awaitEnd},
 * {@link #close}. Any thread may add, replace and drop queries at any time. With one ring the
 * reader's thread does all the work. Otherwise each pipeline has a thread, and the results have
 * one; or each reader of live packets runs the {@link #pipelines} of its rings. A failure on any
 * thread is thrown by the reader's next wait.
 */
public final class LocalEngine implements AutoCloseable {
    private static final RowSink NOBODY = batch -> {};

    private final EngineOptions options;
    private final Account account;
    private final NativeAllocator allocator;
    private final EngineRings rings;
    private final AttachedStates attached = new AttachedStates();
    private final ResultStage stage = new ResultStage(this::unmade);
    private final Failure failure = new Failure();
    private final ReplayBarrier barrier;
    private final PipelineRunner runner;
    private final ResultLoop results;
    private final Queries queries;
    private final Admission admission;
    private final List<WakeListener> listeners = new CopyOnWriteArrayList<>();
    private SourceThrottle throttle;

    /**
     * @param account gets the pages of this engine's stages
     */
    public LocalEngine(EngineOptions options, Account account) {
        this(options, account, Optional.empty());
    }

    /**
     * @param counts of the source, if it counts its packets by their times; rows then report late
     *     packets
     */
    public LocalEngine(EngineOptions options, Account account, Optional<SourceCounts> counts) {
        this.options = options;
        this.account = account;
        this.allocator = new NativeAllocator(options.bounds().memoryBytes());
        this.barrier = new ReplayBarrier(options.delayNs());
        ThreadOptions threads = options.threads();
        rings = new EngineRings(options, allocator, account, failure);
        results = new ResultLoop(stage, rings.pipelines, rings.queues, barrier);
        runner =
                options.isInline()
                        ? new InlineRunner(rings, results, stage::accept, threads)
                        : new ThreadedRunner(rings, results, threads, failure);
        rings.writtenFor(runner);
        EngineContext context =
                new EngineContext(
                        options,
                        allocator,
                        allocator.upTo(options.statesBytes()),
                        account,
                        rings.pipelines,
                        runner,
                        stage::accept,
                        attached,
                        new WrittenSpan(rings.writers),
                        counts,
                        results::first);
        queries = new Queries(context, stage, barrier, listeners);
        admission = new Admission(options, queries, results.lock());
    }

    private void unmade(ResultQuery query, RowlessWindow window) {
        queries.unmade(query, window);
    }

    /**
     * Adds a query, after all that it reads or waits for. Before {@link #start} it counts all
     * packets. While packets flow it counts from the next block on, and its rows say so in
     * active_from. If other queries count the same already, it shares their groups, and its first
     * window is whole. Returns when the query is attached. If packets are live, its kernel was
     * warmed up before.
     *
     * <p>Any thread, but not from a sink or a listener.
     *
     * @param sink gets its rows; a sink that does nothing is possible
     * @throws WeirException UNKNOWN_STREAM, DUPLICATE_QUERY, NOT_SUPPORTED, OUT_OF_NATIVE_MEMORY
     */
    public void add(CompiledQuery code, RowSink sink) {
        admission.add(code, sink, RunningQuery.Way.STAYS);
    }

    /** As the other. If the query is a keyed table, a sink gets all its rows after a change. */
    public void add(CompiledQuery code, RowSink sink, RowSink table) {
        admission.add(code, sink, table);
    }

    /** As the other, with a sink for all rows of a table. */
    public void replace(CompiledQuery code, RowSink sink, RowSink table) {
        admission.replace(code, sink, table);
    }

    /**
     * Does the same as {@link #add} for a query whose windows are merged in another process. No
     * rows are made here.
     *
     * @param readElsewhere whether queries and conditions read its rows where they are made
     */
    public void add(CompiledQuery code, PartialExporter exporter, boolean readElsewhere) {
        admission.add(code, NOBODY, new RunningQuery.Way(exporter, readElsewhere, false, false));
    }

    /**
     * Replaces a query by a new version, between two blocks of each pipeline. No packet is missed,
     * and none is counted by both. The old version's open windows are emitted as they are, or whole
     * if other queries share them. The new version's windows show active_from. Readers of the query
     * continue with the new version, whose columns must then be the same.
     *
     * <p>If no query of the name is running, this is {@link #add}. If this throws, the old version
     * goes on unchanged.
     */
    public void replace(CompiledQuery code, RowSink sink) {
        admission.replace(code, sink, RunningQuery.Way.STAYS);
    }

    /** Does the same if windows are merged in another process, as the old version's must be. */
    public void replace(CompiledQuery code, PartialExporter exporter, boolean readElsewhere) {
        admission.replace(
                code, NOBODY, new RunningQuery.Way(exporter, readElsewhere, false, false));
    }

    /**
     * Pauses a query, as if a version that counts nothing replaced it: its open windows are
     * emitted, and it is on no pipeline any more. Its readers stay. {@link #replace} lets it count
     * again. If no query of the name is running, a paused one is added.
     */
    public void pause(CompiledQuery code, RowSink sink) {
        admission.replace(code, sink, RunningQuery.Way.PAUSED);
    }

    /** Does the same if windows are merged in another process. */
    public void pause(CompiledQuery code, PartialExporter exporter, boolean readElsewhere) {
        admission.replace(code, NOBODY, new RunningQuery.Way(exporter, readElsewhere, false, true));
    }

    /** Does the same for a query with WHEN that only {@link #report} wakes. */
    public void addWoken(CompiledQuery code, RowSink sink) {
        admission.add(code, sink, new RunningQuery.Way(null, false, true, false));
    }

    /** Does the same for a query whose windows are merged in another process. */
    public void addWoken(CompiledQuery code, PartialExporter exporter, boolean readElsewhere) {
        admission.add(code, NOBODY, new RunningQuery.Way(exporter, readElsewhere, true, false));
    }

    /**
     * Tests the rows of a query, from its next row on, for a query that runs elsewhere.
     *
     * @param when of the query that waits
     * @param state of that query, moved on the thread of the results; for {@link #beforeResults}
     * @throws WeirException UNKNOWN_STREAM
     */
    public void watch(When when, WhenState state, WhenTester.Listener listener) {
        admission.watch(when, state, listener);
    }

    /**
     * Gives all rows of a keyed table to a sink at each change of the table, and so at the end.
     * Before {@link #start}.
     *
     * @throws WeirException UNKNOWN_STREAM
     */
    public void readTable(String query, RowSink sink) {
        admission.readTable(query, sink);
    }

    /**
     * Ends a query that no other reads or waits for, between two blocks. Waiting rows are not
     * emitted. Any thread, but not from a sink or a listener.
     *
     * @throws WeirException UNKNOWN_QUERY, INVALID_QUERY
     */
    public void drop(String name) {
        admission.drop(name);
    }

    /**
     * Ends a query, if there is one of that name, as {@link #replace} ends an old version. Its open
     * windows are emitted as they are, or whole if other queries share them. Its readers and
     * dependents stay, and get nothing more. Any thread, but not from a sink or a listener.
     */
    public void retire(String name) {
        admission.retire(name);
    }

    /** Adds a listener for queries that wake and end; before {@link #start}. */
    public void addListener(WakeListener listener) {
        listeners.add(listener);
    }

    /**
     * Adds a listener that is called after each turn of the results, before {@link #start}. It gets
     * the time up to which ended windows were emitted or sent; {@link Long#MAX_VALUE} at the end.
     */
    public void addPassListener(LongConsumer listener) {
        results.addPassListener(listener);
    }

    /**
     * Sets a test that must return true for an activation's end before the activation ends. It
     * returns true when other processes have tested all rows that act by then, and their effects
     * were reported here. The results stop before such an end, and {@link SourceThrottle#settle}
     * returns there; its caller waits and calls it again. Before {@link #start}. The test runs in
     * turns of the results and must not wait.
     */
    public void awaitElsewhere(LongPredicate tested) {
        stage.awaitElsewhere(tested);
    }

    /** Runs an action on the results' thread, before any row that comes later. Any thread. */
    public void beforeResults(Runnable action) {
        results.first(action);
    }

    /**
     * Wakes a query, or moves the end of its latest activation, because of a row from another
     * process. The query counts packets from the change's begin on and before its end. A repeated
     * call changes nothing. Any thread, but not from a sink or a listener.
     *
     * @throws WeirException UNKNOWN_STREAM, INVALID_QUERY for a query without WHEN
     */
    public void report(String query, WhenState.Change told) {
        admission.report(query, told);
    }

    /**
     * Continues a query with a condition that is tested here, from rows that a predecessor tested.
     * It counts packets in that activation; the next row renews or ends it. After {@link #start}
     * and before the first block; of several activations the earliest first.
     *
     * @throws WeirException UNKNOWN_STREAM, INVALID_QUERY for a query without WHEN
     */
    public void resume(String query, WhenState.Change activation) {
        admission.resume(query, activation);
    }

    /**
     * Adds losses to a query without WHEN: packets that a predecessor had read. After {@link
     * #start}.
     *
     * @throws WeirException UNKNOWN_STREAM
     */
    public void lacks(String query, long packets) {
        admission.lacks(query, packets);
    }

    /** Starts everything. Queries with WHEN sleep. */
    public void start() {
        admission.start();
        throttle =
                options.live()
                        ? new LiveThrottle(this::settle)
                        : new EngineThrottle(this::settle, results, barrier.atNs(Long.MIN_VALUE));
        runner.start();
    }

    /**
     * Runs the pipeline over the blocks that were published since the last call, if the reader's
     * thread runs the pipeline. The reader calls this after each step of its source, or after a few
     * blocks; the ring must not be full. Throws the failure of any thread.
     */
    public void poll() {
        runner.poll();
    }

    /** Returns the pipelines behind a reader's rings. If they have no threads, it runs them. */
    public OwnPipelines pipelines(List<BlockWriter> own) {
        return runner.own(rings.writers.indexOf(own.get(0)), own.size());
    }

    /** States end between blocks, and their rows may end other states. */
    private void settle() {
        do {
            runner.drain();
        } while (results.isHeld());
    }

    /** Returns the writers, one for each ring. Partition i has those from i · pipelines on. */
    public List<BlockWriter> writers() {
        return List.copyOf(rings.writers);
    }

    /**
     * Adds a ring for a reader of live packets, with a pipeline and its thread. A query with a
     * budget gets one share more. Any thread, but not from a sink or a listener.
     *
     * @throws WeirException OUT_OF_NATIVE_MEMORY, and nothing is added
     */
    public BlockWriter addRing() {
        admission.reshape(all -> rings.widen(all, results.passedNs(), runner));
        return rings.writers.get(rings.writers.size() - 1);
    }

    public SourceThrottle throttle() {
        return throttle;
    }

    public Account account() {
        return account;
    }

    /** Returns the packets that queries have had, and those lost on the way. Any thread. */
    public long packets() {
        return rings.pipelines.stream().mapToLong(Pipeline::packets).sum();
    }

    /** Returns the number of states on pipelines. Queries can share one. Any thread. */
    public int attachedStates() {
        return attached.size();
    }

    /**
     * Returns the native memory of open windows by query. A shared state counts for its first
     * query. The value is from after the last call. A call costs packets nothing. Any thread.
     */
    public Map<String, Long> stateBytes() {
        return attached.bytes();
    }

    /** Returns the work of each query so far. Any thread. */
    public List<QueryCost> costs() {
        return admission.costs();
    }

    /** Returns the bindings that count now; at the end, those of the latest row. Any thread. */
    public List<ActiveBinding> bindings() {
        return admission.bindings(stage::settledNs);
    }

    public NativeAllocator allocator() {
        return allocator;
    }

    /**
     * Ends the writers that have not ended, and waits for the last rows. Throws the failure of any
     * thread.
     */
    public void awaitEnd() {
        rings.writers.forEach(BlockWriter::end);
        runner.awaitEnd();
    }

    /** Stops everything and frees it, at the end or in the middle of the input. */
    @Override
    public void close() {
        runner.close();
        results.lock().lock();
        try {
            if (admission.close()) {
                rings.queues.forEach(WindowQueue::clear);
                stage.close();
                attached.discard();
                rings.close();
            }
        } finally {
            results.lock().unlock();
        }
    }
}
