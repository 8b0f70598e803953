package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.catalog.TestCatalogs;
import io.weir.cluster.protocol.MergeMessage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The merge's second step ends at any point between a row and the writing of the triggers that it
 * fires, before and after the row is committed, and before it hears that a trigger is written. What
 * others hear, and whether they hear it before they hear that all is settled, is as of a merge that
 * was never started anew.
 */
final class RestartedWakesTest {
    private static final int ROUNDS = 40;
    private static final int SHARDS = 2;
    private static final int SECONDS = 20;
    private static final long FOR_EVER = 1L << 55;

    private static final String WAITING =
            "CREATE QUERY rate AS SELECT COUNT(*) AS n, window_end FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"
                    + "CREATE QUERY sums AS SELECT SUM(n) AS n FROM rate"
                    + " GROUP BY TUMBLE(window_end, INTERVAL '3' SECOND);"
                    + waiting("for_s", "rate.n > 25 FOR INTERVAL '2' SECOND")
                    + waiting("short_s", "rate.n > 20 FOR INTERVAL '1' SECOND")
                    + waiting("once", "rate.n > 30")
                    + waiting("until_less", "rate.n > 24 UNTIL rate.n < 16")
                    + waiting("renewed", "after_shards.n > 3 FOR INTERVAL '3' SECOND")
                    + waiting("by_sums", "sums.n > 50 UNTIL sums.n < 55")
                    + "CREATE QUERY keyed AS SELECT src_addr, COUNT(*) AS n"
                    + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr;"
                    + bound("bound_until", "keyed.n > 2 UNTIL keyed.n < 2")
                    + bound("bound_for", "keyed.n > 2 FOR INTERVAL '2' SECOND");

    /** Each key has activations of its own, with numbers that a successor goes on with. */
    private static String bound(String name, String when) {
        return "CREATE QUERY "
                + name
                + " AS SELECT keyed.n AS woke, COUNT(*) AS n FROM packets"
                + " WHERE src_addr = keyed.src_addr GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)"
                + " WHEN "
                + when
                + ";";
    }

    private static String waiting(String name, String when) {
        return "CREATE QUERY "
                + name
                + " AS SELECT COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)"
                + " WHEN "
                + when
                + ";";
    }

    private final long seed = Long.getLong("weir.seed", 97);
    private final Random random = new Random(seed);
    private int restarts;
    private int aborted;

    private int[] packets() {
        int[] packets = new int[SECONDS];
        Arrays.setAll(packets, s -> random.nextInt(20));
        return packets;
    }

    @Test
    void whatIsHeardIsThatOfAMergeThatGoesOn() {
        TreeSet<String> woken = new TreeSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            int[] a = packets();
            int[] b = packets();
            long order = random.nextLong();
            HeardTriggers expected = heard(a, b, order, 0);
            HeardTriggers heard = heard(a, b, order, 1 + random.nextInt(8));
            String about = "round " + round + ", -Dweir.seed=" + seed;
            assertEquals(expected.activations(), heard.activations(), about);
            assertEquals(List.of(), heard.unheard(expected), about);
            assertTrue(heard.settledNs() >= expected.settledNs(), about);
            woken.addAll(expected.activations().keySet());
        }
        assertEquals(6 + 2 * 9, woken.size(), woken.toString());
        assertTrue(restarts > 3 * ROUNDS && aborted > ROUNDS, restarts + ", " + aborted);
    }

    /**
     * @param one in so many messages the second step is started anew; 0: never
     */
    private HeardTriggers heard(int[] a, int[] b, long seedOfOrder, int one) {
        HeardTriggers heard = new HeardTriggers();
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, Map.of(), WAITING)) {
            merge.world().catalog(TestCatalogs.settling(merge.world().catalog(), "s", 2));
            merge.world().triggers(heard);
            merge.second().restart();
            List<List<List<MergeMessage>>> slices =
                    List.of(
                            merge.replacing("s.0", a, -1, List.of()),
                            merge.replacing("s.1", b, -1, List.of()));
            merge.second().before(message -> perhapsEnd(merge.second(), heard, one, message));
            send(merge, new Random(seedOfOrder), slices);
            merge.second().restart();
            heard.writeAll();
            return heard;
        }
    }

    /** Before the second step takes a message in. */
    private void perhapsEnd(ProcessorBench second, HeardTriggers heard, int one, byte[] message) {
        if (one == 0) {
            heard.writeAll();
            return;
        }
        heard.writeSome(random);
        if (random.nextInt(one) > 0) {
            return;
        }
        restarts++;
        if (random.nextBoolean()) {
            aborted++;
            second.abort(message);
            heard.writeSome(random);
        }
        heard.end();
        second.restart();
    }

    private static void send(
            MergeBench merge, Random order, List<List<List<MergeMessage>>> slices) {
        int turns = slices.size() * SHARDS;
        for (int second = 0; second <= SECONDS; second++) {
            for (int turn : order.ints(0, turns).distinct().limit(turns).toArray()) {
                List<MergeMessage> left = slices.get(turn / SHARDS).get(turn % SHARDS);
                for (MergeMessage message : MergeBench.take(left, second)) {
                    merge.shard(turn % SHARDS).process(MergeMessageCodec.bytes(message));
                }
            }
        }
    }
}
