package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers that are behind, gone, or there again: what windows say of them. */
final class AbsentWorkersTest {
    private final TinyMerge merge = new TinyMerge();

    @AfterEach
    void close() {
        merge.close();
    }

    /** Whoever is late is not waited for; what it then sends changes no row, and is counted. */
    @Test
    void whoIsBehindIsGivenUpAndCountsAsLost() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        List<MergeMessage> all = TinyMerge.sent("b", "1", 9000, 3, 3, 3);
        int firstWindow = 3;
        merge.accept(TinyMerge.sent("a", "1", 9000, 1, 1, 1), 0);
        merge.accept(all.subList(0, firstWindow), 10);
        assertEquals(3, merge.rows().size());
        merge.stage().tick(50);
        assertEquals(3, merge.rows().size());
        merge.stage().tick(111);
        assertEquals(1, merge.stage().counts().timeouts().get());
        assertEquals(
                List.of(
                        "2: 10.0.0.0 1, lost 0, missing 3, 0.25",
                        "3: 10.0.0.0 1, lost 0, missing 3, 0.25"),
                merge.rows().subList(3, 5));
        merge.accept(all.subList(firstWindow, all.size()), 120);
        assertEquals(5, merge.rows().size());
        assertEquals(2, merge.stage().counts().lateWindows().get());
        assertEquals(6, merge.stage().counts().latePackets().get());
    }

    /** A process that died in the middle of a window; its successor begins anew. */
    @Test
    void whatALifeHasNotFinishedNobodyFinishes() {
        List<MergeMessage> died = TinyMerge.sent("a", "1", 60, 2, 3);
        int firstWindow = 4;
        assertTrue(died.get(firstWindow) instanceof MergeMessage.Block);
        merge.accept(died.subList(0, firstWindow + 1), 0);
        merge.accept(TinyMerge.sent("a", "2", 60, 0, 0, 1), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 1, lost 0, 1.00",
                        "1: 10.0.0.1 1, lost 0, 1.00",
                        "3: 10.0.0.0 1, lost 0, 1.00"),
                merge.rows());
        assertEquals(1, merge.stage().counts().cutWindows().get());
        // A frozen process that goes on after it was replaced.
        merge.accept(died.subList(firstWindow + 1, died.size()), 0);
        assertEquals(3, merge.rows().size());
    }

    @Test
    void whoIsGoneIsMissingUntilItIsBack() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        List<MergeMessage> a = TinyMerge.sent("a", "1", 9000, 1, 1, 1, 1, 1, 1);
        merge.accept(TinyMerge.sent("b", "1", 9000, 4, 4, 4).subList(0, 3), 0);
        merge.accept(a.subList(0, 5), 0);
        merge.stage().expect(Set.of("a"), Set.of(), 0);
        int fourth = TinyMerge.passed(a, 4);
        merge.accept(a.subList(5, fourth), 0);
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        merge.accept(TinyMerge.sent("b", "2", 9000, 0, 0, 0, 0, 4, 4), 0);
        merge.accept(a.subList(fourth, a.size()), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "3: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "4: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "5: 10.0.0.0 2, lost 0, 1.00",
                        "6: 10.0.0.0 2, lost 0, 1.00"),
                merge.ofFirst());
    }

    /** It was taken out of the cluster; another life of it is missed as any. */
    @Test
    void whoIsRetiredIsNotMissedUntilItIsBack() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        List<MergeMessage> a = TinyMerge.sent("a", "1", 9000, 1, 1, 1, 1, 1, 1, 1);
        merge.accept(TinyMerge.sent("b", "1", 9000, 4, 4, 4).subList(0, 3), 0);
        merge.stage().expect(Set.of("a"), Set.of(), 0);
        int second = TinyMerge.passed(a, 2);
        merge.accept(a.subList(0, second), 0);
        merge.stage().retire(Map.of("b", "1", "a", "of another life"));
        int third = TinyMerge.passed(a, 3);
        merge.accept(a.subList(second, third), 0);
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        merge.accept(TinyMerge.sent("b", "2", 9000, 0, 0, 0, 4, 4).subList(0, 2), 0);
        merge.stage().expect(Set.of("a"), Set.of(), 0);
        merge.accept(a.subList(third, a.size()), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "3: 10.0.0.0 1, lost 0, 1.00"),
                merge.ofFirst().subList(0, 3));
        assertTrue(merge.ofFirst().get(5).contains("missing"), merge.rows().toString());
    }

    /** It was started again before anybody missed it. */
    @Test
    void windowsBetweenTwoLivesMissAPart() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        List<MergeMessage> a = TinyMerge.sent("a", "1", 9000, 1, 1, 1, 1, 1, 1);
        merge.accept(TinyMerge.sent("b", "1", 9000, 4, 4, 4).subList(0, 3), 0);
        merge.accept(a, 0);
        merge.accept(TinyMerge.sent("b", "2", 9000, 0, 0, 0, 4, 3, 4), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "3: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "4: 10.0.0.0 2, lost 0, 1.00",
                        "5: 10.0.0.0 2, lost 0, 1.00",
                        "6: 10.0.0.0 2, lost 0, 1.00"),
                merge.ofFirst());
    }

    /** What a killed worker left is sent by its successor while nobody waits for either. */
    @Test
    void whatALifeHasLeftDoesNotEndItsAbsence() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        List<MergeMessage> b = TinyMerge.sent("b", "1", 9000, 4, 4, 4);
        List<MergeMessage> a = TinyMerge.sent("a", "1", 9000, 1, 1, 1, 1, 1);
        merge.accept(b.subList(0, 3), 0);
        merge.stage().expect(Set.of("a"), Set.of(), 0);
        merge.accept(b.subList(3, 6), 0);
        merge.accept(a.subList(0, TinyMerge.passed(a, 4)), 0);
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 2, lost 0, 1.00",
                        "3: 10.0.0.0 1, lost 0, missing 4, 0.20",
                        "4: 10.0.0.0 1, lost 0, missing 4, 0.20"),
                merge.ofFirst());
    }

    /** It is in no row: so the next window says how much it was; it is not missing twice. */
    @Test
    void whatCameTooLateIsToldByTheNextWindow() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        List<MergeMessage> b = TinyMerge.sent("b", "1", 9000, 3, 3, 5, 2, 2);
        List<MergeMessage> a = TinyMerge.sent("a", "1", 9000, 1, 1, 1, 1, 1);
        merge.accept(b.subList(0, 3), 0);
        merge.accept(a.subList(0, TinyMerge.passed(a, 3)), 10);
        merge.stage().tick(111);
        merge.accept(b, 120);
        merge.accept(a, 120);
        assertEquals(2, merge.stage().counts().lateWindows().get());
        assertEquals(
                List.of(
                        "1: 10.0.0.0 2, lost 0, 1.00",
                        "2: 10.0.0.0 1, lost 0, missing 3, 0.25",
                        "3: 10.0.0.0 1, lost 0, missing 3, 0.25",
                        "4: 10.0.0.0 2, lost 8, 0.60",
                        "5: 10.0.0.0 2, lost 0, 1.00"),
                merge.ofFirst());
    }

    /** When nobody is left, the last windows are made of what has come, and say what is missing. */
    @Test
    void theLastWindowsCloseWhenAllAreGone() {
        merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
        List<MergeMessage> a = TinyMerge.sent("a", "1", 9000, 1, 1, 1, 1);
        List<MergeMessage> b = TinyMerge.sent("b", "1", 9000, 2, 2, 2, 2);
        merge.accept(a.subList(0, TinyMerge.passed(a, 3)), 0);
        merge.accept(b.subList(0, TinyMerge.passed(b, 1)), 0);
        assertEquals(2, merge.rows().size());
        merge.stage().expect(Set.of(), Set.of(), 50);
        merge.stage().tick(149);
        assertEquals(2, merge.rows().size());
        merge.stage().tick(150);
        assertEquals(
                List.of(
                        "2: 10.0.0.0 1, lost 0, missing 2, 0.33",
                        "3: 10.0.0.0 1, lost 0, missing 2, 0.33"),
                merge.rows().subList(2, merge.rows().size()));
        // They were frozen: what they had not sent goes on.
        merge.stage().expect(Set.of("a", "b"), Set.of(), 200);
        merge.accept(b.subList(TinyMerge.passed(b, 1), TinyMerge.passed(b, 4)), 200);
        merge.accept(a.subList(TinyMerge.passed(a, 3), TinyMerge.passed(a, 4)), 200);
        assertEquals(2, merge.stage().counts().lateWindows().get());
        assertTrue(
                merge.rows().get(merge.rows().size() - 2).startsWith("4: 10.0.0.0 2, lost "),
                "" + merge.rows());
        assertEquals(6, merge.rows().size());
    }

    /** All are stopped in order, and started again: their windows go on. */
    @Test
    void whoComesAfterAllHadEndedGoesOn() {
        for (int life = 0; life < 3; life++) {
            merge.stage().expect(Set.of("a", "b"), Set.of(), 0);
            int[] packets = new int[3 * life + 2];
            packets[3 * life] = 1;
            packets[3 * life + 1] = 1;
            merge.accept(TinyMerge.sent("a", "life " + life, 9000, packets), 0);
            merge.accept(TinyMerge.sent("b", "life " + life, 9000, packets), 0);
            merge.stage().expect(Set.of(), Set.of(), 0);
            merge.stage().tick(0);
        }
        List<String> expected = new ArrayList<>();
        for (int second : new int[] {1, 2, 4, 5, 7, 8}) {
            expected.add(second + ": 10.0.0.0 2, lost 0, 1.00");
        }
        assertEquals(expected, merge.rows());
        assertEquals(0, merge.stage().counts().lateWindows().get());
    }
}
