package io.weir.cluster.faults;

import io.weir.operators.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * All rows of {@link Queries} that have come: by query and node (none for merged ones), then by
 * window; and all wakes. Thread-safe.
 */
final class RowLog {
    private static final long LOOK_MS = 20;

    private final Map<String, TreeMap<Long, Window>> windows = new HashMap<>();

    /** The newest window by query and writer: a node, or a shard. */
    private final Map<String, Map<String, Long>> newest = new HashMap<>();

    /** The begin of wakes, by the query that is woken. */
    private final Map<String, TreeSet<Long>> wakes = new HashMap<>();

    private final List<String> wrong = new ArrayList<>();
    private long settledNs = Long.MIN_VALUE;

    /**
     * @param node empty for merged ones
     * @param worker its maker
     */
    synchronized void row(
            String query,
            String node,
            String worker,
            long endNs,
            long flow,
            long packets,
            long bytes,
            double completeness,
            long lost,
            long missing) {
        if (endNs <= settledNs) {
            Instant end = Instant.ofEpochSecond(0, endNs);
            wrong.add("a row of " + query + " " + node + " at " + end + " came after the audit");
            return;
        }
        inOrder(query, worker, endNs);
        Window window =
                windows.computeIfAbsent(key(query, node), k -> new TreeMap<>())
                        .computeIfAbsent(endNs, e -> new Window());
        window.row(worker, flow, packets, bytes);
        window.about(completeness, lost, missing);
    }

    /** Rows of one maker come in the order of their windows, whatever their keys are. */
    private void inOrder(String query, String worker, long endNs) {
        Map<String, Long> ends = newest.computeIfAbsent(query, q -> new HashMap<>());
        long newestNs = ends.merge(worker, endNs, Math::max);
        if (endNs < newestNs) {
            wrong.add(
                    "a row of "
                            + (query + " by " + worker + " at " + Instant.ofEpochSecond(0, endNs))
                            + (" came after one at " + Instant.ofEpochSecond(0, newestNs)));
        }
    }

    /** Takes a trigger, which comes more than once. */
    synchronized void wake(String query, long fromNs) {
        wakes.computeIfAbsent(query, q -> new TreeSet<>()).add(fromNs);
    }

    /** Returns the wakes of a query so far. */
    synchronized NavigableSet<Long> wakes(String query) {
        return new TreeSet<>(wakes.getOrDefault(query, new TreeSet<>()));
    }

    synchronized void wrong(String what) {
        wrong.add(what);
    }

    private static String key(String query, String node) {
        return query + " " + node;
    }

    /** Returns the windows so far. */
    synchronized NavigableMap<Long, Window> windows(String query, String node) {
        return new TreeMap<>(windows.getOrDefault(key(query, node), new TreeMap<>()));
    }

    /** Returns the end of the newest window with rows of a node or shard; MIN_VALUE without any. */
    synchronized long newestNs(String query, String worker) {
        return newest.getOrDefault(query, Map.of()).getOrDefault(worker, Long.MIN_VALUE);
    }

    /** Returns the records since the last call that were no rows, or were impossible. */
    synchronized List<String> takeWrong() {
        List<String> taken = List.copyOf(wrong);
        wrong.clear();
        return taken;
    }

    /**
     * Notes that windows up to this end were checked. No row of them may come, and they are
     * removed.
     */
    synchronized void settle(long endNs) {
        settledNs = endNs;
        windows.values().forEach(all -> all.headMap(endNs, true).clear());
    }

    /** Waits for a condition. Returns whether it came in time. */
    boolean await(Duration patience, Predicate<RowLog> enough) throws InterruptedException {
        long startedNs = Clock.SYSTEM.nanos();
        while (!enough.test(this)) {
            if (Clock.SYSTEM.nanos() - startedNs > patience.toNanos()) {
                return false;
            }
            Thread.sleep(LOOK_MS);
        }
        return true;
    }
}
