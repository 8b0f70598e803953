package io.weir.cluster.service;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.metrics.Meter;
import io.weir.cluster.metrics.Readings;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState.State;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Shows the cluster, as a SQL server knows it, to Prometheus: its catalogue, and its workers'
 * heartbeats.
 */
final class ClusterMeter implements Meter {
    private static final double MS_A_SECOND = 1e3;

    private final KafkaCatalog catalogue;
    private final Supplier<List<WorkerTable.Worker>> heard;

    /**
     * @param heard returns the workers as they were heard last; any thread
     */
    ClusterMeter(KafkaCatalog catalogue, Supplier<List<WorkerTable.Worker>> heard) {
        this.catalogue = catalogue;
        this.heard = heard;
    }

    @Override
    public void read(Readings out) {
        CatalogState catalog = catalogue.state();
        List<WorkerTable.Worker> workers = heard.get();
        out.gauge(
                "weir_catalog_offset",
                "How far the catalogue was read: its version",
                catalog.offset());
        out.gauge("weir_catalog_queries", "Queries of the catalogue", catalog.queries().size());
        out.gauge(
                "weir_catalog_faults",
                "Records of the catalogue that cannot be read",
                catalog.faults().size());
        workers.forEach(worker -> read(worker, catalog.offset(), out));
        catalog.retired().keySet().stream()
                .filter(name -> workers.stream().noneMatch(isOf(name)))
                .forEach(name -> readEnded(name, true, out));
    }

    private static Predicate<WorkerTable.Worker> isOf(String name) {
        return worker -> worker.beat().getWorker().equals(name);
    }

    private static void readEnded(String name, boolean has, Readings out) {
        out.gauge(
                "weir_worker_ended",
                "1 when it has ended in order, or was retired, so that nobody misses it",
                has ? 1 : 0,
                "worker",
                name);
    }

    private static void read(WorkerTable.Worker worker, long offset, Readings out) {
        Heartbeat beat = worker.beat();
        String name = beat.getWorker();
        out.gauge(
                "weir_worker_silent_seconds",
                "Since a worker was heard",
                worker.silentMs() / MS_A_SECOND,
                "worker",
                name);
        out.gauge(
                "weir_worker_missing",
                "1 when it was silent for so long that it counts as gone",
                worker.isMissing() ? 1 : 0,
                "worker",
                name);
        readEnded(name, worker.hasEnded(), out);
        if (!worker.hasEnded()) {
            readRunning(worker, offset, out);
        }
    }

    /** Reads the measures that show a fault only for a worker that should be running. */
    private static void readRunning(WorkerTable.Worker worker, long offset, Readings out) {
        Heartbeat beat = worker.beat();
        String name = beat.getWorker();
        out.gauge(
                "weir_worker_rows_waiting",
                "Rows that wait in its outbox",
                beat.getRowsWaiting(),
                "worker",
                name);
        if (worker.hasStates()) {
            readFailed(beat, out);
        }
        out.gauge(
                "weir_worker_catalog_lag",
                "Records of the catalogue that this server has read and the worker has not",
                Math.max(0, offset - beat.getCatalogOffset()),
                "worker",
                name);
    }

    private static void readFailed(Heartbeat beat, Readings out) {
        long failed =
                beat.getQueryList().stream().filter(q -> q.getState() == State.FAILED).count();
        out.gauge(
                "weir_worker_queries_failed",
                "Queries that should run there and do not",
                failed,
                "worker",
                beat.getWorker());
    }
}
