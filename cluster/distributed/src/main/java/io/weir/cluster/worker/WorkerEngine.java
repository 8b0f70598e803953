package io.weir.cluster.worker;

import io.weir.cluster.format.RowEncoder;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.merge.PartialRouting;
import io.weir.cluster.metrics.Timing;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.sink.OutputSink;
import io.weir.cluster.table.CatalogTables;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.ring.SourceThrottle;
import io.weir.operators.rows.RowSink;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Stopwatch;
import io.weir.operators.when.WhenState;
import io.weir.sql.QueryCompiler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A worker's engine and its outputs: rows go to the outbox, shared windows to the merge. One thread
 * at a time changes its queries.
 */
final class WorkerEngine {
    /**
     * The longest wait of packets, or a query, until Kafka has the report of this worker's begin.
     */
    static final long BEGIN_MS = 5_000;

    private final WorkerSettings settings;
    private final LocalEngine engine;
    private final Outboxes outboxes;
    private final OutputSink beside;
    private final RowFormats formats;
    private final RemoteWakes wakes;
    private final PartialSender partials;
    private final Optional<SettledThrottle> settled;
    private final CatalogTables tables;
    private final Timing compiling = new Timing();
    private final Timing attaching = new Timing();
    private volatile boolean begun;

    /**
     * @param beside also gets the rows that go to the outbox; it does not fail
     * @param settled the throttle of packets that wait for conditions
     */
    WorkerEngine(
            WorkerSettings settings,
            LocalEngine engine,
            Outboxes outboxes,
            RowFormats formats,
            OutputSink beside,
            RemoteWakes wakes,
            PartialSender partials,
            Optional<SettledThrottle> settled) {
        this.settled = settled;
        this.settings = settings;
        this.tables = new CatalogTables(settings.tables(), Clock.SYSTEM);
        this.engine = engine;
        this.outboxes = outboxes;
        this.formats = formats;
        this.beside = beside;
        this.wakes = wakes;
        this.partials = partials;
    }

    /**
     * Attaches a query. If this throws, no version of it is in the engine. The exception is
     * UNWRITABLE_OUTPUT: it is tried again soon, and the older version goes on.
     *
     * @param replaces whether an older version of it runs in the same way
     */
    void attach(Definition definition, RowsWay way, boolean replaces) {
        String name = definition.name();
        boolean waits = definition.query().when().isPresent() && !definition.paused();
        if (waits && !way.woken()) {
            outboxes.conditions().attached(definition, replaces, active -> resume(name, active));
        } else {
            outboxes.conditions().detached(name);
        }
        try {
            begin(definition, way, replaces);
        } catch (WeirException refused) {
            if (refused.code() != ErrorCode.UNWRITABLE_OUTPUT) {
                engine.retire(name);
                outboxes.told().detached(name);
            }
            throw refused;
        }
        if (way.woken() && waits) {
            wakes.attached(name, definition.version());
        } else {
            wakes.detached(name);
        }
    }

    private void begin(Definition definition, RowsWay way, boolean replaces) {
        Stopwatch attached = Stopwatch.started();
        CompiledQuery code = QueryCompiler.compile(definition.query(), settings.node().layouts());
        compiling.add(attached.ns());
        if (way.leaves()) {
            outboxes.told().leaves(definition);
            leave(code, definition, way, replaces);
        } else {
            partials.forget(definition.name());
            outboxes.told().attached(definition);
            stay(code, definition, way, replaces);
        }
        attaching.add(attached.ns());
    }

    /** Sends its windows to the merge. The windows of a refused query report what they lack. */
    private void leave(CompiledQuery code, Definition definition, RowsWay way, boolean replaces) {
        long version = definition.version();
        PartialExporter exporter = exporter(code, version);
        try {
            if (definition.paused()) {
                engine.pause(code, exporter, way.read());
            } else {
                leave(code, exporter, way, replaces);
            }
        } catch (WeirException refused) {
            String name = code.query().name();
            // The last windows of the earlier version have its counts until now.
            PartialExporter lacks = replaces ? partials.exporter(code, version) : exporter;
            engine.retire(name);
            engine.beforeResults(() -> lacks.failed(List.of()));
            wakes.refused(name);
            throw refused;
        }
    }

    private PartialExporter exporter(CompiledQuery code, long version) {
        boolean first = !partials.sends();
        PartialExporter exporter = partials.exporter(code, version);
        if (first && begun) {
            await(tellBegin(), BEGIN_MS);
        }
        return exporter;
    }

    private void leave(
            CompiledQuery code, PartialExporter exporter, RowsWay way, boolean replaces) {
        checkTables(code.query());
        if (way.woken()) {
            engine.addWoken(code, exporter, way.read());
        } else if (replaces) {
            engine.replace(code, exporter, way.read());
        } else {
            engine.add(code, exporter, way.read());
        }
    }

