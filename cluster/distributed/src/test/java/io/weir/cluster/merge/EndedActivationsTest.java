package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.MergeMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * All who are waited for end in order; then what another has left comes, and all begin again, in a
 * window of which rows were made, while tasks of the merge are started anew at any point. Rows are
 * those of a merge that was never started anew.
 */
final class EndedActivationsTest {
    private static final int ROUNDS = 30;
    private static final int SHARDS = 2;
    private static final int SECONDS = 5;
    private static final long FOR_EVER = 1L << 55;
    private static final String TOTALS =
            "CREATE QUERY totals AS SELECT src_addr, COUNT(*) AS n FROM packets GROUP BY src_addr;";

    /** Who was there before a start is waited for until then. */
    private static final int LOOKS = 12;

    private static final long LOOK_MS = 500;
    private static final Map<String, Long> A = Map.of("a", 0L);
    private static final Map<String, Long> BOTH = Map.of("a", 0L, "b", 0L);

    private final long seed = Long.getLong("weir.seed", 47);
    private final Random random = new Random(seed);
    private int restarts;

    /** What comes in a round; b is gone after some seconds, and begins again with a. */
    private record Round(
            List<Integer> a,
            List<Integer> b,
            int bTo,
            List<Integer> aAgain,
            List<Integer> bAgain) {}

    private List<Integer> packets(int from, int to) {
        List<Integer> packets = new ArrayList<>();
        for (int second = 0; second < to; second++) {
            packets.add(second < from ? 0 : 1 + random.nextInt(20));
        }
        return packets;
    }

    private static int[] array(List<Integer> packets) {
        return packets.stream().mapToInt(Integer::intValue).toArray();
    }

    @Test
    void rowsAreThoseOfAMergeThatGoesOn() {
        for (int round = 0; round < ROUNDS; round++) {
            int last = SECONDS - random.nextInt(2); // in the second after, or in the same
            Round one =
                    new Round(
                            packets(0, SECONDS),
                            packets(0, SECONDS),
                            1 + random.nextInt(SECONDS - 1),
                            packets(last, SECONDS + 3),
                            packets(last, SECONDS + 3));
            List<String> expected = rows(one, () -> false);
            List<String> rows = rows(one, () -> random.nextInt(8) == 0);
            String about = "round " + round + ", -Dweir.seed=" + seed;
            assertEquals(String.join("\n", expected), String.join("\n", rows), about);
            assertTrue(expected.stream().anyMatch(row -> row.startsWith("totals")), about);
        }
        assertTrue(restarts > 3 * ROUNDS, restarts + " restarts");
    }

    private List<String> rows(Round round, BooleanSupplier another) {
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH, TOTALS)) {
            List<List<MergeMessage>> a = merge.sent("a", array(round.a));
            List<List<MergeMessage>> b = merge.sent("b", array(round.b));
            for (int second = 0; second < round.bTo; second++) {
                send(merge, b, second, another);
            }
            merge.world().workers(A);
            wait(merge);
            send(merge, List.of(a), another);
            send(merge, List.of(b), another);
            merge.world().workers(BOTH);
            wait(merge);
            List<List<MergeMessage>> aAgain = merge.sent("a", "2", true, array(round.aAgain));
            List<List<MergeMessage>> bAgain = merge.sent("b", "2", true, array(round.bAgain));
            send(merge, List.of(aAgain, bAgain), another);
            return merge.rows().stream().sorted().toList();
        }
    }

    private void send(
            MergeBench merge,
            List<List<MergeMessage>> messages,
            int second,
            BooleanSupplier another) {
        for (int shard = 0; shard < SHARDS; shard++) {
            for (MergeMessage message : MergeBench.take(messages.get(shard), second)) {
                send(merge, shard, message, another);
            }
        }
    }

    /** All that is left of some workers, second by second. */
    private void send(
            MergeBench merge, List<List<List<MergeMessage>>> workers, BooleanSupplier another) {
        for (int second = 0; second <= SECONDS + 3; second++) {
            for (List<List<MergeMessage>> messages : workers) {
                send(merge, messages, second, another);
            }
        }
    }

    private void send(MergeBench merge, int shard, MergeMessage message, BooleanSupplier another) {
        if (another.getAsBoolean()) {
            restarts++;
            int task = random.nextInt(SHARDS + 1);
            (task == SHARDS ? merge.second() : merge.shard(task)).restart();
            wait(merge);
        }
        merge.shard(shard).process(MergeMessageCodec.bytes(message));
    }

    /** Whoever is gone is waited for no more, though a task was started anew. */
    private static void wait(MergeBench merge) {
        for (int look = 0; look < LOOKS; look++) {
            merge.world().pass(LOOK_MS);
            merge.tick();
        }
    }
}
