package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.catalog.TestCatalogs;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.WakeListener;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.when.Binding;
import io.weir.operators.when.WhenState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * An engine that has the woken query, one that tests its rows for others, and the merge of two
 * workers' windows read the same rows. Each wakes the queries at the same times.
 */
final class WhenPlacesTest {
    private static final int ROUNDS = 10;
    private static final int SHARDS = 2;
    private static final int SECONDS = 25;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long FOR_EVER = 1L << 55;
    private static final String COUNT =
            " AS SELECT COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
    private static final String QUERIES =
            "CREATE QUERY rate"
                    + COUNT
                    + "; CREATE QUERY for_s"
                    + COUNT
                    + " WHEN rate.n > 25 FOR INTERVAL '3' SECOND; CREATE QUERY short_s"
                    + COUNT
                    + " WHEN rate.n > 20 FOR INTERVAL '1' SECOND; CREATE QUERY once"
                    + COUNT
                    + " WHEN rate.n > 30; CREATE QUERY until_less"
                    + COUNT
                    + " WHEN rate.n > 22 UNTIL rate.n < 16;";

    private final long seed = Long.getLong("weir.seed", 71);
    private final Random random = new Random(seed);

    @Test
    void intervalsAreTheSameInEachPlace() {
        int woken = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int[] a = random.ints(SECONDS, 0, 20).toArray();
            int[] b = random.ints(SECONDS, 0, 20).toArray();
            Map<String, String> here = new TreeMap<>();
            Map<String, String> watched = new TreeMap<>();
            engine(a, b, here, watched);
            String about = "round " + round + ", -Dweir.seed=" + seed;
            assertEquals(here, watched, about);
            assertEquals(here, merged(a, b), about);
            woken += here.size();
        }
        assertTrue(woken > 2 * ROUNDS, woken + " woken");
    }

    private void engine(int[] a, int[] b, Map<String, String> here, Map<String, String> watched) {
        Map<String, WhenState> own = new HashMap<>();
        Map<String, WhenState> others = new HashMap<>();
        try (LocalEngine engine =
                new LocalEngine(EngineOptions.DEFAULT.withTime(0, 0), new Account())) {
            engine.addListener(new Following(own));
            for (Query query : MergedLibraryTest.queries(QUERIES)) {
                engine.add(
                        KernelCompiler.compile(query, CacheConfig.DEFAULT.layouts()), rows -> {});
                if (query.when().isPresent()) {
                    WhenState state = new WhenState(1, 1_000);
                    others.put(query.name(), state);
                    engine.watch(query.when().get(), state, (change, batch, row) -> {});
                }
            }
            Map<String, Map<Long, Long>> taken = new HashMap<>();
            engine.addPassListener(passedNs -> others.forEach((q, s) -> take(q, s, taken)));
            engine.start();
            write(engine, a, b);
            engine.awaitEnd();
            taken.forEach((query, all) -> watched.put(query, text(all)));
        }
        own.forEach((query, state) -> here.put(query, text(intervals(state))));
        here.values().removeIf("[]"::equals);
    }

    /** Follows what an engine says of its own queries. */
    private record Following(Map<String, WhenState> states) implements WakeListener {
        @Override
        public void woken(Query query, long activeFromNs, RowBatch batch, int row) {}

        @Override
        public void fired(Query query, WhenState.Change change) {
            states.computeIfAbsent(query.name(), q -> new WhenState(1, 1_000)).apply(change);
        }
    }

    private static void take(String query, WhenState state, Map<String, Map<Long, Long>> taken) {
        for (WhenState.Change change : state.takeChanges()) {
            taken.computeIfAbsent(query, q -> new TreeMap<>())
                    .put(change.fromNs(), change.untilNs());
        }
    }

    private static Map<Long, Long> intervals(WhenState state) {
        TreeMap<Long, Long> intervals = new TreeMap<>();
        state.pending().stream()
                .filter(one -> one.binding().equals(Binding.NONE) && one.counts())
                .forEach(one -> intervals.put(one.fromNs(), one.untilNs()));
        return intervals;
    }

    private static String text(Map<Long, Long> intervals) {
        List<String> all = new ArrayList<>();
        intervals.forEach((fromNs, untilNs) -> all.add(fromNs + " to " + untilNs));
        return all.toString();
    }

    private void write(LocalEngine engine, int[] a, int[] b) {
        for (int second = 0; second < SECONDS; second++) {
            long[] times = new long[a[second] + b[second]];
            long beginNs = second * SECOND_NS;
            Arrays.setAll(times, p -> beginNs + random.nextInt((int) SECOND_NS));
            Arrays.sort(times);
            for (long timeNs : times) {
                while (timeNs >= engine.throttle().holdAtNs()) {
                    engine.writers().get(0).flush(timeNs);
                    engine.throttle().settle();
                }
                new RandomGpv(random, GpvLayout.FULL_V4, 1, timeNs)
                        .writeTo(engine.writers().get(0), false);
            }
        }
    }

    private static Map<String, String> merged(int[] a, int[] b) {
        HeardTriggers heard = new HeardTriggers();
        try (MergeBench merge = new MergeBench(SHARDS, FOR_EVER, Map.of(), QUERIES)) {
            merge.world().catalog(TestCatalogs.settling(merge.world().catalog(), "s", 2));
            merge.world().triggers(heard);
            merge.second().restart();
            List<List<List<MergeMessage>>> slices =
                    List.of(
                            merge.replacing("s.0", a, -1, List.of()),
                            merge.replacing("s.1", b, -1, List.of()));
            for (int second = 0; second <= SECONDS; second++) {
                for (int turn = 0; turn < slices.size() * SHARDS; turn++) {
                    List<MergeMessage> left = slices.get(turn / SHARDS).get(turn % SHARDS);
                    for (MergeMessage message : MergeBench.take(left, second)) {
                        merge.shard(turn % SHARDS).process(MergeMessageCodec.bytes(message));
                    }
                }
            }
            heard.writeAll();
        }
        return heard.activations();
    }
}
