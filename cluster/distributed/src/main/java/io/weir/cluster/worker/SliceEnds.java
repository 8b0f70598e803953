package io.weir.cluster.worker;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.kafka.results.SentPositions;
import io.weir.cluster.merge.MergeMessageEntries;
import io.weir.operators.time.Clock;
import java.util.Map;

/** Returns whether all slices of a replay were counted to their ends, and sent. One thread. */
final class SliceEnds {
    private static final long ASK_MS = 1_000;

    private final SentPositions positions;
    private final SlicedReplay replay;
    private final Clock clock;
    private long askedMs;

    SliceEnds(KafkaSettings kafka, SlicedReplay replay) {
        this.positions = new SentPositions(kafka);
        this.replay = replay;
        this.clock = kafka.clock();
    }

    /** Returns the value of the last second; false while Kafka is away. */
    boolean all() {
        long nowMs = clock.millis();
        if (nowMs - askedMs < ASK_MS) {
            return false;
        }
        askedMs = nowMs;
        Map<String, Long> passed = positions.passedNs();
        return replay.workers()
                .map(slice -> MergeMessageEntries.name(slice) + " of " + replay.version())
                .allMatch(name -> passed.getOrDefault(name, 0L) == Long.MAX_VALUE);
    }
}
