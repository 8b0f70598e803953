package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.merge.Parcel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The merge's second step is started anew at any point, while queries over merged rows have windows
 * that they have begun and not said. Their rows are those of a merge that was never started anew.
 */
final class RestartedReadersTest {
    private static final int ROUNDS = 20;
    private static final int SHARDS = 2;
    private static final int SECONDS = 14;
    private static final long FOR_EVER = 1L << 55;
    private static final Map<String, Long> BOTH = Map.of("a", 0L, "b", 0L);

    private static final String READERS =
            "CREATE QUERY per_host AS SELECT src_addr, COUNT(*) AS n, window_end FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr"
                    + " ORDER BY n DESC, src_addr;"
                    + "CREATE QUERY alone AS SELECT COUNT(*) AS rows_read, SUM(n) AS n FROM per_host"
                    + " GROUP BY TUMBLE(window_end, INTERVAL '4' SECOND);"
                    + "CREATE QUERY hosts AS SELECT src_addr, SUM(n) AS n, window_end FROM per_host"
                    + " GROUP BY TUMBLE(window_end, INTERVAL '3' SECOND), src_addr;"
                    + "CREATE QUERY hops AS SELECT SUM(n) AS n FROM per_host"
                    + " GROUP BY HOP(window_end, INTERVAL '2' SECOND, INTERVAL '5' SECOND);"
                    + "CREATE QUERY busy AS SELECT src_addr, n FROM per_host WHERE n > 1"
                    + " LIMIT 30;"
                    + "CREATE QUERY again AS SELECT COUNT(*) AS rows_read, SUM(n) AS n FROM hosts"
                    + " GROUP BY TUMBLE(window_end, INTERVAL '6' SECOND);"
                    + "CREATE QUERY whole AS SELECT COUNT(*) AS rows_read, SUM(n) AS n"
                    + " FROM per_host;"
                    + "CREATE QUERY woken AS SELECT SUM(n) AS n FROM per_host"
                    + " GROUP BY TUMBLE(window_end, INTERVAL '3' SECOND)"
                    + " WHEN alone.n > 20 FOR INTERVAL '2' SECOND;"
                    + "CREATE QUERY until AS SELECT COUNT(*) AS rows_read FROM per_host"
                    + " WHEN hosts.n > 4 UNTIL hosts.n < 4;";

    private final long seed = Long.getLong("weir.seed", 71);
    private final Random random = new Random(seed);
    private int restarts;

    private int[] packets() {
        int[] packets = new int[SECONDS];
        Arrays.setAll(packets, s -> random.nextInt(20));
        return packets;
    }

    @Test
    void rowsAreThoseOfAMergeThatGoesOn() {
        for (int round = 0; round < ROUNDS; round++) {
            int[] a = packets();
            int[] b = packets();
            long order = random.nextLong();
            Map<String, List<String>> expected = rows(a, b, order, 0);
            Map<String, List<String>> made = rows(a, b, order, 5);
            String about = "round " + round + ", -Dweir.seed=" + seed;
            assertTrue(expected.keySet().containsAll(List.of("alone", "hosts", "hops")), about);
            assertTrue(expected.keySet().containsAll(List.of("busy", "again", "whole")), about);
            expected.forEach((query, all) -> assertEquals(all, made.get(query), query + about));
            assertEquals(expected.keySet(), made.keySet(), about);
        }
        assertTrue(restarts > 3 * ROUNDS, restarts + " restarts");
    }

    /**
     * By query, in the order in which they were made.
     *
     * @param one in so many parcels the second step is started anew; 0: never
     */
    private Map<String, List<String>> rows(int[] a, int[] b, long seedOfOrder, int one) {
        Random order = new Random(seedOfOrder);
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH, READERS)) {
            List<List<Parcel>> ofA = merge.sent("a", a);
            List<List<Parcel>> ofB = merge.sent("b", b);
            for (int second = 0; second <= SECONDS; second++) {
                for (int turn : order.ints(0, 2 * SHARDS).distinct().limit(2 * SHARDS).toArray()) {
                    List<Parcel> left = (turn < SHARDS ? ofA : ofB).get(turn % SHARDS);
                    for (Parcel parcel : MergeBench.take(left, second)) {
                        perhapsAnother(merge, one);
                        merge.shard(turn % SHARDS).process(ParcelCodec.bytes(parcel));
                    }
                }
            }
            perhapsAnother(merge, Math.min(one, 1));
            merge.tick();
            return merge.rows().stream()
                    .collect(Collectors.groupingBy(row -> row.replaceFirst("[:,].*", "")));
        }
    }

    private void perhapsAnother(MergeBench merge, int one) {
        if (one > 0 && random.nextInt(one) == 0) {
            restarts++;
            merge.second().restart();
        }
    }
}
