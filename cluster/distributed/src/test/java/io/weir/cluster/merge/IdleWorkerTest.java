package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.TinySource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A worker that lives and has no packets holds nobody back: one that has never had any, and one
 * that was killed, or has ended, and was started again on a pipe that nobody writes to.
 */
class IdleWorkerTest {
    private static final int[] PACKETS = {5, 5, 5, 5, 5, 5};
    private static final long NOTHING = Long.MIN_VALUE;

    private final Map<String, Long> heard = Map.of("a", NOTHING, "b", NOTHING);

    private static MergeBench merge(Map<String, Long> workers) {
        return new MergeBench(1, 10 * TinySource.SECOND_NS, workers);
    }

    private static void send(MergeBench merge, List<MergeMessage> messages, int second) {
        MergeBench.take(messages, second)
                .forEach(message -> merge.shard(0).process(MergeMessageCodec.bytes(message)));
    }

    private static int made(MergeBench merge) {
        return merge.windows(MergeBench.IN_SHARDS).size();
    }

    @Test
    void oneThatNeverHadAPacket() {
        try (MergeBench merge = merge(heard)) {
            merge.world().lives(Map.of("a", "1", "b", "1"));
            merge.tick();
            send(merge, merge.sent("b", "1", true, PACKETS).get(0), 4);
            assertEquals(5, made(merge));
            merge.windows(MergeBench.IN_SHARDS)
                    .values()
                    .forEach(told -> assertEquals("5 packets, 0 lost, 0 missing, 1.0", told + ""));
        }
    }

    /** Its windows that were open are missing: rows say so, and come at once. */
    @Test
    void oneThatWasKilledAndHasNoPackets() {
        long oneS = TinySource.SECOND_NS;
        try (MergeBench merge = merge(Map.of("a", oneS, "b", NOTHING))) {
            merge.world().lives(Map.of("a", "1", "b", "1"));
            List<MergeMessage> b = merge.sent("b", "1", true, PACKETS).get(0);
            send(merge, merge.sent("a", "1", true, PACKETS).get(0), 0);
            send(merge, b, 3);
            merge.tick();
            assertEquals(1, made(merge));
            merge.world().lives(Map.of("a", "2", "b", "1"));
            merge.tick();
            assertEquals(4, made(merge));
            assertEquals(
                    "5 packets, 0 lost, 5 missing, 0.5",
                    merge.windows(MergeBench.IN_SHARDS).get(2).toString());
            List<MergeMessage> again =
                    merge.sent("a", "2", true, new int[] {0, 0, 0, 0, 5, 5}).get(0);
            merge.shard(0).process(MergeMessageCodec.bytes(again.remove(0)));
            send(merge, b, 4);
            assertEquals(4, made(merge));
            send(merge, again, 4);
            assertEquals(5, made(merge));
            assertEquals(10, merge.windows(MergeBench.IN_SHARDS).get(4).packets);
        }
    }

    @Test
    void oneThatHasEndedAndWasStartedAgain() {
        try (MergeBench merge = merge(Map.of("a", Long.MAX_VALUE - 1, "b", NOTHING))) {
            merge.world().lives(Map.of("a", "1", "b", "1"));
            merge.sent("a", "1", true, new int[] {5})
                    .get(0)
                    .forEach(message -> merge.shard(0).process(MergeMessageCodec.bytes(message)));
            merge.world().lives(Map.of("a", "2", "b", "1"));
            merge.tick();
            send(merge, merge.sent("b", "1", true, PACKETS).get(0), 3);
            assertEquals(4, made(merge));
            assertEquals(1.0, merge.windows(MergeBench.IN_SHARDS).get(2).completeness);
        }
    }

    /** It has read packets while Kafka was away, and their windows wait to be sent. */
    @Test
    void oneWhoseWindowsWaitIsWaitedFor() {
        try (MergeBench merge = merge(Map.of("a", Long.MAX_VALUE, "b", NOTHING))) {
            merge.world().lives(Map.of("a", "1", "b", "1"));
            merge.tick();
            send(merge, merge.sent("b", "1", true, PACKETS).get(0), 3);
            assertEquals(0, made(merge));
            send(merge, merge.sent("a", "1", true, PACKETS).get(0), 3);
            assertEquals(4, made(merge));
            assertEquals(10, merge.windows(MergeBench.IN_SHARDS).get(0).packets);
        }
    }
}
