package io.weir.cluster.kafka.catalog;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.time.Deadline;
import io.weir.operators.time.Stopwatch;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalogue for a worker. While Kafka is away it is the worker's copy, if it has one. Kafka's
 * catalogue replaces it as soon as Kafka answers. A thread of its own asks Kafka without limit.
 * {@link #save} is for one thread at a time, the rest for any.
 */
public final class WorkerCatalog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerCatalog.class);

    /** The longest wait of packets for a Kafka that neither answers nor refuses. */
    private static final long SILENT_MS = 5_000;

    private static final long REFUSED_MS = 500;
    private static final long LOOK_MS = 20;
    private static final long PAUSE_MS = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final KafkaSettings settings;
    private final String worker;
    private final Optional<CatalogCopy> copy;
    private final Consumer<WeirException> failed;
    private final Optional<CatalogState> kept;
    private final Thread thread;
    private KafkaCatalog kafka;
    private WeirException refused;
    private volatile boolean closed;

    /**
     * @param copy the place of the copy, if there is one
     * @param failed is told, after {@link #awaitFirst}, that Kafka refuses this worker for good
     */
    public WorkerCatalog(
            KafkaSettings settings,
            String worker,
            Optional<CatalogCopy> copy,
            Consumer<WeirException> failed) {
        this.settings = settings;
        this.worker = worker;
        this.copy = copy;
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
                    LOG.warn("worker {}: waits for Kafka: {}", worker, e.getMessage());
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
     * Waits for Kafka's catalogue. With a copy it waits only until Kafka is certainly away.
     *
     * @param live whether packets come meanwhile that nobody would count; then the wait is short
     *     even without a copy
     * @param givenUp whether nobody waits any more
     * @throws WeirException when Kafka refuses this worker
     */
    public void awaitFirst(boolean live, BooleanSupplier givenUp) throws InterruptedException {
        Stopwatch waited = Stopwatch.started();
        boolean refusedBefore = false;
        long askedMs = -REFUSED_MS;
        boolean bounded = live || kept.isPresent();
        boolean told = false;
        while (!isJoined() && !givenUp.getAsBoolean()) {
            long ms = waited.ms();
            if (bounded && ms > SILENT_MS) {
                break;
            } else if (ms > SILENT_MS && !told) {
                told = true;
                LOG.warn("worker {}: waits for {}, which does not answer", worker, settings);
            }
            if (bounded && ms - askedMs > REFUSED_MS) {
                askedMs = ms;
                boolean nobody = KafkaCalls.isRefused(settings);
                if (nobody && refusedBefore) {
                    break; // no broker is about to answer there
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
        if (kept.isPresent()) {
            LOG.warn(
                    "worker {}: Kafka does not answer: this worker counts for the {} queries of its"
                            + " copy of the catalogue, version {}",
                    worker,
                    kept.get().definitions().size(),
                    kept.get().offset());
        } else {
            LOG.warn(
                    "worker {}: Kafka does not answer, and there is no copy of the catalogue:"
                            + " packets are lost (no_catalog) until it does",
                    worker);
        }
    }

    /** Returns whether it is Kafka's catalogue, and not the copy. */
    public synchronized boolean isJoined() {
        if (refused != null) {
            throw refused;
        }
        return kafka != null;
    }

    /** Returns whether the queries are known, from Kafka or from the copy. */
    public boolean isKnown() {
        return kept.isPresent() || isJoined();
    }

    /** Returns the present state. */
    public CatalogState state() {
        KafkaCatalog joined = joined();
        return joined == null ? kept.orElse(CatalogState.EMPTY) : joined.state();
    }

    /** Returns whether this is the worker's copy, or none, and not Kafka's. */
    @SuppressWarnings("ReferenceEquality") // Kafka's may have the same queries
    public boolean isCopy(CatalogState state) {
        return state == kept.orElse(CatalogState.EMPTY);
    }

    private synchronized KafkaCatalog joined() {
        return kafka;
    }

    /** Waits for a state other than this one, or for the time-out, and returns the state. */
    public CatalogState awaitOther(CatalogState known, long timeoutMs) throws InterruptedException {
        KafkaCatalog joined = awaitJoined(timeoutMs);
        return joined == null ? known : joined.awaitOther(known, timeoutMs);
    }

    private synchronized KafkaCatalog awaitJoined(long timeoutMs) throws InterruptedException {
        Deadline deadline = Deadline.afterMs(timeoutMs);
        while (kafka == null && !closed && !deadline.isOver()) {
            wait(Math.max(1, deadline.leftMs()));
        }
        return kafka;
    }

    /** Returns whether the copy lacks records. */
    public boolean isUnsaved() {
        KafkaCatalog joined = joined();
        return copy.isPresent() && joined != null && copy.get().lacks(joined.kept());
    }

    /** Updates the copy to the present state. */
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
