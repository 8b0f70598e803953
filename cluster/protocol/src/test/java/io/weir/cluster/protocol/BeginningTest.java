package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A worker is started again while another goes on, after it was killed or had ended in order,
 * before anybody has missed it or after, and whether or not it is heard of otherwise: it says that
 * it begins, and each window has its part from then on.
 */
final class BeginningTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final int ROUNDS = 300;
    private static final int SECONDS = 8;
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final MergeStage.Options OPTIONS =
            new MergeStage.Options(1 << 24, 60 * SECOND_NS);

    private final long seed = Long.getLong("weir.seed", 43);
    private final Random random = new Random(seed);
    private final NativeAllocator allocator = new NativeAllocator(1L << 28);

    private static List<MergeMessage> sent(String worker, String life, int... packets) {
        return TinySource.messages(CODE, new WorkerEpoch(worker, life), 1, 9000, packets).get(0);
    }

    /** What a life sends that begins by saying so. */
    private static List<MergeMessage> begun(String worker, String life, int... packets) {
        return TinySource.begun(CODE, new WorkerEpoch(worker, life), packets);
    }

    /** How many there are up to a second, its word that this has passed with it. */
    private static int upTo(List<MergeMessage> messages, int second) {
        for (int p = 0; p < messages.size(); p++) {
            boolean passed =
                    messages.get(p) instanceof MergeMessage.Passed of
                            && of.watermarkNs() >= second * SECOND_NS;
            if (passed) {
                return p + 1;
            }
        }
        return messages.size();
    }

    private int[] packets(int from, int to) {
        int[] packets = new int[to];
        Arrays.setAll(packets, s -> s < from ? 0 : 1 + random.nextInt(30));
        return packets;
    }

    @Test
    void windowsAfterABeginHaveItsPart() {
        for (int round = 0; round < ROUNDS; round++) {
            round("round " + round + ", -Dweir.seed=" + seed);
        }
        assertEquals(0, allocator.usedBytes());
        allocator.close();
    }

    private void round(String about) {
        int stops = random.nextInt(SECONDS - 2); // 0: there was no life before
        int begins = stops + 1 + random.nextInt(SECONDS - stops - 1);
        boolean inOrder = random.nextBoolean();
        int[] other = packets(0, SECONDS);
        int[] first = packets(0, stops);
        int[] second = packets(begins, SECONDS);
        List<MergeMessage> a = sent("a", "1", other);
        List<MergeMessage> before = sent("b", "1", first);
        List<MergeMessage> after = begun("b", "2", second);
        boolean missed = stops == 0 || random.nextBoolean();
        boolean heard = random.nextBoolean();
        Map<Long, Long> rows = new TreeMap<>();
        try (MergeStage stage = MergeStage.first(allocator, OPTIONS)) {
            stage.add(CODE, 1, batch -> count(batch, rows));
            stage.expectFirst(stops == 0 ? Set.of("a") : Set.of("a", "b"));
            long now = 0;
            int fromA = 0;
            int fromB = 0;
            for (int s = 1; s <= SECONDS; s++) {
                now += random.nextInt(500_000_000);
                boolean lives = s <= stops;
                boolean again = s > begins;
                if (s == begins + 1) {
                    // Before any of its packets, and so before the other ends a window after.
                    stage.accept(after.get(0), now);
                    fromB = 1;
                }
                stage.expect(
                        lives || again && heard || !missed ? Set.of("a", "b") : Set.of("a"),
                        Set.of(),
                        now);
                int toA = upTo(a, s);
                accept(stage, a.subList(fromA, toA), now);
                fromA = toA;
                if (lives) {
                    int to = s == stops && inOrder ? before.size() : upTo(before, s);
                    accept(stage, before.subList(fromB, to), now);
                    fromB = to;
                } else if (again) {
                    int to = Math.max(fromB, upTo(after, s));
                    accept(stage, after.subList(fromB, to), now);
                    fromB = to;
                }
            }
            accept(stage, a.subList(fromA, a.size()), now);
            accept(stage, after.subList(fromB, after.size()), now);
        }
        for (int s = 0; s < SECONDS; s++) {
            long part = s < stops ? first[s] : s >= begins ? second[s] : 0;
            long expected = other[s] + part;
            String where = " in second " + s + ", stops " + stops + ", begins " + begins;
            assertEquals(expected, rows.get(s + 1L), about + where + ", heard " + heard);
        }
    }

    /**
     * A merge that is late reads the last windows of one that has ended when it is heard no more:
     * it is missing from none of those that end before the first packet of its next life.
     */
    @Test
    void whoEndedUnheardIsNotMissingWhenItBeginsAgain() {
        Map<Long, Double> completeness = new TreeMap<>();
        Map<Long, Long> rows = new TreeMap<>();
        try (MergeStage stage = MergeStage.first(allocator, OPTIONS)) {
            stage.add(
                    CODE,
                    1,
                    batch -> {
                        count(batch, rows);
                        completeness.put(batch.windowEndNs() / SECOND_NS, batch.completeness());
                    });
            stage.expectFirst(Set.of("a", "b"));
            List<MergeMessage> a = sent("a", "1", 5, 6, 7, 8, 9);
            List<MergeMessage> b = sent("b", "1", 10, 20);
            accept(stage, a.subList(0, upTo(a, 1)), 0);
            accept(stage, b.subList(0, upTo(b, 1)), 0);
            stage.expect(Set.of("a"), Set.of(), 0);
            accept(stage, b.subList(upTo(b, 1), b.size()), 0);
            accept(stage, a.subList(upTo(a, 1), upTo(a, 3)), 0);
            List<MergeMessage> again = begun("b", "2", 0, 0, 0, 0, 50);
            accept(stage, again.subList(0, 1), 0);
            stage.expect(Set.of("a", "b"), Set.of(), 0);
            accept(stage, a.subList(upTo(a, 3), a.size()), 0);
            accept(stage, again.subList(1, again.size()), 0);
        }
        assertEquals(Map.of(1L, 15L, 2L, 26L, 3L, 7L, 4L, 8L, 5L, 59L), rows);
        assertEquals(Map.of(1L, 1.0, 2L, 1.0, 3L, 1.0, 4L, 1.0, 5L, 1.0), completeness);
        assertEquals(0, allocator.usedBytes());
        allocator.close();
    }

    /** Windows are longer than the time-out: who ends or begins in one hurries nobody. */
    @Test
    void nobodyIsBehindForAnothersEndOrBeginning() {
        long timeoutNs = 100;
        Map<Long, Long> rows = new TreeMap<>();
        MergeStage.Options options = new MergeStage.Options(1 << 24, timeoutNs);
        try (MergeStage stage = MergeStage.first(allocator, options)) {
            stage.add(CODE, 1, batch -> count(batch, rows));
            stage.expectFirst(Set.of("a", "b"));
            List<MergeMessage> a = sent("a", "1", 5, 6, 7, 8, 9);
            accept(stage, a.subList(0, upTo(a, 1)), 0);
            accept(stage, sent("b", "1", 10), 0); // and ends, in order
            stage.expect(Set.of("a"), Set.of(), timeoutNs);
            stage.expect(Set.of("a"), Set.of(), 2 * timeoutNs);
            stage.expect(Set.of("a"), Set.of(), 4 * timeoutNs);
            accept(stage, a.subList(upTo(a, 1), upTo(a, 2)), 5 * timeoutNs);
            List<MergeMessage> b = begun("b", "2", 0, 0, 30, 40, 50); // in the third second
            accept(stage, b.subList(0, upTo(b, 2)), 6 * timeoutNs);
            stage.expect(Set.of("a", "b"), Set.of(), 7 * timeoutNs);
            stage.expect(Set.of("a", "b"), Set.of(), 9 * timeoutNs);
            accept(stage, a.subList(upTo(a, 2), a.size()), 9 * timeoutNs);
            accept(stage, b.subList(upTo(b, 2), b.size()), 9 * timeoutNs);
            assertEquals(0, stage.counts().timeouts().get());
            assertEquals(0, stage.counts().lateWindows().get());
        }
        assertEquals(Map.of(1L, 15L, 2L, 6L, 3L, 37L, 4L, 48L, 5L, 59L), rows);
        allocator.close();
    }

    /** Their packets are of other times: one passes a window's end a moment before the other. */
    @Test
    void whoHasPassedTheSameWindowIsNotBehind() {
        long timeoutNs = 100;
        long[] now = new long[1];
        MergeStage.Options options = new MergeStage.Options(1 << 24, timeoutNs);
        try (MergeStage stage = MergeStage.first(allocator, options)) {
            stage.add(CODE, 1, batch -> count(batch, new TreeMap<>()));
            stage.expectFirst(Set.of("a", "b"));
            PartialSender a = sender(stage, "a", now);
            PartialSender b = sender(stage, "b", now);
            for (int window = 0; window < ROUNDS; window++) {
                for (PartialSender sender : window % 2 == 0 ? List.of(a, b) : List.of(b, a)) {
                    sender.passed(window * SECOND_NS + random.nextInt((int) SECOND_NS));
                }
                for (int t = 0; t < 4; t++) {
                    now[0] += timeoutNs;
                    stage.tick(now[0]);
                }
                assertEquals(window * SECOND_NS, stage.passedNs(), "-Dweir.seed=" + seed);
            }
            assertEquals(0, stage.counts().timeouts().get(), "-Dweir.seed=" + seed);
        }
        allocator.close();
    }

    /** It tells its time in the middle of them, too. */
    @Test
    void whoHasOnlyLongWindowsIsNotBehind() {
        long timeoutNs = 100;
        long[] now = new long[1];
        CompiledQuery minutes = TinySource.perSource("minutes", 60 * SECOND_NS);
        MergeStage.Options options = new MergeStage.Options(1 << 24, timeoutNs);
        try (MergeStage stage = MergeStage.first(allocator, options)) {
            stage.add(CODE, 1, batch -> {});
            stage.add(minutes, 1, batch -> {});
            stage.expectFirst(Set.of("a", "b"));
            PartialSender a = sender(stage, "a", now);
            PartialSender b = sender(stage, "b", now, minutes);
            for (long second = 0; second < 200; second++) {
                for (PartialSender sender : second % 2 == 0 ? List.of(a, b) : List.of(b, a)) {
                    sender.passed(second * SECOND_NS + random.nextInt((int) SECOND_NS));
                    now[0] += timeoutNs / 3;
                    stage.tick(now[0]);
                }
                assertEquals(second * SECOND_NS, stage.passedNs(), "-Dweir.seed=" + seed);
            }
            assertEquals(0, stage.counts().timeouts().get(), "-Dweir.seed=" + seed);
        }
        allocator.close();
    }

    /** What its next owner counts begins with the time that it has told. */
    @Test
    void aSliceTellsEndsOfWindowsAlone() {
        List<Long> told = new ArrayList<>();
        PartialSender slice =
                new PartialSender(
                        new WorkerEpoch("slice", "1"),
                        1,
                        9000,
                        (shard, message) -> told.add(((MergeMessage.Passed) message).watermarkNs()),
                        Optional.of(new ExactCounts(new int[0])),
                        () -> 0);
        CompiledQuery minutes = TinySource.perSource("minutes", 60 * SECOND_NS);
        assertNotNull(slice.exporter(minutes, 1));
        for (int second = 1; second < 150; second++) {
            slice.passed(second * SECOND_NS);
        }
        assertEquals(List.of(0L, 60 * SECOND_NS, 120 * SECOND_NS), told);
        allocator.close();
    }

    private static PartialSender sender(MergeStage stage, String worker, long[] now) {
        return sender(stage, worker, now, CODE);
    }

    /** Of a worker that has begun, and counts for the query. */
    private static PartialSender sender(
            MergeStage stage, String worker, long[] now, CompiledQuery code) {
        WorkerEpoch source = new WorkerEpoch(worker, "1");
        PartialSender sender =
                new PartialSender(source, 1, 9000, (shard, p) -> stage.accept(p, now[0]));
        assertNotNull(sender.exporter(code, 1));
        sender.begin();
        return sender;
    }

    private static void accept(MergeStage stage, List<MergeMessage> messages, long now) {
        messages.forEach(message -> stage.accept(message, now));
    }

    /** Packets of a window in all its rows. */
    private static void count(RowBatch batch, Map<Long, Long> rows) {
        for (int r = 0; r < batch.rows(); r++) {
            rows.merge(batch.windowEndNs() / SECOND_NS, (Long) batch.value(r, 1), Long::sum);
        }
    }
}
