package io.weir.cluster.kafka.catalog;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.operators.error.WeirException;
import io.weir.operators.pipeline.ThreadEnd;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The catalogue as a worker follows it. While Kafka is away it is the copy that the worker has
 * kept, if it has one; Kafka's takes its place as soon as Kafka answers. A thread of its own asks
 * Kafka, for as long as it takes. {@link #save} is for one thread at a time, the rest for any.
 */
public final class WorkerCatalog implements AutoCloseable {
    /** So long packets wait for a Kafka that does not answer, and does not refuse either. */
    private static final long SILENT_MS = 5_000;

    private static final long REFUSED_MS = 500;
    private static final long LOOK_MS = 20;
    private static final long PAUSE_MS = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final KafkaSettings settings;
    private final String worker;
    private final Optional<CatalogCopy> copy;
    private final Consumer<String> notes;
    private final Consumer<WeirException> failed;
    private final Optional<CatalogState> kept;
    private final Thread thread;
    private KafkaCatalog kafka;
    private WeirException refused;
    private volatile boolean closed;

    /**
     * @param copy where there is to be one
     * @param notes told that Kafka is waited for
     * @param failed told, after {@link #awaitFirst}, that Kafka refuses this worker for good
     */
    public WorkerCatalog(
            KafkaSettings settings,
            String worker,
            Optional<CatalogCopy> copy,
            Consumer<String> notes,
            Consumer<WeirException> failed) {
        this.settings = settings;
        this.worker = worker;
        this.copy = copy;
        this.notes = notes;
        this.failed = failed;
        this.kept =
                copy.flatMap(CatalogCopy::read)
                        .map(
                                read ->
                                        Planning.plan(
                                                read.entries(), CatalogState.EMPTY, read.offset()));
        this.thread = new Thread(this::join, "weir-catalog-join-" + worker);
        thread.setDaemon(true);
    }

    public WorkerCatalog start() {
        thread.start();
        return this;
    }

    private void join() {
        boolean told = false;
        while (!closed) {
            try {
                joined(KafkaCatalog.openForWorker(settings, "worker " + worker));
                return;
            } catch (WeirException e) {
                if (!KafkaCalls.isAway(e) || kept.isEmpty() && KafkaCalls.isUnresolved(e)) {
                    refused(e);
                    return;
                }
                if (!told && !closed) {
                    notes.accept("waits for Kafka: " + e.getMessage());
                    told = true;
                }
                pause();
            }
        }
    }

    private synchronized void joined(KafkaCatalog opened) {
        if (closed) {
            opened.close();
            return;
        }
        kafka = opened;
        notifyAll();
    }

    private void refused(WeirException why) {
        synchronized (this) {
            refused = why;
            notifyAll();
        }
        if (!closed) {
            failed.accept(why);
        }
    }

    private void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for Kafka's catalogue. Where there is a copy, only until it is clear that Kafka is
     * away.
     *
     * @param live whether packets come that nobody would count meanwhile: then it is waited for in
     *     vain for a while only, without a copy, too
     * @param givenUp whether nobody waits any more
     * @throws WeirException when Kafka refuses this worker
     */
    public void awaitFirst(boolean live, BooleanSupplier givenUp) throws InterruptedException {
        long beganNs = System.nanoTime();
        boolean refusedBefore = false;
        long askedMs = -REFUSED_MS;
        boolean bounded = live || kept.isPresent();
        boolean told = false;
        while (!isJoined() && !givenUp.getAsBoolean()) {
            long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
            if (bounded && ms > SILENT_MS) {
                break;
            } else if (ms > SILENT_MS && !told) {
                told = true;
                notes.accept("waits for " + settings + ", which does not answer");
            }
            if (bounded && ms - askedMs > REFUSED_MS) {
                askedMs = ms;
                boolean nobody = KafkaCalls.isRefused(settings);
                if (nobody && refusedBefore) {
                    break; // it is no broker that is about to answer
                }
                refusedBefore = nobody;
            }
            Thread.sleep(LOOK_MS);
        }
        if (!isJoined() && !givenUp.getAsBoolean()) {
            tellAway();
        }
    }

    private void tellAway() {
        notes.accept(
                kept.map(
                                state ->
                                        "Kafka does not answer: this worker counts for the "
                                                + state.definitions().size()
                                                + " queries of its copy of the catalogue, version "
                                                + state.offset())
                        .orElse(
                                "Kafka does not answer, and there is no copy of the catalogue: packets"
                                        + " are lost (no_catalog) until it does"));
    }

    /** Whether it is Kafka's, and not the copy. */
    public synchronized boolean isJoined() {
        if (refused != null) {
            throw refused;
        }
        return kafka != null;
    }

    /** Whether it is known which queries there are, or were. */
    public boolean isKnown() {
        return kept.isPresent() || isJoined();
    }

    /** As it is known now. */
    public CatalogState state() {
        KafkaCatalog joined = joined();
        return joined == null ? kept.orElse(CatalogState.EMPTY) : joined.state();
    }

    /** Whether this is the worker's copy, or none, and not Kafka's. */
    @SuppressWarnings("ReferenceEquality") // Kafka's may have the same queries
    public boolean isCopy(CatalogState state) {
        return state == kept.orElse(CatalogState.EMPTY);
    }

    private synchronized KafkaCatalog joined() {
        return kafka;
    }

    /** Waits for another state than this one, or for the time-out: then it is the same. */
    public CatalogState awaitOther(CatalogState known, long timeoutMs) throws InterruptedException {
        KafkaCatalog joined = awaitJoined(timeoutMs);
        return joined == null ? known : joined.awaitOther(known, timeoutMs);
    }

    private synchronized KafkaCatalog awaitJoined(long timeoutMs) throws InterruptedException {
        long deadline = System.currentTimeMillis() + timeoutMs;
        long left = timeoutMs;
        while (kafka == null && !closed && left > 0) {
            wait(left);
            left = deadline - System.currentTimeMillis();
        }
        return kafka;
    }

    /** Whether the copy lacks something of it. */
    public boolean isUnsaved() {
        KafkaCatalog joined = joined();
        return copy.isPresent() && joined != null && copy.get().lacks(joined.kept());
    }

    /** Has the copy be as it is now. */
    public void save() throws IOException {
        KafkaCatalog joined = joined();
        if (copy.isPresent() && joined != null) {
            copy.get().save(joined.kept());
        }
    }

    @Override
    public void close() {
        KafkaCatalog joined;
        synchronized (this) {
            closed = true;
            joined = kafka;
            notifyAll();
        }
        thread.interrupt();
        ThreadEnd.await(thread, PATIENCE);
        if (joined != null) {
            joined.close();
        }
    }
}
