package io.weir.cluster.service;

import io.weir.cluster.kafka.heartbeat.Pages;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import java.util.List;
import java.util.Set;

/** Makes the rows of SHOW WORKERS, one for each worker, from its last heartbeat. */
final class WorkerRows {
    static final List<String> HEADINGS =
            List.of(
                    "worker",
                    "nodes",
                    "state",
                    "queries",
                    "packets",
                    "packets_lost",
                    "rows",
                    "sent",
                    "waiting",
                    "lost");

    static final Set<String> NUMBERS =
            Set.of("packets", "packets_lost", "rows", "sent", "waiting", "lost");

    /** Stages with packets that no query of the worker has, or that at least one lacks. */
    private static final Set<String> OF_PACKETS =
            Set.of("capture", "pipeline", Pages.EARLIER_PROCESSES);

    private static final long SECOND_MS = 1_000;

    private WorkerRows() {}

    static List<List<String>> of(List<WorkerTable.Worker> workers) {
        return workers.stream().map(WorkerRows::row).toList();
    }

    /** Returns the name; for a slice with the node that has it. */
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
                state(worker),
                worker.hasStates() ? running + " of " + beat.getQueryCount() : "not told yet",
                Long.toString(beat.getPackets()),
                Long.toString(packetsLost(beat)),
                Long.toString(beat.getRows()),
                Long.toString(beat.getRowsSent()),
                Long.toString(beat.getRowsWaiting()),
                Long.toString(beat.getRowsLost()));
    }

    private static String state(WorkerTable.Worker worker) {
        long silentS = worker.silentMs() / SECOND_MS;
        if (worker.hasEnded()) {
            return "ended " + silentS + " s ago";
        } else if (worker.isUnheard()) {
            return "unheard for " + silentS + " s";
        }
        return worker.isMissing() ? "missing for " + silentS + " s" : "running";
    }

    private static long packetsLost(Heartbeat beat) {
        return beat.getStageList().stream()
                .filter(stage -> OF_PACKETS.contains(stage.getName()))
                .flatMap(stage -> stage.getLostMap().values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }
}
