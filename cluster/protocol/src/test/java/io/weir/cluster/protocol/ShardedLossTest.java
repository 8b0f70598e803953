package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.Losses;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What is lost is told once, however many shards a window has: rows that are made after the shards
 * say what those say that one merge without shards makes.
 */
final class ShardedLossTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 24, 100);
    private static final int SHARDS = 4;
    private static final int SECONDS = 6;
    private static final int ROUNDS = 40;

    private final long seed = Long.getLong("weir.seed", 20_261_122);

    /** A worker: packets that it counted, and lost, in each second; and what never comes of it. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Worker(String name, int[] counted, int[] lost, Set<Integer> cutSeconds) {
        long before(int second) {
            return IntStream.range(0, second).mapToLong(s -> counted[s] + lost[s]).sum();
        }

        List<List<MergeMessage>> messages(int shards) {
            return TinySource.messages(CODE, new WorkerEpoch(name, "1"), shards, 9000, counted)
                    .stream()
                    .map(messages -> messages.stream().map(this::told).toList())
                    .toList();
        }

        private MergeMessage told(MergeMessage message) {
            if (!(message instanceof MergeMessage.WindowEnd end)) {
                return message;
            }
            MergeMessage.Window w = end.window();
            int second = (int) (w.endNs() / SECOND_NS) - 1;
            return new MergeMessage.WindowEnd(
                    end.source(),
                    end.sequence(),
                    end.activation(),
                    new MergeMessage.Window(
                            w.startNs(),
                            w.endNs(),
                            w.untilNs(),
                            w.activeFromNs(),
                            Losses.of(lost[second]),
                            w.processed(),
                            before(second),
                            w.blocks(),
                            w.goesOn(),
                            w.leftOut(),
                            w.ledger(),
                            w.earlier(),
                            w.bindings()));
        }

        boolean isCut(MergeMessage message) {
            return message instanceof MergeMessage.Block block && isCut(block.endNs())
                    || message instanceof MergeMessage.WindowEnd end && isCut(end.window().endNs());
        }

        private boolean isCut(long endNs) {
            return cutSeconds.contains((int) (endNs / SECOND_NS) - 1);
        }
    }

    private static Worker worker(String name, Random random) {
        int[] counted = new int[SECONDS];
        int[] lost = new int[SECONDS];
        Arrays.setAll(counted, s -> 1 + random.nextInt(30));
        Arrays.setAll(lost, s -> random.nextInt(4) == 0 ? random.nextInt(20) : 0);
        // Not the last: what comes after tells of it. Nor the first: whoever has heard nothing of
        // this life cannot know that anything was before.
        int cut = 1 + random.nextInt(2 * SECONDS);
        return new Worker(name, counted, lost, cut < SECONDS - 1 ? Set.of(cut) : Set.of());
    }

    /** What the rows of a window say, and the packets in them. */
    private static final class Told {
        private final TreeMap<String, Long> rows = new TreeMap<>();
        private final List<String> says = new ArrayList<>();
        private long packets;
        private long lost;

        void row(RowBatch batch, int r) {
            assertEquals(null, rows.put("" + batch.value(r, 0), (Long) batch.value(r, 1)));
            packets += (Long) batch.value(r, 1);
            lost = (Long) batch.value(r, 2);
            String now =
                    "lost " + lost + ", missing " + batch.value(r, 3) + ", " + batch.real(r, 4);
            if (!says.contains(now)) {
                says.add(now);
            }
        }

        @Override
        public String toString() {
            return rows + " " + says;
        }
    }

    private final TreeMap<Long, Told> windows = new TreeMap<>();

    private void rows(RowBatch batch) {
        Told told = windows.computeIfAbsent(batch.windowEndNs(), e -> new Told());
        for (int r = 0; r < batch.rows(); r++) {
            told.row(batch, r);
        }
    }

    private Map<Long, Told> taken() {
        TreeMap<Long, Told> taken = new TreeMap<>(windows);
        windows.clear();
        return taken;
    }

    private Map<Long, Told> unsharded(List<Worker> workers) {
        try (NativeAllocator allocator = new NativeAllocator(1L << 26);
                MergeStage stage = MergeStage.first(allocator, OPTIONS)) {
            stage.add(CODE, 1, this::rows);
            stage.expectFirst(names(workers));
            for (Worker worker : workers) {
                for (MergeMessage message : worker.messages(1).get(0)) {
                    if (!worker.isCut(message)) {
                        stage.accept(message, 0);
                    }
                }
            }
        }
        return taken();
    }

    private static Set<String> names(List<Worker> workers) {
        return Set.copyOf(workers.stream().map(Worker::name).toList());
    }

    /**
     * @param cutShards of whose messages some never come
     */
    private Map<Long, Told> sharded(List<Worker> workers, Set<Integer> cutShards) {
        List<String> names = IntStream.range(0, SHARDS).mapToObj(s -> "shard-" + s).toList();
        try (NativeAllocator allocator = new NativeAllocator(1L << 26);
                MergeStage second = MergeStage.second(allocator, OPTIONS)) {
            second.add(CODE, 1, this::rows);
            second.expectFirst(Set.copyOf(names));
            List<MergeStage> shards = new ArrayList<>();
            for (String name : names) {
                shards.add(
                        TestShards.before(second, name, allocator, OPTIONS, CODE, names(workers)));
            }
            for (Worker worker : workers) {
                List<List<MergeMessage>> messages = worker.messages(SHARDS);
                for (int s = 0; s < SHARDS; s++) {
                    for (MergeMessage message : messages.get(s)) {
                        if (!cutShards.contains(s) || !worker.isCut(message)) {
                            shards.get(s).accept(message, 0);
                        }
                    }
                }
            }
            shards.forEach(MergeStage::close);
        }
        return taken();
    }

    @Test
    void whatIsLostOnTheWayToAllShardsIsToldAsWithoutThem() {
        Random random = new Random(seed);
        Set<Integer> all = Set.of(0, 1, 2, 3);
        for (int round = 0; round < ROUNDS; round++) {
            List<Worker> workers = new ArrayList<>();
            for (int w = 0; w < 1 + random.nextInt(3); w++) {
                workers.add(worker("w" + w, random));
            }
            Collections.shuffle(workers, random);
            String about = "seed " + seed + ", " + workers;
            Map<Long, Told> expected = unsharded(workers);
            Map<Long, Told> found = sharded(workers, all);
            assertEquals("" + expected, "" + found, about);
            found.forEach((endNs, told) -> assertEquals(1, told.says.size(), endNs + ", " + about));
        }
    }

    /** Where nothing is cut, rows and losses are all packets; completeness is their ratio. */
    @Test
    void rowsAndLossesAreAllPackets() {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<Worker> workers = List.of(worker("a", random), worker("b", random));
            Map<Long, Told> found = sharded(workers, Set.of());
            assertEquals(SECONDS, found.size());
            for (Map.Entry<Long, Told> window : found.entrySet()) {
                int second = (int) (window.getKey() / SECOND_NS) - 1;
                long lost = workers.stream().mapToLong(w -> w.lost()[second]).sum();
                long counted = workers.stream().mapToLong(w -> w.counted()[second]).sum();
                String about = "seed " + seed + ", second " + second + " of " + workers;
                assertEquals(counted, window.getValue().packets, about);
                double complete = lost == 0 ? 1.0 : (double) counted / (counted + lost);
                assertEquals(
                        List.of("lost " + lost + ", missing 0, " + complete),
                        window.getValue().says,
                        about);
            }
        }
    }

    /** What is lost on the way to one shard is told, and no window that lacks it is complete. */
    @Test
    void whatIsLostOnTheWayToOneShardIsTold() {
        Random random = new Random(seed);
        int cuts = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Worker one = worker("a", random);
            Worker whole = worker("b", random);
            Worker other = new Worker("b", whole.counted(), whole.lost(), Set.of());
            List<Worker> workers = List.of(one, other);
            Map<Long, Told> found = sharded(workers, Set.of(random.nextInt(SHARDS)));
            String about = "seed " + seed + ", " + workers;
            long offered = workers.stream().mapToLong(w -> w.before(SECONDS)).sum();
            long rows = found.values().stream().mapToLong(w -> w.packets).sum();
            long lost = found.values().stream().mapToLong(w -> w.lost).sum();
            assertTrue(rows + lost >= offered, rows + "+" + lost + "<" + offered + ", " + about);
            for (int cut : one.cutSeconds()) {
                cuts++;
                Told window = found.get((cut + 1) * SECOND_NS);
                long counted = (long) one.counted()[cut] + other.counted()[cut];
                assertTrue(
                        window.packets == counted || !window.says.get(0).endsWith(" 1.0"),
                        window + ", " + about);
            }
        }
        assertTrue(cuts > 0);
    }
}
