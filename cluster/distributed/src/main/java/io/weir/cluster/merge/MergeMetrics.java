package io.weir.cluster.merge;

import io.weir.cluster.protocol.MergeCounts;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The counts of an instance's tasks. Any thread. */
public final class MergeMetrics {
    private final Map<String, MergeCounts> tasks = new ConcurrentSkipListMap<>();
    private final Map<String, TaskProgress> progress = new ConcurrentSkipListMap<>();
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong malformed = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();

    void add(String task, MergeCounts counts) {
        tasks.put(task, counts);
    }

    /** Notes that a task begins here. */
    void begins(String task, TaskProgress its) {
        progress.put(task, its);
    }

    /** Notes that a task ends here, unless it has begun again. */
    void ends(String task, TaskProgress its) {
        progress.remove(task, its);
    }

    /** Returns the tasks that are here, by name. */
    Map<String, TaskProgress> progress() {
        return Map.copyOf(progress);
    }

    void row() {
        rows.incrementAndGet();
    }

    /** Returns the rows made of merged windows. */
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

    /** Returns whether a query's condition is tested here. */
    public boolean waits(String query) {
        return waiting.contains(query);
    }

    /** Returns the number of records that are no messages. */
    public long malformed() {
        return malformed.get();
    }

    /** Returns the counts by shard, and {@code second}. */
    public Map<String, MergeCounts> tasks() {
        return Map.copyOf(tasks);
    }
}
