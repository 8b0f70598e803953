package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * One worker is silent now and then, so that it is given up or gone, and what it sends then is late
 * or never comes; the merge is started anew now and then, between any two things that happen to it.
 * Packets in rows and those told as lost are those that there were, to one; an estimate is in no
 * sum; and no window calls itself complete that is not. Each window of a worker that came is
 * counted once: in one that was made, or as late.
 */
final class LossesAddUpTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final long TIMEOUT = 100;
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 24, TIMEOUT);
    private static final Set<String> BOTH = Set.of("a", "b");
    private static final int SECONDS = 14;
    private static final int ROUNDS = 60;

    private final long seed = Long.getLong("weir.seed", 31);
    private final Random random = new Random(seed);

    /** What rows of a window say. */
    private static final class Told {
        private long packets;
        private long lost;
        private long missing;
        private double completeness;
    }

    private final TreeMap<Integer, Told> windows = new TreeMap<>();

    /** The merge, one instance after another, with what the one before has kept. */
    private final class Instances implements AutoCloseable {
        private final KeptJournal kept = new KeptJournal();
        private final boolean restarts;
        private NativeAllocator allocator;
        private MergeStage stage;
        private Set<String> expected = BOTH;
        private long now;
        private int starts;
        private long came;
        private long counted;

        Instances(boolean restarts) {
            this.restarts = restarts;
            start();
        }

        private void start() {
            starts++;
            allocator = new NativeAllocator(1L << 26);
            stage = MergeStage.first(allocator, OPTIONS);
            stage.add(CODE, 1, LossesAddUpTest.this::rows);
            kept.into(stage);
            stage.expectFirst(expected);
        }

        private void perhapsAnother() {
            if (restarts && random.nextInt(6) == 0) {
                close();
                start();
            }
        }

        void accept(MergeMessage message) {
            perhapsAnother();
            came += message instanceof MergeMessage.WindowEnd ? 1 : 0;
            stage.accept(message, now);
        }

        void expect(Set<String> workers) {
            perhapsAnother();
            expected = workers;
            stage.expect(workers, Set.of(), now);
        }

        /** Whoever is behind is given up. */
        void waitInVain() {
            perhapsAnother();
            stage.tick(now);
            now += 2 * TIMEOUT;
            stage.tick(now);
        }

        @Override
        public void close() {
            MergeCounts counts = stage.counts();
            counted += counts.handedWindows().get() + counts.lateWindows().get();
            stage.close();
            allocator.close();
        }
    }

    private void rows(RowBatch batch) {
        int second = (int) (batch.windowEndNs() / SECOND_NS) - 1;
        Told told = windows.computeIfAbsent(second, s -> new Told());
        for (int r = 0; r < batch.rows(); r++) {
            told.packets += (Long) batch.value(r, 1);
            told.lost = (Long) batch.value(r, 2);
            told.missing = (Long) batch.value(r, 3);
            told.completeness = batch.real(r, 4);
        }
    }

    private static List<MergeMessage> sent(String worker, int[] packets) {
        return TinySource.messages(CODE, new WorkerEpoch(worker, "1"), 1, 9000, packets).get(0);
    }

    /** Up to where the second has passed. */
    private static List<MergeMessage> until(List<MergeMessage> messages, int second) {
        List<MergeMessage> taken = new ArrayList<>();
        boolean passed = false;
        while (!passed) {
            MergeMessage message = messages.remove(0);
            taken.add(message);
            passed =
                    message instanceof MergeMessage.Passed p
                            && p.watermarkNs() >= (second + 1) * SECOND_NS;
        }
        return taken;
    }

    private int[] packets() {
        int[] packets = new int[SECONDS];
        Arrays.setAll(packets, s -> 1 + random.nextInt(20));
        return packets;
    }

    @Test
    void rowsAndLossesAreAllPacketsOnceTheWorkerIsBack() {
        assertEquals(1, addUp(false));
    }

    @Test
    void theyAreWhereverTheMergeIsStartedAnew() {
        int starts = addUp(true);
        assertTrue(starts > 10, starts + " starts at most");
    }

    /** Returns how often the merge was started in the round in which that was oftenest. */
    private int addUp(boolean restarts) {
        int silent = 0;
        int starts = 0;
        for (int round = 0; round < ROUNDS; round++) {
            windows.clear();
            int[] steady = packets();
            int[] shaky = packets();
            Instances merge = new Instances(restarts);
            try (merge) {
                silent += round(merge, steady, shaky);
                starts = Math.max(starts, merge.starts);
            }
            String about = "seed " + seed + ", round " + round + ": ";
            assertEquals(merge.came, merge.counted, about + "windows of one worker");
            long offered = IntStream.of(steady).sum() + (long) IntStream.of(shaky).sum();
            long rows = windows.values().stream().mapToLong(w -> w.packets).sum();
            long lost = windows.values().stream().mapToLong(w -> w.lost).sum();
            assertEquals(offered, rows + lost, about + rows + " in rows");
            windows.forEach(
                    (second, told) -> {
                        boolean whole = told.packets == steady[second] + shaky[second];
                        assertTrue(whole || told.completeness < 1, about + "second " + second);
                        assertTrue(told.missing == 0 || !whole, about + "second " + second);
                    });
        }
        assertTrue(silent > ROUNDS, silent + " times silent");
        return starts;
    }

    /** Returns for how many seconds the one was silent. */
    private int round(Instances merge, int[] steady, int[] shaky) {
        int silent = 0;
        List<MergeMessage> a = sent("a", steady);
        List<MergeMessage> b = sent("b", shaky);
        for (int second = 0; second < SECONDS; second++) {
            // Its first and last windows are in time, so that all is known in the end.
            boolean late = second > 0 && second < SECONDS - 2 && random.nextInt(3) == 0;
            boolean gone = late && random.nextBoolean();
            boolean cut = second > 0 && second < SECONDS - 2 && random.nextInt(6) == 0;
            List<MergeMessage> own = until(b, second);
            if (cut) {
                own.removeIf(message -> !(message instanceof MergeMessage.Passed));
            }
            // Where the other is behind, the next of this one wait beside what is cut of it.
            if (late || random.nextInt(5) < 2) {
                until(a, second).forEach(merge::accept);
            }
            if (late) {
                silent++;
                merge.expect(gone ? Set.of("a") : BOTH);
                merge.waitInVain();
            }
            own.forEach(merge::accept);
            merge.expect(BOTH);
        }
        a.forEach(merge::accept);
        b.forEach(merge::accept);
        return silent;
    }
}
