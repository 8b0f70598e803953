package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.MergeMessage;
import io.weir.cluster.protocol.TinySource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tasks of the merge are started anew at any point, from what is in their stores, while a worker is
 * given up or gone now and then and windows of it never come. Packets in rows and those told as
 * lost are those that there were, to one, in shards and after them.
 */
final class RestartedMergeTest {
    private static final int ROUNDS = 40;
    private static final int SHARDS = 3;
    private static final int SECONDS = 14;
    private static final long LOOK_MS = 500;

    /** Who was there before a start is waited for so long, and then until it is given up. */
    private static final int LOOKS = 40;

    private static final Map<String, Long> BOTH = Map.of("a", 0L, "b", 0L);

    private final long seed = Long.getLong("weir.seed", 43);
    private final Random random = new Random(seed);
    private int restarts;

    private int[] packets() {
        int[] packets = new int[SECONDS];
        Arrays.setAll(packets, s -> 1 + random.nextInt(20));
        return packets;
    }

    private void perhapsAnother(MergeBench merge) {
        if (random.nextInt(8) == 0) {
            restarts++;
            int task = random.nextInt(SHARDS + 1);
            (task == SHARDS ? merge.second() : merge.shard(task)).restart();
        }
    }

    private void send(MergeBench merge, int shard, List<MergeMessage> messages) {
        for (MergeMessage message : messages) {
            perhapsAnother(merge);
            merge.shard(shard).process(MergeMessageCodec.bytes(message));
        }
    }

    /** Whoever is behind, or gone, is given up by all. */
    private void waitInVain(MergeBench merge) {
        for (int shard = 0; shard < SHARDS; shard++) {
            perhapsAnother(merge);
        }
        for (int look = 0; look < LOOKS; look++) {
            merge.world().pass(LOOK_MS);
            merge.tick();
        }
    }

    @Test
    void rowsAndLossesAreAllPackets() {
        for (int round = 0; round < ROUNDS; round++) {
            int[] steady = packets();
            int[] shaky = packets();
            long offered = IntStream.of(steady).sum() + (long) IntStream.of(shaky).sum();
            try (MergeBench merge = new MergeBench(SHARDS, TinySource.SECOND_NS, BOTH)) {
                round(merge, merge.sent("a", steady), merge.sent("b", shaky));
                for (String query : List.of(MergeBench.IN_SHARDS, MergeBench.AFTER_SHARDS)) {
                    var windows = merge.windows(query);
                    String about = query + ", round " + round + ", -Dweir.seed=" + seed + ": ";
                    long rows = windows.values().stream().mapToLong(w -> w.packets).sum();
                    long lost = windows.values().stream().mapToLong(w -> w.lost).sum();
                    assertEquals(offered, rows + lost, about + windows);
                    windows.forEach(
                            (second, told) -> {
                                boolean whole = told.packets == steady[second] + shaky[second];
                                assertTrue(whole || told.completeness < 1, about + second);
                                assertTrue(!whole || told.missing == 0, about + second);
                            });
                }
            }
        }
        assertTrue(restarts > 10 * ROUNDS, restarts + " restarts");
    }

    /** Long ago: nobody waits for it again, and windows go on to say that it is missing. */
    @Test
    void whoWasGivenUpBeforeAStartIsMissingAfterIt() {
        Map<Integer, MergeBench.Told> inShards = new TreeMap<>();
        for (boolean anew : new boolean[] {false, true}) {
            try (MergeBench merge = new MergeBench(SHARDS, TinySource.SECOND_NS, BOTH)) {
                givenUp(merge, anew);
                inShards = merge.windows(MergeBench.IN_SHARDS);
                for (var windows : List.of(inShards, merge.windows(MergeBench.AFTER_SHARDS))) {
                    windows.forEach(
                            (second, told) -> {
                                String about = second + ": " + told + ", anew: " + anew;
                                assertEquals(second < 2 ? 8 : 5, told.packets, about);
                                assertEquals(second < 2 ? 0 : 3, told.missing, about);
                            });
                }
            }
        }
        assertEquals(Set.of(0, 1, 2, 10, 11, 12, 13), inShards.keySet());
    }

    private void givenUp(MergeBench merge, boolean anew) {
        int[] packets = new int[74];
        for (int second : new int[] {0, 1, 2, 70, 71, 72, 73}) {
            packets[second] = 5;
        }
        List<List<MergeMessage>> a = merge.sent("a", packets);
        List<List<MergeMessage>> b = merge.sent("b", new int[] {3, 3, 3});
        for (int shard = 0; shard < SHARDS; shard++) {
            give(merge, shard, MergeBench.take(b.get(shard), 1));
            give(merge, shard, MergeBench.take(a.get(shard), 71));
        }
        waitInVain(merge);
        merge.world().workers(Map.of("a", 0L));
        if (anew) {
            for (int shard = 0; shard < SHARDS; shard++) {
                merge.shard(shard).restart();
            }
        }
        waitInVain(merge);
        for (int shard = 0; shard < SHARDS; shard++) {
            give(merge, shard, a.get(shard));
        }
    }

    private static void give(MergeBench merge, int shard, List<MergeMessage> messages) {
        messages.forEach(message -> merge.shard(shard).process(MergeMessageCodec.bytes(message)));
    }

    private void round(MergeBench merge, List<List<MergeMessage>> a, List<List<MergeMessage>> b) {
        for (int second = 0; second < SECONDS; second++) {
            // Its first and last windows are in time, so that all is known in the end.
            boolean middle = second > 0 && second < SECONDS - 2;
            boolean late = middle && random.nextInt(3) == 0;
            boolean cut = middle && random.nextInt(6) == 0;
            List<List<MergeMessage>> own = new ArrayList<>();
            for (List<MergeMessage> messages : b) {
                own.add(MergeBench.take(messages, second));
            }
            if (cut) {
                own.forEach(
                        all -> all.removeIf(message -> !(message instanceof MergeMessage.Passed)));
            }
            // Where the other is behind, the next of this one wait beside what is cut of it.
            if (late || random.nextInt(5) < 2) {
                for (int shard = 0; shard < SHARDS; shard++) {
                    send(merge, shard, MergeBench.take(a.get(shard), second));
                }
            }
            if (late) {
                merge.world().workers(random.nextBoolean() ? Map.of("a", 0L) : BOTH);
                waitInVain(merge);
                merge.world().workers(BOTH);
                merge.tick();
            }
            for (int shard = 0; shard < SHARDS; shard++) {
                send(merge, shard, own.get(shard));
            }
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            send(merge, shard, a.get(shard));
            send(merge, shard, b.get(shard));
        }
    }
}
