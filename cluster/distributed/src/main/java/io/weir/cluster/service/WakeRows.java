package io.weir.cluster.service;

import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.sink.TimeText;
import io.weir.cluster.wire.QueryState;
import io.weir.cluster.wire.Wakes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Makes the rows of SHOW EVENTS of a cluster that show wakes: the last fire of each WHEN, on each
 * worker that it woke.
 */
final class WakeRows {
    private WakeRows() {}

    private record Woken(String worker, String query, Wakes wakes) {
        List<String> row() {
            String until =
                    wakes.hasUntilNs()
                            ? "until " + TimeText.of(wakes.getUntilNs())
                            : "until a row ends it";
            String times = wakes.getCount() == 1 ? "once" : wakes.getCount() + " times";
            return List.of(
                    "wakes",
                    query,
                    TimeText.of(wakes.getFromNs()),
                    until + " on worker " + worker + ", which it woke " + times);
        }
    }

    /** Returns the rows, the oldest first. */
    static List<List<String>> of(List<WorkerTable.Worker> workers) {
        List<Woken> woken = new ArrayList<>();
        for (WorkerTable.Worker worker : workers) {
            for (QueryState query : worker.beat().getQueryList()) {
                if (query.hasWakes()) {
                    woken.add(
                            new Woken(
                                    worker.beat().getWorker(), query.getName(), query.getWakes()));
                }
            }
        }
        woken.sort(Comparator.comparingLong(w -> w.wakes().getFromNs()));
        return woken.stream().map(Woken::row).toList();
    }
}
