package io.weir.operators.node;

import io.weir.operators.account.Account;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.pipeline.Pace;
import io.weir.operators.pipeline.Pipeline;
import io.weir.operators.result.QueryShape;
import io.weir.operators.result.ResultQuery;
import io.weir.operators.result.ResultStage;
import io.weir.operators.result.RowSink;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.trigger.Trigger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

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
 * Use: {@link #add} all queries, {@link #start}, write through {@link #writers} minding {@link
 * #pace}, {@link #awaitEnd}, {@link #close}; all on one thread, the reader's. With one ring that
 * thread does all the work; else each pipeline has a thread, and the results have one. What fails
 * on any thread is thrown by the reader's next wait.
 */
public final class LocalEngine implements AutoCloseable {
    private final EngineOptions options;
    private final Account account;
    private final NativeAllocator allocator;
    private final List<BlockRing> rings = new ArrayList<>();
    private final List<Pipeline> pipelines = new ArrayList<>();
    private final List<BlockWriter> writers = new ArrayList<>();
    private final List<WindowQueue> queues = new ArrayList<>();
    private final List<Handover> handovers = new ArrayList<>();
    private final ResultStage stage = new ResultStage();
    private final Failure failure = new Failure();
    private final Hold hold;
    private final Crew crew;
    private final ResultLoop results;
    private final Map<String, ResultQuery> queries = new LinkedHashMap<>();
    private final Map<String, Activator> activators = new LinkedHashMap<>();
    private final List<WakeListener> listeners = new CopyOnWriteArrayList<>();
    private EnginePace pace;
    private boolean closed;

    /**
     * @param account gets the pages of this engine's stages
     */
    public LocalEngine(EngineOptions options, Account account) {
        this.options = options;
        this.account = account;
        this.allocator = new NativeAllocator(options.memoryBytes());
        this.hold = new Hold(options.delayNs());
        boolean inline = options.rings() == 1;
        for (int p = 0; p < options.rings(); p++) {
            BlockRing ring = new BlockRing(allocator, options.ringBytes());
            rings.add(ring);
            pipelines.add(new Pipeline(ring, account, true));
            if (!inline) {
                queues.add(new WindowQueue(idle(), failure));
            }
        }
        results = new ResultLoop(stage, pipelines, queues, hold);
        crew =
                inline
                        ? new InlineCrew(pipelines.get(0), results, stage::accept)
                        : new ThreadCrew(
                                pipelines, writers, queues, results, LocalEngine::idle, failure);
        for (int p = 0; p < options.rings(); p++) {
            handovers.add(crew.handover(p));
            writers.add(
                    new BlockWriter(
                            rings.get(p),
                            p / options.pipelines(),
                            options.blockBytes(),
                            crew.backpressure(p)));
        }
    }

    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(50, 10, 1_000, 100_000);
    }

    /**
     * Adds a query, after all that it reads or waits for, before {@link #start}.
     *
     * @param sink gets its rows; a query whose rows nobody wants has a sink that does nothing
     * @throws WeirException UNKNOWN_STREAM, DUPLICATE_QUERY
     */
    public void add(CompiledQuery code, RowSink sink) {
        Query query = code.query();
        if (queries.containsKey(query.name())) {
            throw new WeirException(
                    ErrorCode.DUPLICATE_QUERY, "a query " + query.name() + " is running");
        }
        ResultQuery added = new ResultQuery(code);
        added.addSink(sink);
        if (!query.readsPackets()) {
            running(query.scan().stream()).addReader(added.asReader());
        }
        Activator activator =
                new Activator(
                        added, options, allocator, account, pipelines, handovers, stage::accept);
        query.when().ifPresent(when -> addTrigger(query, when, activator));
        queries.put(query.name(), added);
        activators.put(query.name(), activator);
        stage.add(added);
    }

    private void addTrigger(Query query, When when, Activator activator) {
        ResultQuery upstream = running(when.upstream());
        RowPredicate condition = upstream.code().predicate(when.condition());
        RowPredicate until = when.until().map(upstream.code()::predicate).orElse(null);
        Trigger trigger =
                new Trigger(
                        condition,
                        until,
                        when.forNs().orElse(0L),
                        options.delayNs(),
                        new Waker(query, activator, listeners));
        upstream.addReader(trigger);
        Query read = upstream.code().query();
        hold.add(upstream, QueryShape.emission(read, options.tickNs()), trigger);
    }

    private ResultQuery running(String name) {
        ResultQuery query = queries.get(name);
        if (query == null) {
            throw new WeirException(ErrorCode.UNKNOWN_STREAM, "no query " + name + " is running");
        }
        return query;
    }

    /** To be told when queries wake and end; before {@link #start}. */
    public void addListener(WakeListener listener) {
        listeners.add(listener);
    }

    /** Sets everything going; queries with WHEN sleep. */
    public void start() {
        queries.forEach(
                (name, query) -> {
                    if (query.code().query().when().isEmpty()) {
                        activators.get(name).activate(new Gate());
                    }
                });
        pace = new EnginePace(crew::drain, results, hold.atNs(Long.MIN_VALUE));
        crew.start();
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
        if (!closed) {
            closed = true;
            crew.close();
            queues.forEach(WindowQueue::clear);
            stage.close();
            activators.values().forEach(Activator::discard);
            rings.forEach(BlockRing::close);
        }
    }
}
