package io.weir.cluster.worker;

import io.weir.cluster.format.RowEncoder;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.merge.Leaving;
import io.weir.cluster.metrics.Timing;
import io.weir.cluster.sink.OutputSink;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.merge.PartialSender;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.pipeline.Pace;
import io.weir.operators.result.Departure;
import io.weir.operators.result.RowSink;
import io.weir.sql.QueryCompiler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A worker's engine, and where what it counts goes: rows to the outbox, windows that others have
 * parts of to the merge. One thread at a time changes its queries.
 */
final class WorkerEngine {
    /** So long packets, or a query, wait until Kafka has that there is one more worker. */
    static final long BEGIN_MS = 5_000;

    private final WorkerSettings settings;
    private final LocalEngine engine;
    private final Outboxes outboxes;
    private final OutputSink beside;
    private final RowFormats formats;
    private final RemoteWakes wakes;
    private final PartialSender partials;
    private final Optional<SettledPace> settled;
    private final Timing compiling = new Timing();
    private final Timing attaching = new Timing();
    private volatile boolean begun;

    /**
     * @param beside gets the rows that go to the outbox, too; it does not fail
     * @param settled what packets wait for, where they do
     */
    WorkerEngine(
            WorkerSettings settings,
            LocalEngine engine,
            Outboxes outboxes,
            RowFormats formats,
            OutputSink beside,
            RemoteWakes wakes,
            PartialSender partials,
            Optional<SettledPace> settled) {
        this.settled = settled;
        this.settings = settings;
        this.engine = engine;
        this.outboxes = outboxes;
        this.formats = formats;
        this.beside = beside;
        this.wakes = wakes;
        this.partials = partials;
    }

    /**
     * Where this throws, no version of it is in the engine, but for UNWRITABLE_OUTPUT: that is
     * tried again soon, and the older version goes on.
     *
     * @param replaces whether an older version of it runs in the same way
     */
    void attach(Definition definition, Attachments.Way way, boolean replaces) {
        String name = definition.name();
        if (definition.query().when().isPresent() && !way.woken()) {
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
        if (way.woken()) {
            wakes.attached(name, definition.version());
        }
    }

    private void begin(Definition definition, Attachments.Way way, boolean replaces) {
        long beganNs = System.nanoTime();
        CompiledQuery code = QueryCompiler.compile(definition.query(), settings.node().layouts());
        compiling.add(System.nanoTime() - beganNs);
        if (way.leaves()) {
            outboxes.told().leaves(definition);
            leave(code, definition.version(), way, replaces);
        } else {
            partials.forget(definition.name());
            outboxes.told().attached(definition);
            stay(code, definition.version(), way, replaces);
        }
        attaching.add(System.nanoTime() - beganNs);
    }

    /** Its windows leave; those of one that is refused say what they lack. */
    private void leave(CompiledQuery code, long version, Attachments.Way way, boolean replaces) {
        Departure departure = departure(code, version);
        try {
            leave(code, departure, way, replaces);
        } catch (WeirException refused) {
            String name = code.query().name();
            // What the version before has counted until now, its last windows have.
            Departure lacks = replaces ? partials.departure(code, version) : departure;
            engine.retire(name);
            engine.beforeResults(() -> lacks.failed(List.of()));
            wakes.refused(name);
            throw refused;
        }
    }

    private Departure departure(CompiledQuery code, long version) {
        boolean first = !partials.sends();
        Departure departure = partials.departure(code, version);
        if (first && begun) {
            await(tellBegin(), BEGIN_MS);
        }
        return departure;
    }

    private void leave(
            CompiledQuery code, Departure departure, Attachments.Way way, boolean replaces) {
        if (way.woken()) {
            engine.addWoken(code, departure, way.read());
        } else if (replaces) {
            engine.replace(code, departure, way.read());
        } else {
            engine.add(code, departure, way.read());
        }
    }

    /** Its rows are made here. */
    private void stay(CompiledQuery code, long version, Attachments.Way way, boolean replaces) {
        Query query = code.query();
        RowEncoder rows = formats.encoder(query, Topics.results(query.name()));
        RowSink sink = both(new OutboxSink(query, version, outboxes.made(), rows));
        if (way.woken()) {
            engine.addWoken(code, sink);
        } else if (replaces) {
            engine.replace(code, sink);
        } else {
            engine.add(code, sink);
        }
    }

    /**
     * Packets come from now on. They wait until what others send after that is behind this worker's
     * begin in each shard: so no window that has one of them is final before the merge waits for
     * this worker. Where no query's windows leave yet, the first one waits for it, before it
     * counts. The reader's thread.
     *
     * @param isKnown whether Kafka is there; else packets do not wait for it
     */
    void begin(boolean isKnown) {
        // A slice is waited for whoever has it, and goes on where it was.
        begun = settings.slice().isEmpty();
        if (begun) {
            CountDownLatch told = tellBegin();
            engine.pace().settle();
            await(told, isKnown ? BEGIN_MS : 1);
        }
    }

    /**
     * No packet before this time will count: windows of before it need not wait for this worker.
     */
    void notBefore(long timeNs) {
        if (begun) {
            engine.beforeResults(() -> partials.passed(timeNs));
        }
    }

    /** Rows of the process before have woken it. */
    private void resume(String query, Conditions.Active active) {
        try {
            engine.resume(query, active.fromNs(), active.untilNs());
        } catch (WeirException gone) {
            return; // dropped meanwhile, or refused
        }
    }

    /**
     * As {@link #begin}, when the first packet's time is known: what rows of the process before
     * have woken goes on, and what that had read and is in no row is told as lost.
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

    /** Where packets wait for conditions: as they are in this catalogue. */
    void follow(Leaving leaving) {
        settled.ifPresent(
                pace -> {
                    List<Window> windows = leaving.awaited();
                    engine.beforeResults(() -> partials.tell(windows));
                    pace.hold(windows);
                });
    }

    /** Of packets that come as fast as they are read. */
    Pace pace() {
        return settled.isPresent() ? settled.get() : engine.pace();
    }

    /** Of kernels; one whose shape is known takes next to nothing. */
    Timing compiling() {
        return compiling;
    }

    /** Of queries, until they count. */
    Timing attaching() {
        return attaching;
    }

    private RowSink both(OutboxSink first) {
        return batch -> {
            first.rows(batch);
            beside.rows(batch);
        };
    }

    /** One that the engine does not have is wanted no more: nobody is told what it lacks. */
    void forget(String name) {
        partials.forget(name);
    }

    /** One that the engine may have ended by itself just now. */
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
