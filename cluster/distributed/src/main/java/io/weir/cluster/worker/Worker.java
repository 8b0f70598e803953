package io.weir.cluster.worker;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.CatalogCopy;
import io.weir.cluster.kafka.catalog.WorkerCatalog;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.sink.Fanout;
import io.weir.cluster.sink.OutputSink;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A worker of a cluster: counts its packets for the queries of the catalogue, and sends their rows.
 * Packets never wait for Kafka. The thread that reads packets calls {@link #run} once; any thread
 * calls {@link #stop}.
 *
 * <pre>
 *   captures → engine → outboxes (disk) → senders → weir.results.*, weir.partials
 *                ↑ attach, replace, drop
 *            catalogue                    heartbeats → weir.heartbeats
 * </pre>
 */
public final class Worker {
    private final WorkerContext context;

    /** True once it has state that an orderly end saves. */
    private volatile boolean begun;

    public Worker(WorkerSettings settings, KafkaSettings kafka, WorkerListener listener) {
        this(settings, kafka, listener, new Fanout(List.of()));
    }

    /**
     * @param beside also gets the rows that this worker finishes; the caller keeps it, and it must
     *     not fail
     */
    public Worker(
            WorkerSettings settings,
            KafkaSettings kafka,
            WorkerListener listener,
            OutputSink beside) {
        Account account = new Account();
        PacketReading reading =
                settings.isLive()
                        ? new LiveReading(settings, account, kafka.clock())
                        : new CaptureReplay(settings, account, kafka.clock());
        context =
                new WorkerContext(
                        settings,
                        kafka,
                        UUID.randomUUID().toString(),
                        account,
                        new LastWakes(),
                        new WorkerMeter(settings.name(), account, reading::measured),
                        reading,
                        new WorkerEnd(reading, kafka.clock()),
                        listener,
                        beside);
    }

    /** Returns the meter of the running worker: its account, and its parts. */
    public Meter meter() {
        return context.meter();
    }

    /** Returns the account; any thread, while it runs. */
    public Account account() {
        return context.account();
    }

    /**
     * Runs to the end of the captures or until {@link #stop}, and sends the rest.
     *
     * @return the account of the run
     */
    public List<Stage.Snapshot> run() {
        WorkerSettings settings = context.settings();
        Sources.checkWorker(settings.captures());
        Rehearsal.Part rehearsal = Rehearsal.begin(settings.node().layouts());
        try (WorkerCatalog catalog = catalog()) {
            catalog.awaitFirst(isLive(), context.reading()::isStopped);
            if (!context.reading().isStopped()) {
                run(catalog);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            rehearsal.close();
            context.meter().ended();
        }
        if (context.end().failure().isPresent()) {
            throw context.end().failure().get();
        }
        return context.account().snapshot();
    }

    /**
     * A slice may have moved without this process's knowledge, so it begins with Kafka's catalogue.
     */
    private WorkerCatalog catalog() {
        WorkerSettings settings = context.settings();
        Optional<CatalogCopy> copy =
                settings.slice().isPresent()
                        ? Optional.empty()
                        : Optional.of(new CatalogCopy(settings.outbox()));
        return new WorkerCatalog(context.kafka(), context.name(), copy, context.end()::fail)
                .start();
    }

    /** Returns whether packets pass even if nobody counts them. */
    private boolean isLive() {
        WorkerSettings settings = context.settings();
        return settings.slice().isEmpty() && (settings.isLive() || settings.isReadOnce());
    }

    private void run(WorkerCatalog catalog) throws InterruptedException {
        try (Outboxes outboxes =
                new Outboxes(
                        context.settings(),
                        context.kafka(),
                        context.life(),
                        context.account(),
                        context.end()::fail)) {
            begun = true;
            context.meter().sends(outboxes);
            new WorkerRun(context, catalog, outboxes).run();
        }
    }

    /**
     * Ends {@link #run} soon, and sends nothing more. Another process continues its slice from the
     * sent position. Idempotent.
     */
    void abandon() {
        context.end().abandon();
    }

    /** Ends {@link #run} soon, as if the captures ended there. Idempotent. */
    public void stop() {
        context.end().stop();
    }

    /** Returns whether it counts. Until then {@link #stop} has nothing to save. */
    public boolean hasBegun() {
        return begun;
    }
}
