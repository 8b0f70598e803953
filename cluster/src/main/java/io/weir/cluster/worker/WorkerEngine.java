package io.weir.cluster.worker;

import io.weir.cluster.format.RowEncoder;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.metrics.Timing;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.sink.OutputSink;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.merge.PartialSender;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.result.Departure;
import io.weir.operators.result.RowSink;

/**
 * A worker's engine, and where what it counts goes: rows to the outbox, windows that others have
 * parts of to the merge. One thread at a time changes its queries.
 */
final class WorkerEngine {
    private static final RowSink NOBODY = batch -> {};

    private final WorkerSettings settings;
    private final LocalEngine engine;
    private final Outbox outbox;
    private final OutputSink beside;
    private final RowFormats formats;
    private final RemoteWakes wakes;
    private final PartialSender partials;
    private final long tickNs;
    private final Timing compiling = new Timing();
    private final Timing attaching = new Timing();

    /**
     * @param beside gets the rows that go to the outbox, too; it does not fail
     */
    WorkerEngine(
            WorkerSettings settings,
            LocalEngine engine,
            Outbox outbox,
            RowFormats formats,
            OutputSink beside,
            RemoteWakes wakes,
            PartialSender partials) {
        this.settings = settings;
        this.engine = engine;
        this.outbox = outbox;
        this.formats = formats;
        this.beside = beside;
        this.wakes = wakes;
        this.partials = partials;
        this.tickNs = settings.node().engine().forLive().tickNs();
    }

    /**
     * @param replaces whether an older version of it runs in the same way
     */
    void attach(Definition definition, Attachments.Way way, boolean replaces) {
        Query query = definition.query();
        long beganNs = System.nanoTime();
        CompiledQuery code = KernelCompiler.compile(query, settings.node().layouts());
        compiling.add(System.nanoTime() - beganNs);
        if (way.leaves()) {
            Departure departure = partials.departure(code, definition.version(), tickNs);
            if (way.woken()) {
                engine.addWoken(code, NOBODY, departure);
            } else if (replaces) {
                engine.replace(code, departure, way.read());
            } else {
                engine.add(code, departure, way.read());
            }
        } else {
            RowEncoder rows = formats.encoder(query, Topics.results(query.name()));
            RowSink sink = both(new OutboxSink(query, definition.version(), outbox, rows));
            if (way.woken()) {
                engine.addWoken(code, sink, null);
            } else if (replaces) {
                engine.replace(code, sink);
            } else {
                engine.add(code, sink);
            }
        }
        attaching.add(System.nanoTime() - beganNs);
        if (way.woken()) {
            wakes.attached(query.name(), definition.version());
        }
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

    void drop(String name) {
        wakes.detached(name);
        engine.drop(name);
        partials.forget(name);
        beside.dropped(name);
    }
}
