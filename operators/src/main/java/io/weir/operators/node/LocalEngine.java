package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pace;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.Departure;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.result.RowSink;
import io.weir.operators.result.SourceCounts;
import io.weir.operators.result.Unmade;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.trigger.Trigger;
import io.weir.operators.trigger.TriggerListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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
 * Use: {@link #add} queries, {@link #start}, write through {@link #writers} minding {@link #pace},
 * {@link #awaitEnd}, {@link #close}; all on one thread, the reader's. Queries are added, replaced
 * and dropped by any thread, from the beginning to the end. With one ring the reader's thread does
 * all the work; else each pipeline has a thread, and the results have one. What fails on any thread
 * is thrown by the reader's next wait.
 */
public final class LocalEngine implements AutoCloseable {
    private static final RowSink NOBODY = batch -> {};

    private final EngineOptions options;
    private final Account account;
    private final NativeAllocator allocator;
    private final List<BlockRing> rings = new ArrayList<>();
    private final List<Pipeline> pipelines = new ArrayList<>();
    private final List<BlockWriter> writers = new ArrayList<>();
    private final List<WindowQueue> queues = new ArrayList<>();
    private final List<Handover> handovers = new ArrayList<>();
    private final Set<AttachedQuery> attached = ConcurrentHashMap.newKeySet();
    private final ResultStage stage = new ResultStage(this::unmade);
    private final Failure failure = new Failure();
    private final Hold hold;
    private final Crew crew;
    private final ResultLoop results;
    private final Queries queries;
    private final Admission admission;
    private final List<WakeListener> listeners = new CopyOnWriteArrayList<>();
    private Pace pace;

    /**
     * @param account gets the pages of this engine's stages
     */
    public LocalEngine(EngineOptions options, Account account) {
        this(options, account, Optional.empty());
    }

    /**
     * @param counts of the source, where it counts its packets by their times: then rows tell of
     *     those that are late
     */
    public LocalEngine(EngineOptions options, Account account, Optional<SourceCounts> counts) {
        this.options = options;
        this.account = account;
        this.allocator = new NativeAllocator(options.bounds().memoryBytes());
        this.hold = new Hold(options.delayNs());
        ThreadOptions threads = options.threads();
        boolean inline = options.rings() == 1 && !threads.resultsThread();
        for (int p = 0; p < options.rings(); p++) {
            BlockRing ring = new BlockRing(allocator, options.bounds().ringBytes());
            rings.add(ring);
            pipelines.add(new Pipeline(ring, account));
            if (!inline) {
                queues.add(new WindowQueue(threads.idle().strategy(), failure));
            }
        }
        results = new ResultLoop(stage, pipelines, queues, hold);
        crew =
                inline
                        ? new InlineCrew(pipelines.get(0), results, stage::accept, threads)
                        : new ThreadCrew(pipelines, writers, queues, results, threads, failure);
        for (int p = 0; p < options.rings(); p++) {
            handovers.add(crew.handover(p));
            writers.add(
                    new BlockWriter(
                            rings.get(p),
                            p / options.pipelines(),
                            options.bounds().blockBytes(),
                            crew.backpressure(p)));
        }
        Lanes lanes =
                new Lanes(
                        options,
                        allocator,
                        allocator.upTo(options.statesBytes()),
                        account,
                        pipelines,
                        handovers,
                        crew::resultsTurn,
                        stage::accept,
                        attached,
                        new WrittenSpan(writers),
                        counts,
                        this::overflowed);
        queries = new Queries(lanes, stage, hold, listeners);
        admission = new Admission(options, queries, results.lock());
    }

    private void unmade(ResultQuery query, Unmade window) {
        queries.unmade(query, window);
    }

    private void overflowed(Crowd crowd) {
        results.first(() -> queries.fail(crowd));
    }

    /**
     * Adds a query, after all that it reads or waits for: before {@link #start}, or while packets
     * flow. Then it counts from the next block on, and its rows say so in active_from; if others
     * count the same already, it shares their groups, and its first window is whole. Returns when
     * it is attached: after its kernel was warmed up, where packets wait for nobody.
     *
     * <p>Any thread, but not from a sink or a listener.
     *
     * @param sink gets its rows; a query whose rows nobody wants has a sink that does nothing
     * @throws WeirException UNKNOWN_STREAM, DUPLICATE_QUERY, NOT_SUPPORTED, OUT_OF_NATIVE_MEMORY
     */
    public void add(CompiledQuery code, RowSink sink) {
        admission.add(code, sink, Prepared.Way.STAYS);
    }

    /**
     * As {@link #add}, of a query whose windows go elsewhere to be merged with others': no rows are
     * made of them here.
     *
     * @param readElsewhere whether queries and conditions read its rows where they are made
     */
    public void add(CompiledQuery code, Departure departure, boolean readElsewhere) {
        admission.add(code, NOBODY, new Prepared.Way(departure, readElsewhere, false));
    }

    /**
     * Puts a new version of a query in place of the old one, between two blocks of each pipeline:
     * no packet is missed, and none counted by both. The old version's open windows are emitted as
     * they are then, or whole where others share them; the new version's say active_from. What
     * reads the query goes on with the new version; its columns must then be the same.
     *
     * <p>As {@link #add}; where no query of the name is running, it is that. Where this throws, the
     * old version goes on as if nothing had been asked for.
     */
    public void replace(CompiledQuery code, RowSink sink) {
        admission.replace(code, sink, Prepared.Way.STAYS);
    }

    /** As {@link #replace}, of one whose windows go elsewhere, as the old version's must have. */
    public void replace(CompiledQuery code, Departure departure, boolean readElsewhere) {
        admission.replace(code, NOBODY, new Prepared.Way(departure, readElsewhere, false));
    }

    /**
     * As {@link #add}, of a query with WHEN whose condition is tested elsewhere: {@link #wake}
     * alone wakes it.
     */
    public void addWoken(CompiledQuery code, RowSink sink) {
        admission.add(code, sink, new Prepared.Way(null, false, true));
    }

    /** The same of a query whose windows go elsewhere, as of {@link #add}. */
    public void addWoken(CompiledQuery code, Departure departure, boolean readElsewhere) {
        admission.add(code, NOBODY, new Prepared.Way(departure, readElsewhere, true));
    }

    /**
     * Has the rows of a query tested for one that runs elsewhere, from its next row on.
     *
     * @param when of the query that waits
     * @return what tests them, on the thread of the results; for {@link #beforeResults}
     * @throws WeirException UNKNOWN_STREAM
     */
    public Trigger watch(When when, TriggerListener listener) {
        return admission.watch(when, listener);
    }

    /**
     * Gives all rows of a keyed table to a sink whenever it has changed, and so at the end. Before
     * {@link #start}.
     *
     * @throws WeirException UNKNOWN_STREAM
     */
    public void readTable(String query, RowSink sink) {
        admission.readTable(query, sink);
    }

    /**
     * Ends a query that no other reads or waits for, between two blocks; rows that wait are not
     * emitted. Any thread, but not from a sink or a listener.
     *
     * @throws WeirException UNKNOWN_QUERY, INVALID_QUERY
     */
    public void drop(String name) {
        admission.drop(name);
    }

    /**
     * Ends a query, if there is one of that name, as {@link #replace} ends an old version: its open
     * windows are emitted as they are then, or whole where others share them. What reads it or
     * waits for it stays, and nothing comes. Any thread, but not from a sink or a listener.
     */
    public void retire(String name) {
        admission.retire(name);
    }

    /** To be told when queries wake and end; before {@link #start}. */
    public void addListener(WakeListener listener) {
        listeners.add(listener);
    }

    /**
     * To be told, after each turn of the results, up to which time all that has ended was emitted,
     * or has left; {@link Long#MAX_VALUE} at the end. Before {@link #start}.
     */
    public void addPassListener(LongConsumer listener) {
        results.addPassListener(listener);
    }

    /**
     * Activations end only when this says of their end that all rows elsewhere have been tested
     * that act by then, and what these have moved was told here. Results stop before such an end,
     * and {@link Pace#settle} returns there: who calls it waits, and calls it again. Before {@link
     * #start}; it is asked in turns of the results, and must not wait.
     */
    public void awaitElsewhere(LongPredicate tested) {
        stage.awaitElsewhere(tested);
    }

    /**
     * Something for the thread of the results to do, before what they emit after that: at once, or
     * when {@link Pace#settle} is called. Any thread.
     */
    public void beforeResults(Runnable action) {
        results.first(action);
    }

    /**
     * A query's condition was met by a row that was made elsewhere: it counts packets from then on
     * and before {@code untilNs}. What was said before changes nothing. Any thread, but not from a
     * sink or a listener.
     *
     * @throws WeirException UNKNOWN_STREAM, INVALID_QUERY for a query without WHEN
     */
    public void wake(String query, long fromNs, long untilNs) {
        admission.wake(query, fromNs, untilNs);
    }

    /**
     * A query whose condition is tested here goes on where rows have left it that were tested
     * before this engine began: it counts packets from then on and before {@code untilNs}, and the
     * next row renews or ends that. After {@link #start} and before the first block; of several
     * activations the earliest first.
     *
     * @throws WeirException UNKNOWN_STREAM, INVALID_QUERY for a query without WHEN
     */
    public void resume(String query, long fromNs, long untilNs) {
        admission.resume(query, fromNs, untilNs);
    }

    /**
     * A query without WHEN lacks packets that another engine had read in whose place this one is:
     * its next rows tell them as lost. After {@link #start}.
     *
     * @throws WeirException UNKNOWN_STREAM
     */
    public void lacks(String query, long packets) {
        admission.lacks(query, packets);
    }

    /** The latest activation ends then, as {@link #wake} has it. */
    public void until(String query, long fromNs, long untilNs) {
        admission.until(query, fromNs, untilNs);
    }

    /** Sets everything going; queries with WHEN sleep. */
    public void start() {
        admission.start();
        pace =
                options.live()
                        ? new LivePace(this::settle)
                        : new EnginePace(this::settle, results, hold.atNs(Long.MIN_VALUE));
        crew.start();
    }

    /** States end between blocks, and what they had may end others'. */
    private void settle() {
        do {
            crew.drain();
        } while (results.isHeld());
    }

    /** One for each ring: those of partition i are at i · pipelines and after. */
    public List<BlockWriter> writers() {
        return List.copyOf(writers);
    }

    /** After {@link #start}. */
    public Pace pace() {
        return pace;
    }

    public Account account() {
        return account;
    }

    /** What queries were given so far, and what was lost before them. Any thread. */
    public long packets() {
        return pipelines.stream().mapToLong(Pipeline::packets).sum();
    }

    /** States on pipelines: with sharing fewer than queries times pipelines. Any thread. */
    public int attachedStates() {
        return attached.size();
    }

    /**
     * Native memory of open windows, by query; where several share them, by the first. It is from
     * after the last call, and asking costs packets nothing. Any thread.
     */
    public Map<String, Long> stateBytes() {
        Map<String, Long> bytes = new TreeMap<>();
        attached.forEach(state -> bytes.merge(state.query(), state.bytes(), Long::sum));
        return bytes;
    }

    public NativeAllocator allocator() {
        return allocator;
    }

    /**
     * Ends the writers that were not, and waits for the last rows; throws what went wrong on any
     * thread.
     */
    public void awaitEnd() {
        writers.forEach(BlockWriter::end);
        crew.awaitEnd();
    }

    /** Stops everything and frees it, at the end or in the middle of the input. */
    @Override
    public void close() {
        crew.close();
        results.lock().lock();
        try {
            if (admission.close()) {
                queues.forEach(WindowQueue::clear);
                stage.close();
                List.copyOf(attached).forEach(AttachedQuery::discard);
                rings.forEach(BlockRing::close);
            }
        } finally {
            results.lock().unlock();
        }
    }
}
