package io.weir.cluster.worker;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.WorkerCatalog;
import io.weir.cluster.outbox.Outbox;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.time.Stopwatch;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a worker's queries as the catalogue says, on a thread of its own, which compiles kernels.
 * The thread that touches the outbox' disk stores the catalogue's copy.
 */
final class CatalogFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogFollower.class);
    private static final long FOLLOW_MS = 500;

    /** The longest wait at the end for Kafka or for a registry, if a change is being made. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The pause before a query that waits for a registry is tried again. */
    private static final long AGAIN_NS = 5_000_000_000L;

    private final WorkerCatalog catalog;
    private final CatalogState first;
    private final Outbox outbox;
    private final Attachments attachments;
    private final String worker;
    private final Listener listener;
    private final Thread thread;
    private volatile boolean ended;
    private volatile boolean saving;

    /** Belongs to the disk's thread. */
    private boolean saveFailed;

    /** Is told of the catalogue. Its thread, or the disk's. */
    interface Listener {
        /** Is told each state. Returns whether the worker must end. */
        boolean retired(CatalogState state);

        /** Is told that Kafka's catalogue is followed, in place of a copy or none. */
        void follows();

        void failed(WeirException cause);
    }

    /**
     * @param first the state that was already followed
     * @param outbox beside which the catalogue's copy is
     */
    CatalogFollower(
            String worker,
            WorkerCatalog catalog,
            CatalogState first,
            Outbox outbox,
            Attachments attachments,
            Listener listener) {
        this.catalog = catalog;
        this.first = first;
        this.outbox = outbox;
        this.attachments = attachments;
        this.worker = worker;
        this.listener = listener;
        this.thread = new Thread(this::run, "weir-catalog-" + worker);
    }

    void start() {
        thread.start();
    }

    private void run() {
        CatalogState known = first;
        Stopwatch tried = Stopwatch.started();
        try {
            while (!ended && !listener.retired(known)) {
                CatalogState state = catalog.awaitOther(known, FOLLOW_MS);
                boolean again = attachments.waits() && tried.ns() > AGAIN_NS;
                if (state != known || again) {
                    attachments.follow(state);
                    if (catalog.isCopy(known) && state != known) {
                        int queries = state.definitions().size();
                        LOG.info(
                                "worker {}: follows Kafka's catalogue ({} queries)",
                                worker,
                                queries);
                        listener.follows();
                    }
                    known = state;
                    tried.restart();
                }
                keep();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (WeirException e) {
            listener.failed(e);
        }
    }

    /** Stores one copy at a time, because queries may come and go by the hundred. */
    private void keep() {
        if (!saving && catalog.isUnsaved()) {
            saving = true;
            if (!outbox.onDiskThread(this::save)) {
                saving = false;
            }
        }
    }

    private void save() {
        try {
            catalog.save();
            saveFailed = false;
        } catch (IOException e) {
            if (!saveFailed) {
                LOG.warn(
                        "worker {}: the copy of the catalogue stays as it was: {}",
                        worker,
                        e.getMessage());
            }
            saveFailed = true;
        }
        saving = false;
    }

    @Override
    public void close() {
        ended = true;
        ThreadEnd.await(thread, PATIENCE);
        keep(); // the latest state
    }
}
