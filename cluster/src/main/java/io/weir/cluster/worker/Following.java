package io.weir.cluster.worker;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.operators.error.WeirException;
import io.weir.operators.pipeline.ThreadEnd;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Keeps a worker to the catalogue, on a thread of its own: kernels are compiled there. */
final class Following implements AutoCloseable {
    private static final long FOLLOW_MS = 500;

    /** A change that is being made when it ends may wait for Kafka or for a registry so long. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** So long after it could not a query that waits for a registry is tried again. */
    private static final long AGAIN_NS = 5_000_000_000L;

    private final KafkaCatalog catalog;
    private final CatalogState first;
    private final Attachments attachments;
    private final Consumer<WeirException> failed;
    private final Predicate<CatalogState> retired;
    private final Thread thread;
    private volatile boolean ended;

    /**
     * @param first what was followed already
     * @param retired told each state; whether the worker ends by it
     */
    Following(
            String worker,
            KafkaCatalog catalog,
            CatalogState first,
            Attachments attachments,
            Predicate<CatalogState> retired,
            Consumer<WeirException> failed) {
        this.retired = retired;
        this.catalog = catalog;
        this.first = first;
        this.attachments = attachments;
        this.failed = failed;
        this.thread = new Thread(this::run, "weir-catalog-" + worker);
    }

    void start() {
        thread.start();
    }

    private void run() {
        CatalogState known = first;
        long triedNs = System.nanoTime();
        try {
            while (!ended && !retired.test(known)) {
                CatalogState state = catalog.awaitOther(known, FOLLOW_MS);
                boolean again = attachments.waits() && System.nanoTime() - triedNs > AGAIN_NS;
                if (state != known || again) {
                    attachments.follow(state);
                    known = state;
                    triedNs = System.nanoTime();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (WeirException e) {
            failed.accept(e);
        }
    }

    @Override
    public void close() {
        ended = true;
        ThreadEnd.await(thread, PATIENCE);
    }
}
