package io.weir.operators.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.RowBatch;
import io.weir.operators.wire.PartialWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes again, too late, cut or not at all. */
final class MergeStageTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final MergeStage.Options OPTIONS =
            new MergeStage.Options(1 << 24, SECOND_NS, 100);

    private final NativeAllocator allocator = new NativeAllocator(1L << 28);
    private final MergeStage stage = MergeStage.first(allocator, OPTIONS);
    private final List<String> rows = new ArrayList<>();

    MergeStageTest() {
        stage.add(CODE, 1, this::rows);
    }

    @AfterEach
    void close() {
        stage.close();
        allocator.close();
    }

    private void rows(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            rows.add(
                    String.format(
                            "%d: %s %s, lost %s%s, %.2f",
                            batch.windowEndNs() / SECOND_NS,
                            batch.value(r, 0),
                            batch.value(r, 1),
                            batch.value(r, 2),
                            (Long) batch.value(r, 3) == 0 ? "" : ", missing " + batch.value(r, 3),
                            batch.real(r, 4)));
        }
    }

    private static List<Parcel> sent(String worker, String life, int blockBytes, int... packets) {
        return TinySource.parcels(CODE, new Source(worker, life), 1, blockBytes, packets).get(0);
    }

    private void accept(List<Parcel> parcels, long nowNs) {
        parcels.forEach(parcel -> stage.accept(parcel, nowNs));
    }

    @Test
    void aWindowIsFinalWhenAllWhoAreExpectedHaveReported() {
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        accept(sent("a", "1", 9000, 1, 2), 0);
        assertEquals(List.of(), rows);
        List<Parcel> other = sent("b", "1", 9000, 2, 1);
        accept(other.subList(0, 3), 0);
        assertEquals(List.of("1: 10.0.0.0 2, lost 0, 1.00", "1: 10.0.0.1 1, lost 0, 1.00"), rows);
        accept(other, 0);
        assertEquals(4, rows.size());
        assertEquals("2: 10.0.0.0 2, lost 0, 1.00", rows.get(2));
        assertEquals(3, stage.counts().duplicates().get());
        assertEquals(0, stage.counts().missing().get());
    }

    /** Whoever is late is not waited for; what it then sends changes no row, and is counted. */
    @Test
    void whoIsBehindIsGivenUpAndCountsAsLost() {
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        List<Parcel> all = sent("b", "1", 9000, 3, 3, 3);
        int firstWindow = 3;
        accept(sent("a", "1", 9000, 1, 1, 1), 0);
        accept(all.subList(0, firstWindow), 10);
        assertEquals(3, rows.size());
        stage.tick(50);
        assertEquals(3, rows.size());
        stage.tick(111);
        assertEquals(1, stage.counts().timeouts().get());
        assertEquals(
                List.of(
                        "2: 10.0.0.0 1, lost 0, missing 3, 0.25",
                        "3: 10.0.0.0 1, lost 0, missing 3, 0.25"),
                rows.subList(3, 5));
        accept(all.subList(firstWindow, all.size()), 120);
        assertEquals(5, rows.size());
        assertEquals(2, stage.counts().lateWindows().get());
        assertEquals(6, stage.counts().latePackets().get());
    }

    /** A gap: blocks that never came, whole windows that never came. */
    @Test
    void gapsAreLoss() {
        List<Parcel> all = sent("a", "1", 60, 10, 4, 5);
        List<Parcel> some = new ArrayList<>();
        int blocks = 0;
        for (Parcel parcel : all) {
            boolean second =
                    parcel instanceof Parcel.Block b && b.endNs() == 2 * SECOND_NS
                            || parcel instanceof Parcel.WindowEnd w
                                    && w.window().endNs() == 2 * SECOND_NS;
            boolean cut =
                    parcel instanceof Parcel.Block b && b.endNs() == SECOND_NS && ++blocks < 6;
            if (!second && !cut) {
                some.add(parcel);
            }
        }
        accept(some, 0);
        assertEquals(5, rows.stream().filter(r -> r.startsWith("1: ")).count());
        assertTrue(rows.get(0).endsWith(" 1, lost 0, missing 5, 0.50"), rows.get(0));
        String last = rows.get(rows.size() - 1);
        assertTrue(last.startsWith("3: ") && last.endsWith(" 1, lost 4, 0.56"), last);
        assertEquals(5 + 4 + 1, stage.counts().missing().get());
    }

    /** A process that died in the middle of a window; its successor begins anew. */
    @Test
    void whatALifeHasNotFinishedNobodyFinishes() {
        List<Parcel> died = sent("a", "1", 60, 2, 3);
        int firstWindow = 4;
        assertTrue(died.get(firstWindow) instanceof Parcel.Block);
        accept(died.subList(0, firstWindow + 1), 0);
        accept(sent("a", "2", 60, 0, 0, 1), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 1, lost 0, 1.00",
                        "1: 10.0.0.1 1, lost 0, 1.00",
                        "3: 10.0.0.0 1, lost 0, 1.00"),
                rows);
        assertEquals(1, stage.counts().cutWindows().get());
        // A frozen process that goes on after it was replaced.
        accept(died.subList(firstWindow + 1, died.size()), 0);
        assertEquals(3, rows.size());
    }

    @Test
    void whoIsGoneIsMissingUntilItIsBack() {
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        List<Parcel> a = sent("a", "1", 9000, 1, 1, 1, 1, 1, 1);
        accept(sent("b", "1", 9000, 4, 4, 4).subList(0, 3), 0);
        accept(a.subList(0, 5), 0);
        stage.expect(Set.of("a"), Set.of(), 0);
        int fourth = passed(a, 4);
        accept(a.subList(5, fourth), 0);
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        accept(sent("b", "2", 9000, 0, 0, 0, 0, 4, 4), 0);
        accept(a.subList(fourth, a.size()), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "3: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "4: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "5: 10.0.0.0 2, lost 0, 1.00",
                        "6: 10.0.0.0 2, lost 0, 1.00"),
                ofFirst());
    }

    /** It was started again before anybody missed it. */
    @Test
    void windowsBetweenTwoLivesMissAPart() {
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        List<Parcel> a = sent("a", "1", 9000, 1, 1, 1, 1, 1, 1);
        accept(sent("b", "1", 9000, 4, 4, 4).subList(0, 3), 0);
        accept(a, 0);
        accept(sent("b", "2", 9000, 0, 0, 0, 4, 3, 4), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "3: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "4: 10.0.0.0 2, lost 0, 1.00",
                        "5: 10.0.0.0 2, lost 0, 1.00",
                        "6: 10.0.0.0 2, lost 0, 1.00"),
                ofFirst());
    }

    /** What a killed worker left is sent by its successor while nobody waits for either. */
    @Test
    void whatALifeHasLeftDoesNotEndItsAbsence() {
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        List<Parcel> b = sent("b", "1", 9000, 4, 4, 4);
        List<Parcel> a = sent("a", "1", 9000, 1, 1, 1, 1, 1);
        accept(b.subList(0, 3), 0);
        stage.expect(Set.of("a"), Set.of(), 0);
        accept(b.subList(3, 6), 0);
        accept(a.subList(0, passed(a, 4)), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 2, lost 0, 1.00",
                        "3: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "4: 10.0.0.0 1, lost 0, missing 4, 0.20"),
                ofFirst());
    }

    /** What never came of one worker is missing where it was missed, and is told once. */
    @Test
    void whatIsMissingOfOneIsLostWhereItIsMissing() {
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        List<Parcel> b = sent("b", "1", 9000, 3, 5, 4, 4);
        b.removeIf(
                parcel ->
                        parcel instanceof Parcel.Block block && block.endNs() == 2 * SECOND_NS
                                || parcel instanceof Parcel.WindowEnd end
                                        && end.window().endNs() == 2 * SECOND_NS);
        accept(b, 0);
        accept(sent("a", "1", 9000, 1, 1, 1, 1), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 4, 0.20",
                        "3: 10.0.0.0 2, lost 1, 0.83",
                        "4: 10.0.0.0 2, lost 0, 1.00"),
                ofFirst());
    }

    /** It is in no row: so the next window says how much it was; it is not missing twice. */
    @Test
    void whatCameTooLateIsToldByTheNextWindow() {
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        List<Parcel> b = sent("b", "1", 9000, 3, 3, 5, 2, 2);
        List<Parcel> a = sent("a", "1", 9000, 1, 1, 1, 1, 1);
        accept(b.subList(0, 3), 0);
        accept(a.subList(0, passed(a, 3)), 10);
        stage.tick(111);
        accept(b, 120);
        accept(a, 120);
        assertEquals(2, stage.counts().lateWindows().get());
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 0, missing 3, 0.25",
                        "3: 10.0.0.0 1, lost 0, missing 3, 0.25",
                        "4: 10.0.0.0 2, lost 8, 0.60",
                        "5: 10.0.0.0 2, lost 0, 1.00"),
                ofFirst());
    }

    /** A shard that nobody has for a while loses nothing: so nobody goes on without it. */
    @Test
    void shardsAreWaitedFor() {
        try (MergeStage after = MergeStage.second(allocator, OPTIONS)) {
            after.expect(Set.of("x", "y"), Set.of(), 0);
            after.accept(new Parcel.Passed(new Source("x", "1"), 0, 10 * SECOND_NS), 0);
            after.accept(new Parcel.Passed(new Source("y", "1"), 0, 5 * SECOND_NS), 0);
            after.tick(1_000 * SECOND_NS);
            assertEquals(5 * SECOND_NS, after.passedNs());
        }
    }

    private List<String> ofFirst() {
        return rows.stream().filter(r -> r.contains("10.0.0.0")).toList();
    }

    /** When nobody is left, the last windows are made of what has come, and say what is missing. */
    @Test
    void theLastWindowsCloseWhenAllAreGone() {
        stage.expect(Set.of("a", "b"), Set.of(), 0);
        List<Parcel> a = sent("a", "1", 9000, 1, 1, 1, 1);
        List<Parcel> b = sent("b", "1", 9000, 2, 2, 2, 2);
        accept(a.subList(0, passed(a, 3)), 0);
        accept(b.subList(0, passed(b, 1)), 0);
        assertEquals(2, rows.size());
        stage.expect(Set.of(), Set.of(), 50);
        stage.tick(149);
        assertEquals(2, rows.size());
        stage.tick(150);
        assertEquals(
                List.of(
                        "2: 10.0.0.0 1, lost 0, missing 2, 0.33",
                        "3: 10.0.0.0 1, lost 0, missing 2, 0.33"),
                rows.subList(2, rows.size()));
        // They were frozen: what they had not sent goes on.
        stage.expect(Set.of("a", "b"), Set.of(), 200);
        accept(b.subList(passed(b, 1), passed(b, 4)), 200);
        accept(a.subList(passed(a, 3), passed(a, 4)), 200);
        assertEquals(2, stage.counts().lateWindows().get());
        assertTrue(rows.get(rows.size() - 2).startsWith("4: 10.0.0.0 2, lost "), "" + rows);
        assertEquals(6, rows.size());
    }

    /** All are stopped in order, and started again: their windows go on. */
    @Test
    void whoComesAfterAllHadEndedGoesOn() {
        for (int life = 0; life < 3; life++) {
            stage.expect(Set.of("a", "b"), Set.of(), 0);
            int[] packets = new int[3 * life + 2];
            packets[3 * life] = 1;
            packets[3 * life + 1] = 1;
            accept(sent("a", "life " + life, 9000, packets), 0);
            accept(sent("b", "life " + life, 9000, packets), 0);
            stage.expect(Set.of(), Set.of(), 0);
            stage.tick(0);
        }
        List<String> expected = new ArrayList<>();
        for (int second : new int[] {1, 2, 4, 5, 7, 8}) {
            expected.add(second + ": 10.0.0.0 2, lost 0, 1.00");
        }
        assertEquals(expected, rows);
        assertEquals(0, stage.counts().lateWindows().get());
    }

    /** A shard that has heard of all workers' end first is not ahead of the others for that. */
    @Test
    void shardsEndAndGoOnTogether() {
        try (MergeStage second = MergeStage.second(allocator, OPTIONS)) {
            List<Long> passed = new ArrayList<>();
            second.add(CODE, 1, this::rows);
            second.addPassListener(passed::add);
            second.expect(Set.of("s0", "s1"), Set.of(), 0);
            long[] sequences = new long[2];
            long end = Long.MAX_VALUE;
            long[][] told = {
                {0, 10}, {1, 10}, {0, end}, {1, 20}, {1, end}, {0, 30}, {1, 25}, {1, 40}, {0, end},
                {1, 50}, {1, end}
            };
            for (long[] one : told) {
                int shard = (int) one[0];
                Source source = new Source("s" + shard, "1");
                second.accept(new Parcel.Passed(source, sequences[shard]++, one[1]), 0);
            }
            assertEquals(List.of(10L, end, 25L, 30L, end), passed);
        }
    }

    /** How many parcels there are until this second has passed. */
    private static int passed(List<Parcel> parcels, long second) {
        for (int i = 0; i < parcels.size(); i++) {
            if (parcels.get(i) instanceof Parcel.Passed p
                    && p.watermarkNs() >= second * SECOND_NS) {
                return i + 1;
            }
        }
        throw new AssertionError("second " + second + " does not pass");
    }

    @Test
    void whatCannotBeReadIsLostAndCounted() {
        List<Parcel> all = new ArrayList<>();
        for (Parcel parcel : sent("a", "1", PartialWriter.DEFAULT_BLOCK_BYTES, 2, 3)) {
            if (parcel instanceof Parcel.Block b && b.endNs() == SECOND_NS) {
                byte[] bytes = b.bytes().clone();
                bytes[8]++;
                all.add(
                        new Parcel.Block(
                                b.source(), b.sequence(), b.activation(), b.endNs(), bytes));
            } else {
                all.add(parcel);
            }
        }
        accept(all, 0);
        assertEquals(3, rows.size());
        assertTrue(rows.get(0).startsWith("2: "), rows.get(0));
        assertEquals(1, stage.counts().unread().get());
        assertTrue(
                stage.counts().lastUnread().getMessage().contains("another version of q"),
                stage.counts().lastUnread().toString());
    }

    @Test
    void parcelsOfUnknownVersionsAreCounted() {
        stage.drop("q", 1);
        accept(sent("a", "1", 9000, 1), 0);
        assertEquals(List.of(), rows);
        assertTrue(stage.counts().unknown().get() >= 2);
    }
}
