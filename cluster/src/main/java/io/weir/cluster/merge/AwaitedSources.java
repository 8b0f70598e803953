package io.weir.cluster.merge;

import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.kafka.heartbeat.AwaitedWorkers;
import io.weir.operators.merge.MergeStage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The sources that a task of the merge waits for. A worker that is alive and has not begun to count
 * is not waited for: before its first packet it tells that it begins, and waits until that is in
 * Kafka. The stream's thread.
 */
final class AwaitedSources {
    /** After a start, workers that were there then are heard by then, if they still are. */
    private static final long HEARD_WITHIN_NS = 5_000_000_000L;

    /** A source that was behind by more had been given up before. */
    private static final long RECENT_NS = 60_000_000_000L;

    private final MergeStage stage;
    private final MergeSources sources;
    private final ReadingClock clock;
    private final int shards;
    private final Set<String> wereThere;

    /**
     * @param stage as it was left by who had it before
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

    /** At the beginning. */
    void first() {
        stage.expectFirst(all().keySet());
    }

    void expect() {
        Map<String, Long> all = all();
        Set<String> sending = new HashSet<>(all.keySet());
        sending.removeIf(source -> !isOnTheWay(source, all.get(source)));
        stage.expect(all.keySet(), sending, clock.nowNs());
    }

    /** The sources whose windows are in Kafka, or wait for it, and were not read here yet. */
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
     * And up to when each has something on its way. Slices are waited for also while they move, and
     * while who has one anew comes to where it was left; and after a start those who were there
     * before, until they can have been heard.
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
                            if (isOnTheWay(worker, untilNs) || hasBegun(worker)) {
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
