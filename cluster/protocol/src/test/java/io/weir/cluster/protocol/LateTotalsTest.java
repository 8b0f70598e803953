package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Running totals of workers that begin and end whenever they like, some when all others have passed
 * their seconds, or have ended: the last totals have all packets, whatever the order, and wherever
 * a shard is started anew. So it is where the rows are made after the shards.
 */
final class LateTotalsTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = TinySource.totals();
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 24, 100);
    private static final int SHARDS = 2;
    private static final int ROUNDS = 60;

    private final long seed = Long.getLong("weir.seed", 37);
    private final Random random = new Random(seed);
    private final Map<String, Long> totals = new TreeMap<>();
    private final NativeAllocator allocator = new NativeAllocator(1L << 28);
    private MergeStage second;
    private long lost;
    private long packets;
    private int late;

    /** A shard, one instance after another. */
    private final class Shard {
        private final KeptJournal kept = new KeptJournal();
        private final Map<String, Deque<MergeMessage>> unread = new TreeMap<>();
        private final Set<String> begun = new HashSet<>();
        private final String name;
        private int lives;
        private MergeStage stage;

        Shard(String name) {
            this.name = name;
            start();
        }

        private void start() {
            if (second == null) {
                stage = MergeStage.first(allocator, OPTIONS);
                stage.add(CODE, 1, LateTotalsTest.this::rows);
            } else {
                stage =
                        TestShards.sending(
                                new WorkerEpoch(name, "" + lives++),
                                (one, message) -> second.accept(message, 0),
                                allocator,
                                OPTIONS,
                                CODE);
            }
            kept.into(stage);
            stage.expectFirst(Set.copyOf(begun));
        }

        void step() {
            List<String> names = List.copyOf(unread.keySet());
            String worker = names.get(random.nextInt(names.size()));
            Deque<MergeMessage> of = unread.get(worker);
            if (begun.add(worker)) {
                stage.expect(Set.copyOf(begun), Set.of(), 0);
            }
            for (int some = random.nextInt(30); some >= 0 && !of.isEmpty(); some--) {
                late += isLate(of.peek()) ? 1 : 0;
                stage.accept(of.remove(), 0);
            }
            if (of.isEmpty()) {
                unread.remove(worker);
            }
            if (random.nextInt(8) == 0) {
                stage.close();
                start();
            }
        }

        private boolean isLate(MergeMessage message) {
            return message instanceof MergeMessage.WindowEnd end
                    && end.window().endNs() <= stage.passedNs();
        }
    }

    private void rows(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            totals.put("" + batch.value(r, 0), (Long) batch.value(r, 1));
            lost += (Long) batch.value(r, 2);
        }
    }

    private List<Shard> shards(int count) {
        List<Shard> shards = new ArrayList<>();
        for (int s = 0; s < count; s++) {
            shards.add(new Shard("shard-" + s));
        }
        for (String worker : List.of("a", "b", "c")) {
            var sent = TinySource.live(CODE, new WorkerEpoch(worker, "1"), count, 6, this::write);
            for (int s = 0; s < count; s++) {
                shards.get(s).unread.put(worker, new ArrayDeque<>(sent.get(s)));
            }
        }
        return shards;
    }

    private void write(int second, BlockWriter into) {
        for (int p = random.nextInt(40); p > 0; p--) {
            packets++;
            new RandomGpv(random, GpvLayout.FULL_V4, 1, second * SECOND_NS)
                    .with("src_addr", Inet.v4(0x0A000000 + random.nextInt(12)))
                    .writeTo(into, false);
        }
    }

    private void run(int count, String about) {
        totals.clear();
        packets = 0;
        lost = 0;
        List<Shard> shards = shards(count);
        while (shards.stream().anyMatch(shard -> !shard.unread.isEmpty())) {
            Shard shard = shards.get(random.nextInt(count));
            if (!shard.unread.isEmpty()) {
                shard.step();
            }
        }
        shards.forEach(shard -> shard.stage.tick(0));
        shards.forEach(shard -> shard.stage.close());
        assertEquals(packets, totals.values().stream().mapToLong(n -> n).sum(), about);
        assertEquals(0, lost, about);
    }

    @Test
    void inAShard() {
        for (int round = 0; round < ROUNDS; round++) {
            run(1, "round " + round + ", -Dweir.seed=" + seed);
        }
        assertTrue(late > ROUNDS, late + " late seconds");
        assertEquals(0, allocator.usedBytes());
    }

    @Test
    void afterTheShards() {
        for (int round = 0; round < ROUNDS; round++) {
            second = MergeStage.second(allocator, OPTIONS);
            second.add(CODE, 1, this::rows);
            second.expectFirst(Set.of("shard-0", "shard-1"));
            run(SHARDS, "round " + round + ", -Dweir.seed=" + seed);
            second.close();
        }
        assertTrue(late > ROUNDS, late + " late seconds");
        assertEquals(0, allocator.usedBytes());
    }
}
