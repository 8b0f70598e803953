package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.TestCatalogs;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.operators.graph.Query;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Queries are replaced while windows of their versions wait, and tasks of the merge are started
 * anew at any point. Rows, and what wakes, are those of a merge that was never started anew.
 */
final class ReplacedVersionsTest {
    private static final int ROUNDS = 30;
    private static final int SHARDS = 2;
    private static final int SECONDS = 6;
    private static final long FOR_EVER = 1L << 55;

    /** Who was there before a start is waited for so long. */
    private static final long HEARD_MS = 6_000;

    private static final Map<String, Long> BOTH = Map.of("a", 0L, "b", 0L);
    private static final String FROM = " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), ";
    private static final String TOLD = "COUNT(*) AS n, packets_lost, packets_missing, completeness";

    private static final String SLOW =
            "CREATE QUERY slow AS SELECT src_addr, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '3' SECOND), src_addr;";

    /** In the first version; conditions are over rows of one, and of its successor. */
    private static final String MORE =
            "CREATE QUERY leaves AS SELECT src_addr, COUNT(*) AS n"
                    + FROM
                    + "src_addr;"
                    + SLOW
                    + "CREATE QUERY busy AS SELECT src_addr, COUNT(*) AS n"
                    + FROM
                    + "src_addr WHEN after_shards.n > 1 FOR INTERVAL '1' SECOND;";

    /** Has other columns before those of the first version. */
    private static final String SUCCESSORS =
            SLOW
                    + "CREATE QUERY in_shards AS SELECT proto, src_addr, "
                    + TOLD
                    + FROM
                    + "proto, src_addr; CREATE QUERY after_shards AS SELECT proto, src_addr, "
                    + TOLD
                    + FROM
                    + "proto, src_addr ORDER BY n DESC;";

    /** Is made on workers. */
    private static final String LEFT =
            "CREATE QUERY leaves AS SELECT src_addr, dst_addr, COUNT(*) AS n"
                    + FROM
                    + "src_addr, dst_addr;";

    private final long seed = Long.getLong("weir.seed", 67);
    private final Random random = new Random(seed);
    private int restarts;

    /** What a round is, but for restarts: what workers send, whose versions end when they do. */
    private record Round(
            List<List<MergeMessage>> a,
            List<List<MergeMessage>> b,
            long offered,
            int known,
            long order) {}

    /** What came of it. */
    private record Made(List<String> rows, Set<String> woken) {}

    private int[] packets() {
        int[] packets = new int[SECONDS];
        Arrays.setAll(packets, s -> 1 + random.nextInt(20));
        return packets;
    }

