package io.weir.cluster.service;

import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import java.util.List;
import java.util.Set;

/** SHOW WORKERS: a row for each, as its last heartbeat says. */
final class WorkerRows {
    static final List<String> HEADINGS =
            List.of(
                    "worker", "nodes", "state", "queries", "packets", "rows", "sent", "waiting",
                    "lost");

    static final Set<String> NUMBERS = Set.of("packets", "rows", "sent", "waiting", "lost");

    private static final long SECOND_MS = 1_000;

    private WorkerRows() {}

    static List<List<String>> of(List<WorkerTable.Worker> workers) {
        return workers.stream().map(WorkerRows::row).toList();
    }

    /** Of a slice, with the node that has it. */
    static String name(Heartbeat beat) {
        return beat.getWorker() + (beat.getOwner().isEmpty() ? "" : " at " + beat.getOwner());
    }

    private static List<String> row(WorkerTable.Worker worker) {
        Heartbeat beat = worker.beat();
        long running =
                beat.getQueryList().stream()
                        .filter(query -> query.getState() == QueryState.State.RUNNING)
                        .count();
        return List.of(
                name(beat),
                String.join(", ", beat.getNodeList()),
                worker.isMissing()
                        ? "missing for " + worker.silentMs() / SECOND_MS + " s"
                        : "running",
                worker.hasStates() ? running + " of " + beat.getQueryCount() : "not told yet",
                Long.toString(beat.getPackets()),
                Long.toString(beat.getRows()),
                Long.toString(beat.getRowsSent()),
                Long.toString(beat.getRowsWaiting()),
                Long.toString(beat.getRowsLost()));
    }
}
