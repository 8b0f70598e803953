package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.kafka.heartbeat.AwaitedWorkers;
import io.weir.cluster.protocol.MergeStage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The sources that a task of the merge waits for. It does not wait for a live worker that has not
 * begun to count. Such a worker reports its begin before its first packet, and waits until Kafka
 * has the report. The stream's thread.
 */
final class AwaitedSources {
    /** The time after a start in which known workers are heard, if they are still there. */
    private static final long HEARD_WITHIN_NS = 5_000_000_000L;

    /** A source that was behind by more had been given up before. */
    private static final long RECENT_NS = 60_000_000_000L;

    private final MergeStage stage;
    private final MergeSources sources;
    private final ReadingClock clock;
    private final int shards;
    private final Set<String> wereThere;

    /**
     * @param stage in the state in which its last owner left it
     * @param shards those of the first step, for the second; 0 for a shard
     */
    AwaitedSources(MergeStage stage, MergeSources sources, ReadingClock clock, int shards) {
        this.stage = stage;
        this.sources = sources;
        this.clock = clock;
        this.shards = shards;
        long sinceNs = Math.max(stage.passedNs(), Long.MIN_VALUE + RECENT_NS) - RECENT_NS;
        this.wereThere = shards > 0 ? Set.of() : stage.goingOn(sinceNs);
    }

    /** Sets the first expectations. */
    void first() {
        stage.expectFirst(all().keySet());
    }

    void expect() {
        Map<String, Long> all = all();
        Set<String> sending = new HashSet<>(all.keySet());
        sending.removeIf(source -> !isOnTheWay(source, all.get(source)));
        stage.expect(all.keySet(), sending, clock.nowNs());
    }

    /**
     * Returns the sources whose windows are in Kafka, or wait for it, and were not read here yet.
     */
    Set<String> unread() {
        Map<String, Long> all = all();
        Set<String> unread = new HashSet<>(all.keySet());
        unread.removeIf(source -> !isOnTheWay(source, all.get(source)));
        return unread;
    }

    private boolean isOnTheWay(String source, long untilNs) {
        return untilNs > Math.min(stage.reachedNs(source), AwaitedWorkers.ENDED_NS);
    }

    /**
     * Returns the sources, with the time up to which each has windows on the way. Slices are waited
     * for while they move, and while their new owner catches up. After a start, sources that were
     * there before are waited for until they can have been heard.
     */
    private Map<String, Long> all() {
        Map<String, Long> all = new HashMap<>();
        for (int s = 0; s < shards; s++) {
            all.put("shard-" + s, Long.MIN_VALUE);
        }
        if (shards > 0) {
            return all;
        }
        if (clock.nowNs() < HEARD_WITHIN_NS) {
            wereThere.forEach(worker -> all.put(worker, Long.MAX_VALUE));
        }
        sources.workers()
                .forEach(
                        (worker, untilNs) -> {
                            // A heartbeat can be older than the end that was read here.
                            boolean ended = stage.hasEnded(worker, sources.life(worker));
                            if (!ended && (isOnTheWay(worker, untilNs) || hasBegun(worker))) {
                                all.put(worker, untilNs);
                            }
                        });
        for (SlicedReplay replay : sources.catalog().slices().values()) {
            replay.workers().forEach(slice -> all.put(slice, Long.MAX_VALUE));
        }
        return all;
    }

    private boolean hasBegun(String worker) {
        String life = sources.life(worker);
        return life.isEmpty() || stage.hasHeardOf(worker, life);
    }
}