    private Round round() {
        int[] a = packets();
        int[] b = packets();
        int replaced = 2 + random.nextInt(SECONDS - 2);
        List<Query> successors = MergedLibraryTest.queries(SUCCESSORS);
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH, MORE)) {
            return new Round(
                    merge.replacing("a", a, replaced, successors),
                    merge.replacing("b", b, replaced, successors),
                    IntStream.concat(IntStream.of(a), IntStream.of(b)).sum(),
                    random.nextInt(replaced),
                    random.nextLong());
        }
    }

    @Test
    void rowsAreThoseOfAMergeThatGoesOn() {
        for (int round = 0; round < ROUNDS; round++) {
            Round one = round();
            Made expected = made(one, 0);
            Made made = made(one, 6);
            String about = "round " + round + ", -Dweir.seed=" + seed;
            assertEquals(List.of(), without(expected.rows, made.rows), "lacks, " + about);
            assertEquals(List.of(), without(made.rows, expected.rows), "has, " + about);
            assertEquals(expected.woken, made.woken, about);
            for (String query : List.of("in_shards", "after_shards", "leaves", "slow")) {
                // Where others share the open window, it is whole in both versions.
                assertTrue(packets(expected.rows, query) >= one.offered, query + ", " + about);
            }
        }
        assertTrue(restarts > 3 * ROUNDS, restarts + " restarts");
    }

    /** In versions 2 and 3 after each other. */
    private static void replaceTwice(MergeBench merge) {
        for (long version = 2; version <= 3; version++) {
            List<Query> queries = MergedLibraryTest.queries(SUCCESSORS + LEFT);
            merge.world().catalog(TestCatalogs.of(version, queries));
            merge.tick();
        }
    }

    /** A version that has been replaced twice is here no more, whatever waits of it. */
    @Test
    void whatIsNotMadeIsTold() {
        try (MergeBench merge = new MergeBench(1, FOR_EVER, BOTH)) {
            ProcessorBench shard = merge.shard(0);
            List<MergeMessage> a = merge.sent("a", new int[] {5, 7, 9}).get(0);
            process(shard, MergeBench.take(a, 0));
            replaceTwice(merge);
            // Of each of two queries.
            assertEquals(2, shard.counts().replacedWindows().get());
            assertEquals(10, shard.counts().replacedPackets().get());
            process(shard, a);
            assertEquals(6, shard.counts().replacedWindows().get());
            assertEquals(42, shard.counts().replacedPackets().get());
            merge.world().catalog(TestCatalogs.of(Map.of()));
            merge.tick();
            assertEquals(42, shard.counts().replacedPackets().get());
        }
    }

    /** An earlier release has written the store, and keeps no versions. */
    @Test
    void whatAnEarlierReleaseHasNotKeptIsTold() {
        try (MergeBench merge = new MergeBench(1, FOR_EVER, BOTH)) {
            ProcessorBench shard = merge.shard(0);
            process(shard, MergeBench.take(merge.sent("a", new int[] {5, 7, 9}).get(0), 0));
            new KeptVersions(shard.store()).forget("in_shards");
            List<Query> queries = MergedLibraryTest.queries(SUCCESSORS);
            merge.world().catalog(TestCatalogs.of(2, queries));
            shard.restart();
            assertEquals(1, shard.counts().replacedWindows().get());
            assertEquals(5, shard.counts().replacedPackets().get());
            shard.restart();
            assertEquals(0, shard.counts().replacedWindows().get(), "told twice");
        }
    }

    private static void process(ProcessorBench shard, List<MergeMessage> messages) {
        messages.forEach(message -> shard.process(MergeMessageCodec.bytes(message)));
    }

    private static long packets(List<String> rows, String query) {
        return rows.stream()
                .filter(row -> row.startsWith(query))
                .mapToLong(row -> Long.parseLong(row.replaceFirst(".*\"n\":(\\d+).*", "$1")))
                .sum();
    }

    private static List<String> without(List<String> all, List<String> some) {
        List<String> left = new ArrayList<>(all);
        some.forEach(left::remove);
        return left;
    }

    private static List<List<MergeMessage>> copy(List<List<MergeMessage>> messages) {
        List<List<MergeMessage>> copy = new ArrayList<>();
        messages.forEach(shard -> copy.add(new ArrayList<>(shard)));
        return copy;
    }

    private static CatalogState replacedIn(CatalogState first) {
        Map<String, Query> later = new LinkedHashMap<>();
        MergedLibraryTest.queries(SUCCESSORS + LEFT)
                .forEach(query -> later.put(query.name(), query));
        Map<Query, Long> versions = new LinkedHashMap<>();
        for (Query query : first.queries()) {
            boolean stays = !later.containsKey(query.name());
            versions.put(later.getOrDefault(query.name(), query), stays ? 1L : 2L);
        }
        return TestCatalogs.of(versions);
    }

    /**
     * @param one in so many messages a task is started anew; 0: never
     */
    private Made made(Round round, int one) {
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, BOTH, MORE)) {
            CatalogState first = merge.world().catalog();
            var a = copy(round.a);
            var b = copy(round.b);
            Random order = new Random(round.order);
            for (int second = 0; second < SECONDS; second++) {
                if (second == round.known) {
                    // Windows of the second before wait, as far as one worker is behind.
                    send(merge, order, one, 0, a, second - 1);
                    merge.world().catalog(replacedIn(first));
                    merge.tick();
                }
                send(merge, order, one, order.nextInt(3), a, second);
                send(merge, order, one, order.nextInt(3), b, second);
            }
            send(merge, order, one, 0, a, SECONDS);
            send(merge, order, one, 0, b, SECONDS);
            merge.world().pass(HEARD_MS);
            merge.tick();
            return new Made(merge.rows().stream().sorted().toList(), merge.world().woken());
        }
    }

    /** Up to a second, but for so many of the last messages. */
    private void send(
            MergeBench merge,
            Random order,
            int one,
            int behind,
            List<List<MergeMessage>> messages,
            int second) {
        for (int shard : order.nextBoolean() ? new int[] {0, 1} : new int[] {1, 0}) {
            List<MergeMessage> left = messages.get(shard);
            Deque<MergeMessage> now = new ArrayDeque<>(MergeBench.take(left, second));
            for (int b = 0; b < behind && !now.isEmpty(); b++) {
                left.add(0, now.removeLast());
            }
            for (MergeMessage message : now) {
                if (one > 0 && random.nextInt(one) == 0) {
                    restarts++;
                    int task = random.nextInt(SHARDS + 1);
                    (task == SHARDS ? merge.second() : merge.shard(task)).restart();
                }
                merge.shard(shard).process(MergeMessageCodec.bytes(message));
            }
        }
    }
}
