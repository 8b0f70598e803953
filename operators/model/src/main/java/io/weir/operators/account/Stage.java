package io.weir.operators.account;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * One stage's page in the ledger: the packets that it was offered, and their outcome. {@code
 * offered = processed + lost(reason) + excluded(reason)}, in packets unless the name says
 * otherwise. It can also count processed packets that were read in part. The counts have one
 * writer, the stage's thread; any thread may read. If several threads do the same work, each has a
 * Stage of the same name, and {@link Account} adds them up.
 */
public final class Stage {
    private final String name;
    private final Counter offered = new Counter();
    private final Counter processed = new Counter();
    private final Map<String, Counter> lost = new ConcurrentSkipListMap<>();
    private final Map<String, Counter> excluded = new ConcurrentSkipListMap<>();
    private final Map<String, Counter> inPart = new ConcurrentSkipListMap<>();

    public Stage(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public Counter offered() {
        return offered;
    }

    public Counter processed() {
        return processed;
    }

    /** Returns the counter of a reason for loss, made at the first call. Hot code keeps it. */
    public Counter lost(String reason) {
        return lost.computeIfAbsent(reason, r -> new Counter());
    }

    /** Returns the counter of a reason to exclude packets on purpose, as {@link #lost} does. */
    public Counter excluded(String reason) {
        return excluded.computeIfAbsent(reason, r -> new Counter());
    }

    /**
     * Returns the counter of a reason why processed packets were read in part, as {@link #lost}
     * does. It is not part of the sum.
     */
    public Counter inPart(String reason) {
        return inPart.computeIfAbsent(reason, r -> new Counter());
    }

    /** Adds the counts of another page, which has ended as this one has. */
    void add(Snapshot other) {
        offered.add(other.offered);
        other.lost.forEach((reason, count) -> lost(reason).add(count));
        other.excluded.forEach((reason, count) -> excluded(reason).add(count));
        other.inPart.forEach((reason, count) -> inPart(reason).add(count));
        processed.add(other.processed);
    }

    /**
     * Takes the counts now. While the stage is at work {@code offered} may be ahead of the others,
     * never behind. It is read last and must be written first.
     */
    public Snapshot snapshot() {
        long processedNow = processed.value();
        Map<String, Long> lostNow = values(lost);
        Map<String, Long> excludedNow = values(excluded);
        return new Snapshot(
                name, offered.value(), processedNow, lostNow, excludedNow, values(inPart));
    }

    private static Map<String, Long> values(Map<String, Counter> counters) {
        Map<String, Long> values = new TreeMap<>();
        counters.forEach((reason, counter) -> values.put(reason, counter.value()));
        return values;
    }

    /**
     * The counts of a stage at one moment. Reasons that never occurred are there with 0.
     *
     * @param inPart the processed packets that could be read only in part, by reason
     */
    public record Snapshot(
            String stage,
            long offered,
            long processed,
            Map<String, Long> lost,
            Map<String, Long> excluded,
            Map<String, Long> inPart) {

        /** Makes the snapshot of a stage that reads nothing in part. */
        public Snapshot(
                String stage,
                long offered,
                long processed,
                Map<String, Long> lost,
                Map<String, Long> excluded) {
            this(stage, offered, processed, lost, excluded, Map.of());
        }

        /** Returns whether the invariant holds. It must hold whenever the stage is at rest. */
        public boolean isBalanced() {
            return offered == processed + sum(lost) + sum(excluded);
        }

        public long lostInAll() {
            return sum(lost);
        }

        /** Adds two snapshots, as one stage. */
        public Snapshot plus(Snapshot other) {
            return new Snapshot(
                    stage,
                    offered + other.offered,
                    processed + other.processed,
                    union(lost, other.lost),
                    union(excluded, other.excluded),
                    union(inPart, other.inPart));
        }

        private static Map<String, Long> union(Map<String, Long> a, Map<String, Long> b) {
            Map<String, Long> union = new TreeMap<>(a);
            b.forEach((reason, count) -> union.merge(reason, count, Long::sum));
            return union;
        }

        private static long sum(Map<String, Long> counts) {
            return counts.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
