package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A worker's begin is before what the others send after it: what they pass then is not final
 * without it, whether or not anybody has told of it yet.
 */
final class BegunSourceTest {
    private static final Set<String> A = Set.of("a");
    private static final Set<String> BOTH = Set.of("a", "b");

    /** A block, the window's end, the time that has passed. */
    private static final int WINDOW = 3;

    private final TinyMerge merge = new TinyMerge();
    private final List<MergeMessage> a = TinyMerge.sent("a", "1", 9000, 1, 1, 1, 1);

    @AfterEach
    void close() {
        merge.close();
    }

    private static List<MergeMessage> rest(List<MergeMessage> messages, int from) {
        return messages.subList(from, messages.size());
    }

    @Test
    void itIsWaitedForBeforeOthersTellOfIt() {
        List<MergeMessage> b = TinySource.begun(TinyMerge.CODE, new WorkerEpoch("b", "1"), 0, 1);
        merge.stage().expect(A, Set.of(), 0);
        merge.accept(a.subList(0, WINDOW), 0);
        merge.stage().accept(b.get(0), 0);
        merge.accept(a.subList(WINDOW, 2 * WINDOW), 0);
        merge.stage().expect(A, Set.of(), 50);
        assertEquals(List.of("1: 10.0.0.0 1, lost 0, 1.00"), merge.rows());
        merge.accept(rest(b, 1), 60);
        assertEquals("2: 10.0.0.0 2, lost 0, 1.00", merge.rows().get(1));
        merge.stage().expect(BOTH, Set.of(), 70);
        merge.accept(rest(a, 2 * WINDOW), 80);
        assertEquals("4: 10.0.0.0 1, lost 0, 1.00", merge.rows().get(3));
    }

    /** One that had ended in order, and is there again before anybody took it for gone. */
    @Test
    void itIsWaitedForAlthoughItHadEnded() {
        merge.stage().expect(BOTH, Set.of(), 0);
        merge.accept(TinyMerge.sent("b", "1", 9000, 1), 0);
        merge.accept(a.subList(0, WINDOW), 0);
        assertEquals(List.of("1: 10.0.0.0 2, lost 0, 1.00"), merge.rows());
        List<MergeMessage> again =
                TinySource.begun(TinyMerge.CODE, new WorkerEpoch("b", "2"), 0, 1);
        merge.stage().accept(again.get(0), 0);
        merge.accept(a.subList(WINDOW, 2 * WINDOW), 0);
        assertEquals(1, merge.rows().size());
        merge.accept(rest(again, 1), 0);
        assertEquals("2: 10.0.0.0 2, lost 0, 1.00", merge.rows().get(1));
    }

    /** It ended in order in the middle of a window, and began again before that was over. */
    @Test
    void bothLivesHaveAPartOfTheWindowBetweenThem() {
        twoLives(false);
    }

    @Test
    void bothLivesHaveAPartThoughTheMergeBeginsAnewBetweenThem() {
        twoLives(true);
    }

    private void twoLives(boolean anew) {
        List<MergeMessage> again =
                TinySource.begun(TinyMerge.CODE, new WorkerEpoch("b", "0"), 1, 1);
        merge.stage().expect(BOTH, Set.of(), 0);
        merge.accept(TinySource.begun(TinyMerge.CODE, new WorkerEpoch("b", "1"), 1), 0);
        int begunAndABlock = 2;
        merge.accept(again.subList(0, begunAndABlock), 0);
        if (anew) {
            merge.restart();
            merge.stage().expectFirst(BOTH);
        }
        merge.accept(rest(again, begunAndABlock), 0);
        merge.accept(a.subList(0, 2 * WINDOW), 0);
        assertEquals(
                List.of("1: 10.0.0.0 3, lost 0, 1.00", "2: 10.0.0.0 2, lost 0, 1.00"),
                merge.rows());
    }

    /** It had a query that was merged, then none for long, and has one again. */
    @Test
    void itIsWaitedForAlthoughItWasGivenUp() {
        WorkerEpoch b = new WorkerEpoch("b", "1");
        merge.stage().expect(BOTH, Set.of(), 0);
        merge.accept(List.of(new MergeMessage.Passed(b, 0, Long.MIN_VALUE)), 0);
        merge.accept(List.of(new MergeMessage.Passed(b, 1, TinySource.SECOND_NS)), 0);
        merge.accept(a.subList(0, 2 * WINDOW), 0);
        merge.stage().expect(BOTH, Set.of(), 100);
        assertEquals(2, merge.rows().size());
        merge.accept(List.of(new MergeMessage.Passed(b, 2, Long.MIN_VALUE)), 110);
        merge.accept(a.subList(2 * WINDOW, 3 * WINDOW), 120);
        merge.stage().expect(BOTH, Set.of(), 130);
        assertEquals(2, merge.rows().size());
        merge.accept(List.of(new MergeMessage.Passed(b, 3, 3 * TinySource.SECOND_NS)), 140);
        assertEquals("3: 10.0.0.0 1, lost 0, 1.00", merge.rows().get(2));
    }

    /** It may have counted something: what is made without it does not call itself complete. */
    @Test
    void itIsMissingWhileItSaysNothing() {
        missing(BOTH, false);
    }

    @Test
    void itIsMissingThoughNobodyTellsOfIt() {
        missing(A, false);
    }

    @Test
    void itIsMissingThoughTheMergeBeginsAnew() {
        missing(BOTH, true);
    }

    @Test
    void itIsMissingThoughNobodyTellsOfItAndTheMergeBeginsAnew() {
        missing(A, true);
    }

    private void missing(Set<String> toldOf, boolean anew) {
        List<MergeMessage> b =
                TinySource.begun(TinyMerge.CODE, new WorkerEpoch("b", "1"), 0, 1, 1, 1);
        merge.stage().expect(A, Set.of(), 0);
        merge.accept(a.subList(0, WINDOW), 0);
        merge.stage().accept(b.get(0), 0);
        if (anew) {
            merge.restart();
            assertEquals(BOTH, merge.stage().goingOn(0));
            merge.stage().expectFirst(BOTH);
        }
        merge.accept(a.subList(WINDOW, 3 * WINDOW), 10);
        assertEquals(List.of("1: 10.0.0.0 1, lost 0, 1.00"), merge.rows());
        merge.stage().expect(toldOf, Set.of(), 150);
        merge.stage().expect(toldOf, Set.of(), 300);
        assertEquals(
                List.of(
                        "2: 10.0.0.0 1, lost 0, missing 1, 0.50",
                        "3: 10.0.0.0 1, lost 0, missing 1, 0.50"),
                merge.rows().subList(1, merge.rows().size()));
        merge.accept(rest(b, 1), 310);
        merge.accept(rest(a, 3 * WINDOW), 310);
        assertEquals(
                List.of("4: 10.0.0.0 2, lost 2, 1.00"),
                merge.rows().subList(3, merge.rows().size()));
    }
}
