package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.protocol.MergeMessage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A worker begins while another counts. Once heartbeats tell of it, each shard waits for its part,
 * whether or not the shard's thread has come to its ticks in between.
 */
final class ExpectedWorkersTest {
    private static final int ROUNDS = 30;
    private static final int SHARDS = 3;
    private static final int SECONDS = 6;
    private static final long FOR_EVER = 1L << 55;

    private final long seed = Long.getLong("weir.seed", 41);
    private final Random random = new Random(seed);

    private int[] packets(int from) {
        int[] packets = new int[SECONDS];
        Arrays.setAll(packets, s -> s < from ? 0 : 1 + random.nextInt(40));
        return packets;
    }

    @Test
    void whoBeginsIsWaitedForWithoutATick() {
        for (int round = 0; round < ROUNDS; round++) {
            int from = 1 + random.nextInt(SECONDS - 1);
            int[] before = packets(0);
            int[] begins = packets(from);
            Map<Integer, Integer> expected = new TreeMap<>();
            for (int second = 0; second < SECONDS; second++) {
                expected.put(second, before[second] + begins[second]);
            }
            try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, Map.of("a", 0L))) {
                run(merge, before, begins, from);
                for (String query : List.of(MergeBench.IN_SHARDS, MergeBench.AFTER_SHARDS)) {
                    String about = query + ", round " + round + ", -Dweir.seed=" + seed;
                    Map<Integer, Integer> found = new TreeMap<>();
                    merge.windows(query)
                            .forEach(
                                    (second, told) -> {
                                        assertEquals(1.0, told.completeness, about);
                                        found.put(second, (int) told.packets);
                                    });
                    assertEquals(expected, found, about);
                }
            }
        }
    }

    private void run(MergeBench merge, int[] before, int[] begins, int from) {
        List<List<MergeMessage>> a = merge.sent("a", before);
        List<List<MergeMessage>> b = merge.sent("b", begins);
        for (int second = 0; second < SECONDS; second++) {
            if (second < from && random.nextBoolean()) {
                merge.tick();
            }
            merge.world().pass(50 + random.nextInt(1_000));
            if (second == from) {
                merge.world().workers(Map.of("a", 0L, "b", 0L));
            }
            for (String worker : random.nextBoolean() ? List.of("a", "b") : List.of("b", "a")) {
                for (int shard = 0; shard < SHARDS; shard++) {
                    List<MergeMessage> sent = (worker.equals("a") ? a : b).get(shard);
                    if (worker.equals("a") || second >= from) {
                        for (MergeMessage message : MergeBench.take(sent, second)) {
                            merge.shard(shard).process(MergeMessageCodec.bytes(message));
                        }
                    }
                }
            }
        }
        for (List<List<MergeMessage>> worker : List.of(a, b)) {
            for (int shard = 0; shard < SHARDS; shard++) {
                for (MergeMessage message : worker.get(shard)) {
                    merge.shard(shard).process(MergeMessageCodec.bytes(message));
                }
            }
        }
    }
}
