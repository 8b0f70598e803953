package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Shards with too little memory, each start of them with another little: for parts of windows, to
 * put them together, or for rows. Packets in rows and those told as lost, or about to be, are all
 * that there were, and no window calls itself complete that is not.
 */
final class NoMemoryTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 24, 1_000_000);
    private static final List<String> WORKERS = List.of("a", "b");
    private static final int SECONDS = 12;
    private static final int ROUNDS = 60;

    private final long seed = Long.getLong("weir.seed", 97);
    private final Random random = new Random(seed);

    /** What rows of a window say. */
    private static final class Told {
        private long packets;
        private long lost;
        private double completeness;
    }

    private final TreeMap<Integer, Told> windows = new TreeMap<>();

    /** What rows have said last of each host. */
    private final Map<String, Long> totals = new HashMap<>();

    private long unmade;
    private long unread;
    private long withoutRoom;

    private void rows(RowBatch batch) {
        int second = (int) (batch.windowEndNs() / SECOND_NS) - 1;
        Told told = windows.computeIfAbsent(second, s -> new Told());
        for (int r = 0; r < batch.rows(); r++) {
            told.packets += (Long) batch.value(r, 1);
            totals.put("" + batch.value(r, 0), (Long) batch.value(r, 1));
            told.lost = (Long) batch.value(r, 2);
            told.completeness = batch.real(r, 4);
        }
    }

    /** A shard, one instance after another, with what the one before has kept. */
    private final class Shard implements AutoCloseable {
        private final KeptJournal kept = new KeptJournal();
        private final CompiledQuery code;
        private final String name;
        private final int shards;
        private final MergeStage second;
        private NativeAllocator allocator;
        private MergeStage stage;
        private int lives;

        /**
         * @param second null where rows are made in the shard
         */
        Shard(CompiledQuery code, String name, int shards, MergeStage second) {
            this.code = code;
            this.name = name;
            this.shards = shards;
            this.second = second;
            start();
        }

        private void start() {
            allocator = new NativeAllocator(1_000 + random.nextInt(60_000 / shards));
            if (second == null) {
                stage = MergeStage.first(allocator, OPTIONS);
                stage.add(code, 1, NoMemoryTest.this::rows);
            } else {
                WorkerEpoch life = new WorkerEpoch(name, "" + lives++);
                stage =
                        TestShards.sending(
                                life, (s, p) -> second.accept(p, 0), allocator, OPTIONS, code);
            }
            kept.into(stage);
            stage.expectFirst(Set.copyOf(WORKERS));
        }

        void accept(MergeMessage message) {
            if (random.nextInt(8) == 0) {
                close();
                start();
            }
            stage.accept(message, 0);
        }

        long untold() {
            return kept.untold();
        }

        @Override
        public void close() {
            long without = stage.counts().unmadeWindows().get();
            assertTrue(without <= stage.counts().finalWindows().get(), "seed " + seed);
            unmade += without;
            unread += stage.counts().unread().get();
            withoutRoom += stage.counts().withoutRoomPackets().get();
            stage.close();
            assertEquals(0, allocator.usedBytes(), "seed " + seed);
            allocator.close();
        }
    }

    /** By shard, and the packets of each second. */
    private List<List<MergeMessage>> sent(
            CompiledQuery code, String worker, int shards, long[] packets) {
        return TinySource.live(
                code,
                new WorkerEpoch(worker, "1"),
                shards,
                SECONDS,
                (second, into) -> {
                    int hosts = 1 + random.nextInt(random.nextBoolean() ? 20 : 500);
                    for (int p = 1 + random.nextInt(400); p > 0; p--) {
                        packets[second]++;
                        new RandomGpv(random, GpvLayout.FULL_V4, 1, second * SECOND_NS)
                                .with("src_addr", Inet.v4(0x0A000000 + random.nextInt(hosts)))
                                .writeTo(into, false);
                    }
                });
    }

    /** Returns how many packets there were in each second. */
    private long[] run(List<Shard> shards) {
        long[] packets = new long[SECONDS];
        List<List<MergeMessage>> left = new ArrayList<>();
        List<Shard> to = new ArrayList<>();
        for (String worker : WORKERS) {
            left.addAll(sent(shards.get(0).code, worker, shards.size(), packets));
            to.addAll(shards);
        }
        while (!left.isEmpty()) {
            int next = random.nextInt(left.size());
            to.get(next).accept(left.get(next).remove(0));
            if (left.get(next).isEmpty()) {
                left.remove(next);
                to.remove(next);
            }
        }
        return packets;
    }

    private void check(long[] packets, String about) {
        windows.forEach(
                (second, told) ->
                        assertTrue(
                                told.packets == packets[second] || told.completeness < 1,
                                about + "second " + second));
    }

    private static long sum(long[] packets) {
        long sum = 0;
        for (long of : packets) {
            sum += of;
        }
        return sum;
    }

    private long told() {
        return windows.values().stream().mapToLong(told -> told.packets + told.lost).sum();
    }

    private void assertTight() {
        assertTrue(unmade > ROUNDS / 10, unmade + " windows without memory, seed " + seed);
        assertTrue(unread > ROUNDS, unread + " blocks without memory, seed " + seed);
    }

    /** All packets are in rows, told as lost by them, or untold as yet: so many are that. */
    private long roundOfOneShard(CompiledQuery code, int round) {
        windows.clear();
        String about = "seed " + seed + ", round " + round + ": ";
        Shard shard = new Shard(code, "s", 1, null);
        long[] packets = run(List.of(shard));
        shard.close();
        assertEquals(sum(packets), told() + shard.untold(), about);
        check(packets, about);
        return shard.untold();
    }

    @Test
    void whatAShardHasNoMemoryForItTellsWithItsNextRows() {
        long next = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long untold = roundOfOneShard(CODE, round);
            next += untold == 0 ? 1 : 0;
        }
        assertTight();
        assertTrue(next > ROUNDS / 10, next + " rounds in which all was told by rows");
    }

    /** Groups that find no room do not cost the others, where only the heaviest are to stay. */
    @Test
    void groupsWithoutRoomAreToldWhereTheHeaviestStay() {
        CompiledQuery code = TinySource.heaviest();
        for (int round = 0; round < ROUNDS; round++) {
            roundOfOneShard(code, round);
        }
        assertTrue(withoutRoom > ROUNDS, withoutRoom + " packets without room, seed " + seed);
    }

    /** A tick that finds no room in the totals may be half there: as much is told at least. */
    @Test
    void totalsTellAtLeastThat() {
        CompiledQuery code = TinySource.totals();
        long ticks = 0;
        for (int round = 0; round < ROUNDS; round++) {
            windows.clear();
            totals.clear();
            Shard shard = new Shard(code, "s", 1, null);
            long[] packets = run(List.of(shard));
            shard.close();
            long lost = windows.values().stream().mapToLong(told -> told.lost).sum();
            long all = totals.values().stream().mapToLong(n -> n).sum() + lost + shard.untold();
            String about = "seed " + seed + ", round " + round + ": ";
            assertTrue(all >= sum(packets), about + all + " of " + sum(packets));
            ticks += windows.size();
        }
        assertTrue(ticks > 2 * ROUNDS, ticks + " ticks with rows");
        assertTight();
    }

    @Test
    void whereRowsAreMadeAfterOneShardTheyTellIt() {
        afterShards(1);
    }

    /** Each tells of the whole window, for it does not know what was in its groups. */
    @Test
    void whereRowsAreMadeAfterShardsTheyTellAtLeastThat() {
        afterShards(3);
    }

    private void afterShards(int count) {
        for (int round = 0; round < ROUNDS; round++) {
            windows.clear();
            String about = "seed " + seed + ", round " + round + ": ";
            try (NativeAllocator ample = new NativeAllocator(1L << 28);
                    MergeStage second = MergeStage.second(ample, OPTIONS)) {
                KeptJournal kept = new KeptJournal();
                second.add(CODE, 1, this::rows);
                second.journal(kept);
                List<Shard> shards = new ArrayList<>();
                for (int s = 0; s < count; s++) {
                    shards.add(new Shard(CODE, "shard-" + s, count, second));
                }
                second.expectFirst(Set.copyOf(shards.stream().map(s -> s.name).toList()));
                long[] packets = run(shards);
                shards.forEach(Shard::close);
                long untold =
                        kept.ended().values().stream()
                                .mapToLong(mark -> mark.made().untold())
                                .sum();
                long all = told() + untold;
                assertTrue(count == 1 ? all == sum(packets) : all >= sum(packets), about + all);
                check(packets, about);
            }
        }
        assertTight();
    }
}
