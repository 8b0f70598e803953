package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.protocol.MergeMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;

/**
 * The merge's second step is started anew at any point, while queries over merged rows have windows
 * that they have begun and not said. Their rows are those of a merge that was never started anew.
 */
final class RestartedReadersTest {
    private static final int ROUNDS = 10;
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

    private static final Set<String> QUERIES =
            Set.of("alone", "hosts", "hops", "busy", "again", "whole", "woken", "until");

    /** Whose rows are large. */
    private static final String MANY =
            "CREATE QUERY per_host AS SELECT src_addr, COUNT(*) AS n, window_end"
                    + IntStream.range(0, 40)
                            .mapToObj(column -> ", COUNT(*) + " + column + " AS c" + column)
                            .collect(Collectors.joining())
                    + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr"
                    + " ORDER BY n DESC;"
                    + "CREATE QUERY whole AS SELECT SUM(n) AS n FROM per_host;"
                    + "CREATE QUERY short AS SELECT SUM(n) AS n FROM per_host"
                    + " GROUP BY TUMBLE(window_end, INTERVAL '3' SECOND);";

    private final Set<String> said = new TreeSet<>();
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
            Map<String, List<String>> made = rows(a, b, order, 1 + random.nextInt(8));
            String about = ", round " + round + ", -Dweir.seed=" + seed;
            said.addAll(expected.keySet());
            expected.forEach((query, all) -> assertEquals(all, made.get(query), query + about));
            assertEquals(expected.keySet(), made.keySet(), about);
        }
        assertTrue(said.containsAll(QUERIES), said.toString());
        assertTrue(restarts > 3 * ROUNDS, restarts + " restarts");
    }

    /** An earlier release has had the task, and keeps nothing of what is read. */
    @Test
    void whatNobodyHasKeptIsTold() {
        try (MergeBench merge = new MergeBench(1, FOR_EVER, Map.of("a", 0L), READERS)) {
            int[] packets = new int[SECONDS];
            Arrays.fill(packets, 5);
            List<MergeMessage> messages = merge.sent("a", packets).get(0);
            process(merge, MergeBench.take(messages, 5));
            forget(merge.second().store());
            merge.second().restart();
            // Of those that are awake.
            assertTrue(merge.second().counts().forgottenWindows().get() >= 6);
            process(merge, messages);
            String first = ", completeness 1.0";
            String lacks = ", completeness 0.0";
            List<String> alone = byQuery(merge).get("alone");
            assertEquals("alone: {\"rows_read\":20,\"n\":20}" + first, alone.get(0));
            assertTrue(alone.get(1).endsWith(lacks), alone.toString());
            assertTrue(alone.get(2).endsWith(first), alone.toString());
            // Two windows of it had begun.
            long hops = byQuery(merge).get("hops").stream().filter(r -> r.endsWith(lacks)).count();
            assertTrue(hops == 2 || hops == 3, byQuery(merge).get("hops").toString());
            assertTrue(byQuery(merge).get("whole").get(0).endsWith(lacks));
        }
    }

    /** Beyond a bound. */
    @Test
    void whatIsNotKeptIsTold() {
        int seconds = 55;
        long bytes = 1 << 16;
        try (MergeBench merge = new MergeBench(1, FOR_EVER, Map.of("a", 0L), MANY, bytes)) {
            int[] packets = new int[seconds];
            Arrays.fill(packets, 10);
            List<MergeMessage> messages = merge.sent("a", packets).get(0);
            process(merge, MergeBench.take(messages, 48));
            merge.second().restart();
            assertEquals(1, merge.second().counts().forgottenWindows().get());
            merge.second().restart();
            assertEquals(1, merge.second().counts().forgottenWindows().get());
            process(merge, messages);
            Map<String, List<String>> rows = byQuery(merge);
            assertTrue(rows.get("whole").get(0).endsWith(", completeness 0.0"), rows.toString());
            rows.get("short").forEach(row -> assertTrue(row.endsWith(", completeness 1.0"), row));
            merge.second().restart();
            merge.tick();
            assertEquals(0, merge.second().counts().forgottenWindows().get());
        }
    }

    private static void process(MergeBench merge, List<MergeMessage> messages) {
        messages.forEach(message -> merge.shard(0).process(MergeMessageCodec.bytes(message)));
    }

    private static void forget(KeyValueStore<Bytes, byte[]> store) {
        List<Bytes> readers = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            all.forEachRemaining(entry -> readers.add(entry.key));
        }
        readers.removeIf(key -> key.get()[0] != StoreJournal.WAKER || key.get()[1] != 1);
        assertTrue(readers.size() > 7, readers.size() + " records");
        readers.forEach(store::delete);
    }

    private static Map<String, List<String>> byQuery(MergeBench merge) {
        return merge.rows().stream()
                .collect(Collectors.groupingBy(row -> row.replaceFirst("[:,].*", "")));
    }

    /**
     * By query, in the order in which they were made.
     *
     * @param one in so many messages the second step is started anew; 0: never
     */
    private Map<String, List<String>> rows(int[] a, int[] b, long seedOfOrder, int one) {
        Random order = new Random(seedOfOrder);
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH, READERS)) {
            // They end, and one of them comes again.
            send(merge, order, one, List.of(merge.sent("a", a), merge.sent("b", b)), SECONDS);
            perhapsAnother(merge, Math.min(one, 1));
            if (order.nextBoolean()) {
                merge.tick();
            }
            perhapsAnother(merge, one);
            int[] later = new int[2 * SECONDS];
            System.arraycopy(a, 0, later, SECONDS, SECONDS);
            send(merge, order, one, List.of(merge.sent("b", "2", true, later)), 2 * SECONDS);
            perhapsAnother(merge, Math.min(one, 1));
            merge.tick();
            return byQuery(merge);
        }
    }

    private void send(
            MergeBench merge,
            Random order,
            int one,
            List<List<List<MergeMessage>>> workers,
            int seconds) {
        int turns = workers.size() * SHARDS;
        for (int second = 0; second <= seconds; second++) {
            for (int turn : order.ints(0, turns).distinct().limit(turns).toArray()) {
                List<MergeMessage> left = workers.get(turn / SHARDS).get(turn % SHARDS);
                for (MergeMessage message : MergeBench.take(left, second)) {
                    perhapsAnother(merge, one);
                    merge.shard(turn % SHARDS).process(MergeMessageCodec.bytes(message));
                }
            }
        }
    }

    private void perhapsAnother(MergeBench merge, int one) {
        if (one > 0 && random.nextInt(one) == 0) {
            restarts++;
            merge.second().restart();
        }
    }
}