    /** Makes its rows here. */
    private void stay(CompiledQuery code, Definition definition, RowsWay way, boolean replaces) {
        Query query = code.query();
        checkTables(query);
        RowSink sink =
                SubQueryNames.isOne(query.name()) ? batch -> {} : sink(query, definition.version());
        if (definition.paused()) {
            engine.pause(code, sink);
        } else if (way.woken()) {
            engine.addWoken(code, sink);
        } else if (replaces) {
            engine.replace(code, sink);
        } else {
            engine.add(code, sink);
        }
    }

    /** Returns why it cannot look up a table of the query; empty if it can. */
    Optional<WeirException> lack(Query query) {
        return tables.lack(KernelCompiler.tables(query))
                .map(why -> new WeirException(ErrorCode.UNREADABLE_INPUT, why));
    }

    private void checkTables(Query query) {
        Optional<WeirException> lack = lack(query);
        if (lack.isPresent()) {
            throw lack.get();
        }
    }

    /** Returns the lookup tables of its queries, which its owner closes. */
    CatalogTables tables() {
        return tables;
    }

    private RowSink sink(Query query, long version) {
        RowEncoder rows = formats.encoder(query, Topics.results(query.name()));
        return both(new OutboxSink(query, version, outboxes.made(), rows, outboxes.clock()));
    }

    /**
     * Notes that packets come from now on. They wait until this worker's begin is in each shard
     * before all later messages. So no window with one of them is final before the merge waits for
     * this worker. If no query sends windows yet, the first such query waits before it counts. The
     * reader's thread.
     *
     * @param isKnown whether Kafka is there; otherwise packets do not wait for it
     */
    void begin(boolean isKnown) {
        // The merge always waits for a slice, which continues from its position.
        begun = settings.slice().isEmpty();
        if (begun) {
            CountDownLatch told = tellBegin();
            engine.throttle().settle();
            await(told, isKnown ? BEGIN_MS : 1);
        }
    }

    /**
     * Notes that no packet before this time will count. Earlier windows need not wait for this
     * worker.
     */
    void notBefore(long timeNs) {
        if (begun) {
            engine.beforeResults(() -> partials.passed(timeNs));
        }
    }

    /** Continues a query that rows of the last process have woken. */
    private void resume(String query, WhenState.Change active) {
        try {
            engine.resume(query, active);
        } catch (WeirException gone) {
            return; // dropped meanwhile, or refused
        }
    }

    /**
     * Does the same as {@link #begin} when the first packet's time is known. Queries that rows of
     * the last process have woken go on. Packets that it had read and that are in no row are
     * reported as lost.
     */
    void resume(long firstNs, boolean isKnown) throws InterruptedException {
        outboxes.begin(firstNs, isKnown ? BEGIN_MS : 0, this::lacks);
    }

    private void lacks(String query, long packets) {
        try {
            engine.lacks(query, packets);
        } catch (WeirException gone) {
            return; // dropped meanwhile, or refused
        }
    }

    private CountDownLatch tellBegin() {
        CountDownLatch told = new CountDownLatch(1);
        engine.beforeResults(
                () -> {
                    partials.begin();
                    told.countDown();
                });
        return told;
    }

    private void await(CountDownLatch told, long mostMs) {
        try {
            if (told.await(mostMs, TimeUnit.MILLISECONDS)) {
                outboxes.awaitPartialsSent(mostMs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sets, from this catalogue, where packets wait for conditions. */
    void follow(PartialRouting leaving) {
        settled.ifPresent(
                throttle -> {
                    List<Window> windows = leaving.awaited();
                    engine.beforeResults(() -> partials.tell(windows));
                    throttle.hold(windows);
                });
    }

    /** Returns the throttle of packets that come as fast as they are read. */
    SourceThrottle throttle() {
        return settled.isPresent() ? settled.get() : engine.throttle();
    }

    /** Returns the times of compiling kernels; a known shape takes almost none. */
    Timing compiling() {
        return compiling;
    }

    /** Returns the times of queries until they count. */
    Timing attaching() {
        return attaching;
    }

    private RowSink both(OutboxSink first) {
        return batch -> {
            first.rows(batch);
            beside.rows(batch);
        };
    }

    /**
     * Removes a query that the engine does not have. It is no longer wanted, so its losses are not
     * reported.
     */
    void forget(String name) {
        partials.forget(name);
    }

    /** Drops a query that the engine may have ended by itself just now. */
    void drop(String name) {
        wakes.detached(name);
        outboxes.conditions().detached(name);
        outboxes.told().detached(name);
        try {
            engine.drop(name);
        } catch (WeirException gone) {
            if (gone.code() != ErrorCode.UNKNOWN_QUERY) {
                throw gone;
            }
        }
        partials.forget(name);
        beside.dropped(name);
    }
}
