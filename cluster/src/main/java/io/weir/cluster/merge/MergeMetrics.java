package io.weir.cluster.merge;

import io.weir.operators.merge.MergeCounts;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** What the tasks of an instance have counted. Any thread. */
public final class MergeMetrics {
    private final Map<String, MergeCounts> tasks = new ConcurrentSkipListMap<>();
    private final Map<String, TaskProgress> progress = new ConcurrentSkipListMap<>();
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong malformed = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();

    void add(String task, MergeCounts counts) {
        tasks.put(task, counts);
    }

    /** A task begins here. */
    void begins(String task, TaskProgress its) {
        progress.put(task, its);
    }

    /** A task ends here, unless it has begun again. */
    void ends(String task, TaskProgress its) {
        progress.remove(task, its);
    }

    /** The tasks that are here, by name. */
    Map<String, TaskProgress> progress() {
        return Map.copyOf(progress);
    }

    void row() {
        rows.incrementAndGet();
    }

    /** Rows made of merged windows. */
    public long rows() {
        return rows.get();
    }

    void addMalformed() {
        malformed.incrementAndGet();
    }

    void waits(String query, boolean now) {
        if (now) {
            waiting.add(query);
        } else {
            waiting.remove(query);
        }
    }

    /** Whether a query's condition is tested here. */
    public boolean waits(String query) {
        return waiting.contains(query);
    }

    /** Records that are no parcels. */
    public long malformed() {
        return malformed.get();
    }

    /** By shard, and {@code second}. */
    public Map<String, MergeCounts> tasks() {
        return Map.copyOf(tasks);
    }
}
