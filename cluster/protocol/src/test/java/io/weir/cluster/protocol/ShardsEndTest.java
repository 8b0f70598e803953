package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * All workers end, and begin again, more than once; one shard hears of it long before another, and
 * in another order; and both steps are started anew now and then. Each window is made once, with
 * the parts of all shards, and says so.
 */
final class ShardsEndTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final long TIMEOUT = 100;
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 24, TIMEOUT);
    private static final List<String> WORKERS = List.of("a", "b", "c");
    private static final int ROUNDS = 150;

    private final long seed = Long.getLong("weir.seed", 3);
    private final Random random = new Random(seed);
    private final NativeAllocator allocator = new NativeAllocator(1L << 28);

    /** What rows say of a second. */
    private final TreeMap<Integer, Long> packets = new TreeMap<>();

    private final TreeMap<Integer, String> lacking = new TreeMap<>();

    /** A stage that is started anew, from what it has kept. */
    private abstract static class Anew implements AutoCloseable {
        final KeptJournal kept = new KeptJournal();
        MergeStage stage;

        abstract MergeStage stage();

        void start() {
            stage = stage();
        }

        @Override
        public void close() {
            stage.close();
        }

        void restart() {
            close();
            start();
        }
    }

    private final class Shard extends Anew {
        final String name;
        final Deque<MergeMessage> in;

        /** On its way to the second step. */
        final Deque<MergeMessage> out = new ArrayDeque<>();

        private int life;

        Shard(String name, List<MergeMessage> in) {
            this.name = name;
            this.in = new ArrayDeque<>(in);
            start();
        }

        @Override
        MergeStage stage() {
            WorkerEpoch source = new WorkerEpoch(name, "life " + life++);
            MergeStage next =
                    TestShards.sending(
                            source, (one, message) -> out.add(message), allocator, OPTIONS, CODE);
            kept.into(next);
            next.expectFirst(next.goingOn(Long.MIN_VALUE));
            return next;
        }

        void take() {
            stage.accept(in.remove(), 0);
        }
    }

    private final class Second extends Anew {
        private final Set<String> shards;

        Second(Set<String> shards) {
            this.shards = shards;
            start();
        }

        @Override
        MergeStage stage() {
            MergeStage next = MergeStage.second(allocator, OPTIONS);
            next.add(CODE, 1, ShardsEndTest.this::rows);
            kept.into(next);
            next.expectFirst(shards);
            return next;
        }
    }

    private void rows(RowBatch batch) {
        int second = (int) (batch.windowEndNs() / SECOND_NS) - 1;
        for (int r = 0; r < batch.rows(); r++) {
            packets.merge(second, (Long) batch.value(r, 1), Long::sum);
            if (batch.real(r, 4) < 1) {
                String lacks = batch.value(r, 2) + " lost, " + batch.value(r, 3) + " missing";
                lacking.put(second, lacks);
            }
        }
    }

    /** A message, and in which of the times between two ends it was sent. */
    private record Sent(MergeMessage message, int epoch) {
        boolean begins() {
            return message instanceof MergeMessage.Passed passed && passed.isBeginning();
        }

        boolean isAfter(Deque<Sent> others) {
            return !others.isEmpty() && others.peek().epoch < epoch;
        }
    }

    /**
     * What the workers send to each shard, in all their lives.
     *
     * @param begins how many of them begin in each epoch
     */
    private record Workers(List<Map<String, List<Sent>>> sent, List<Integer> begins) {}

    private Workers workers(int shards, Map<Integer, Long> expected) {
        List<Map<String, List<Sent>>> sent = new ArrayList<>();
        IntStream.range(0, shards).forEach(s -> sent.add(new HashMap<>()));
        List<Integer> begins = new ArrayList<>();
        int from = 0;
        int epochs = 2 + random.nextInt(3);
        for (int epoch = 0; epoch < epochs; epoch++) {
            int to = from + 1 + random.nextInt(3);
            boolean brief = to == from + 1 && random.nextBoolean();
            int living = 0;
            for (String worker : WORKERS) {
                if (living > 0 && random.nextInt(3) == 0) {
                    continue;
                }
                living++;
                int[] counts = new int[to];
                for (int second = from; second < to; second++) {
                    counts[second] = 1 + random.nextInt(20);
                    expected.merge(second, (long) counts[second], Long::sum);
                }
                WorkerEpoch source = new WorkerEpoch(worker, "life " + epoch);
                var messages =
                        TinySource.messages(List.of(CODE), source, shards, 9000, true, counts);
                for (int shard = 0; shard < shards; shard++) {
                    List<Sent> all =
                            sent.get(shard).computeIfAbsent(worker, w -> new ArrayList<>());
                    for (MergeMessage message :
                            TinySource.passing(messages.get(shard), brief ? to : from)) {
                        all.add(new Sent(message, epoch));
                    }
                }
            }
            begins.add(living);
            from = to;
        }
        return new Workers(sent, begins);
    }

    /** As a shard may hear it: each worker's in order, and what one counts after all have begun. */
    private List<MergeMessage> heard(Map<String, List<Sent>> sent, List<Integer> begins) {
        Map<String, Deque<Sent>> left = new TreeMap<>();
        sent.forEach((worker, all) -> left.put(worker, new ArrayDeque<>(all)));
        int[] begun = new int[begins.size()];
        boolean apart = random.nextBoolean(); // none begins before all have ended
        List<MergeMessage> heard = new ArrayList<>();
        while (!left.isEmpty()) {
            List<String> names = List.copyOf(left.keySet());
            Deque<Sent> of = left.get(names.get(random.nextInt(names.size())));
            for (int some = random.nextInt(12); some >= 0 && !of.isEmpty(); some--) {
                Sent next = of.peek();
                boolean early =
                        next.begins()
                                ? apart && left.values().stream().anyMatch(next::isAfter)
                                : begun[next.epoch] < begins.get(next.epoch);
                if (early) {
                    break;
                }
                begun[next.epoch] += next.begins() ? 1 : 0;
                heard.add(of.remove().message());
            }
            left.values().removeIf(Deque::isEmpty);
        }
        return heard;
    }

    @Test
    void eachWindowHasThePartsOfAllShards() {
        for (int round = 0; round < ROUNDS; round++) {
            packets.clear();
            lacking.clear();
            TreeMap<Integer, Long> expected = new TreeMap<>();
            round(2 + random.nextInt(2), expected);
            String about = "round " + round + ", -Dweir.seed=" + seed;
            assertEquals(expected, packets, about);
            assertEquals(Map.of(), lacking, about);
        }
        assertEquals(0, allocator.usedBytes());
    }

    private void round(int count, Map<Integer, Long> expected) {
        Workers workers = workers(count, expected);
        List<Shard> shards = new ArrayList<>();
        for (int s = 0; s < count; s++) {
            shards.add(new Shard("shard-" + s, heard(workers.sent().get(s), workers.begins())));
        }
        Set<String> names = Set.copyOf(shards.stream().map(shard -> shard.name).toList());
        try (Second second = new Second(names)) {
            boolean anew = random.nextBoolean();
            while (shards.stream().anyMatch(s -> !s.in.isEmpty() || !s.out.isEmpty())) {
                Shard shard = shards.get(random.nextInt(count));
                // One stands where it is, while another hears all.
                for (int some = random.nextInt(60); some > 0 && !shard.in.isEmpty(); some--) {
                    shard.take();
                }
                Shard from = shards.get(random.nextInt(count));
                int most = random.nextBoolean() ? 4 : 40;
                for (int some = random.nextInt(most); some > 0 && !from.out.isEmpty(); some--) {
                    second.stage.accept(from.out.remove(), 0);
                }
                if (anew && random.nextInt(20) == 0) {
                    (random.nextBoolean() ? shard : second).restart();
                }
            }
        }
        shards.forEach(Shard::close);
    }

    /** All of one epoch, and of the next, in two shards. */
    private List<Shard> twoEpochs(boolean bothHearTheNext) {
        var first =
                TinySource.messages(List.of(CODE), new WorkerEpoch("a", "1"), 2, 9000, true, 9, 9);
        var next =
                TinySource.messages(
                        List.of(CODE), new WorkerEpoch("a", "2"), 2, 9000, true, 0, 0, 9);
        List<Shard> shards = new ArrayList<>();
        for (int s = 0; s < 2; s++) {
            Shard shard = new Shard("shard-" + s, first.get(s));
            if (s == 0 || bothHearTheNext) {
                shard.in.addAll(next.get(s));
            }
            while (!shard.in.isEmpty()) {
                shard.take();
            }
            shard.close();
            shards.add(shard);
        }
        return shards;
    }

    /** It has ended, has sent a window since, and not yet that this has passed. */
    @Test
    void aShardThatSendsAWindowGoesOn() {
        try (Second second = new Second(Set.of("shard-0", "shard-1"))) {
            List<Shard> shards = twoEpochs(true);
            Deque<MergeMessage> ahead = shards.get(0).out;
            Deque<MergeMessage> behind = shards.get(1).out;
            boolean sent = false;
            while (!sent) {
                sent =
                        ahead.peek() instanceof MergeMessage.WindowEnd w
                                && w.window().endNs() == 3 * SECOND_NS;
                second.stage.accept(ahead.remove(), 0);
            }
            boolean ended = false;
            while (!ended) {
                ended =
                        behind.peek() instanceof MergeMessage.Passed p
                                && p.watermarkNs() == Long.MAX_VALUE;
                second.stage.accept(behind.remove(), 0);
            }
            assertEquals(Set.of(0, 1), packets.keySet());
            ahead.forEach(message -> second.stage.accept(message, 0));
            behind.forEach(message -> second.stage.accept(message, 0));
            assertEquals(Map.of(0, 9L, 1, 9L, 2, 9L), packets);
            assertEquals(Map.of(), lacking);
        }
    }

    /**
     * What it was to hear was lost: windows are made in the end, and say that they lack its part.
     */
    @Test
    void aShardThatNeverHearsOfALifeIsMissing() {
        try (Second second = new Second(Set.of("shard-0", "shard-1"))) {
            for (Shard shard : twoEpochs(false)) {
                shard.out.forEach(message -> second.stage.accept(message, 0));
            }
            assertEquals(Map.of(0, 9L, 1, 9L), packets);
            long patience = 12 * TIMEOUT;
            second.stage.tick(patience - 1);
            assertEquals(2, packets.size());
            second.stage.tick(patience);
            assertTrue(packets.get(2) < 9, packets + "");
            assertEquals(Map.of(2, "0 lost, 9 missing"), lacking);
        }
    }
}
