package io.weir.cluster.demo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Returns the workers' output since the last call. */
final class WorkerWords {
    private final List<Processes.Started> workers;
    private final Map<String, Integer> told = new HashMap<>();

    WorkerWords(List<Processes.Started> workers) {
        this.workers = workers;
        fresh();
    }

    final List<String> fresh() {
        List<String> fresh = new ArrayList<>();
        for (Processes.Started worker : workers) {
            List<String> lines = worker.lines();
            int before = told.getOrDefault(worker.name(), 0);
            fresh.addAll(lines.subList(Math.min(before, lines.size()), lines.size()));
            told.put(worker.name(), lines.size());
        }
        return fresh;
    }
}
