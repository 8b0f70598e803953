package io.weir.operators.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A worker's begin is before what the others send after it: what they pass then is not final
 * without it, whether or not anybody has told of it yet.
 */
final class BegunSourceTest {
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final MergeStage.Options OPTIONS =
            new MergeStage.Options(1 << 24, TinySource.SECOND_NS, 100);
    private static final Set<String> A = Set.of("a");
    private static final Set<String> BOTH = Set.of("a", "b");

    /** A block, the window's end, the time that has passed. */
    private static final int WINDOW = 3;

    private final NativeAllocator allocator = new NativeAllocator(1L << 28);
    private final KeptJournal kept = new KeptJournal();
    private final List<String> rows = new ArrayList<>();
    private final List<Parcel> a =
            TinySource.parcels(CODE, new Source("a", "1"), 1, 9000, 1, 1, 1, 1).get(0);
    private MergeStage stage = anew();

    private MergeStage anew() {
        MergeStage next = MergeStage.first(allocator, OPTIONS);
        next.add(CODE, 1, this::rows);
        kept.into(next);
        return next;
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
                            "%d: %s, lost %s, missing %s",
                            batch.windowEndNs() / TinySource.SECOND_NS,
                            batch.value(r, 1),
                            batch.value(r, 2),
                            batch.value(r, 3)));
        }
    }

    private void accept(List<Parcel> parcels, long nowNs) {
        parcels.forEach(parcel -> stage.accept(parcel, nowNs));
    }

    private static List<Parcel> rest(List<Parcel> parcels, int from) {
        return parcels.subList(from, parcels.size());
    }

    @Test
    void itIsWaitedForBeforeOthersTellOfIt() {
        List<Parcel> b = TinySource.begun(CODE, new Source("b", "1"), 0, 1);
        stage.expect(A, Set.of(), 0);
        accept(a.subList(0, WINDOW), 0);
        stage.accept(b.get(0), 0);
        accept(a.subList(WINDOW, 2 * WINDOW), 0);
        stage.expect(A, Set.of(), 50);
        assertEquals(List.of("1: 1, lost 0, missing 0"), rows);
        accept(rest(b, 1), 60);
        assertEquals("2: 2, lost 0, missing 0", rows.get(1));
        stage.expect(BOTH, Set.of(), 70);
        accept(rest(a, 2 * WINDOW), 80);
        assertEquals("4: 1, lost 0, missing 0", rows.get(3));
    }

    /** One that had ended in order, and is there again before anybody took it for gone. */
    @Test
    void itIsWaitedForAlthoughItHadEnded() {
        stage.expect(BOTH, Set.of(), 0);
        accept(TinySource.parcels(CODE, new Source("b", "1"), 1, 9000, 1).get(0), 0);
        accept(a.subList(0, WINDOW), 0);
        assertEquals(List.of("1: 2, lost 0, missing 0"), rows);
        List<Parcel> again = TinySource.begun(CODE, new Source("b", "2"), 0, 1);
        stage.accept(again.get(0), 0);
        accept(a.subList(WINDOW, 2 * WINDOW), 0);
        assertEquals(1, rows.size());
        accept(rest(again, 1), 0);
        assertEquals("2: 2, lost 0, missing 0", rows.get(1));
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
        List<Parcel> again = TinySource.begun(CODE, new Source("b", "0"), 1, 1);
        stage.expect(BOTH, Set.of(), 0);
        accept(TinySource.begun(CODE, new Source("b", "1"), 1), 0);
        int begunAndABlock = 2;
        accept(again.subList(0, begunAndABlock), 0);
        if (anew) {
            stage.close();
            stage = anew();
            stage.expectFirst(BOTH);
        }
        accept(rest(again, begunAndABlock), 0);
        accept(a.subList(0, 2 * WINDOW), 0);
        assertEquals(List.of("1: 3, lost 0, missing 0", "2: 2, lost 0, missing 0"), rows);
    }

    /** It had a query that was merged, then none for long, and has one again. */
    @Test
    void itIsWaitedForAlthoughItWasGivenUp() {
        Source b = new Source("b", "1");
        stage.expect(BOTH, Set.of(), 0);
        accept(List.of(new Parcel.Passed(b, 0, Long.MIN_VALUE)), 0);
        accept(List.of(new Parcel.Passed(b, 1, TinySource.SECOND_NS)), 0);
        accept(a.subList(0, 2 * WINDOW), 0);
        stage.expect(BOTH, Set.of(), 100);
        assertEquals(2, rows.size());
        accept(List.of(new Parcel.Passed(b, 2, Long.MIN_VALUE)), 110);
        accept(a.subList(2 * WINDOW, 3 * WINDOW), 120);
        stage.expect(BOTH, Set.of(), 130);
        assertEquals(2, rows.size());
        accept(List.of(new Parcel.Passed(b, 3, 3 * TinySource.SECOND_NS)), 140);
        assertEquals("3: 1, lost 0, missing 0", rows.get(2));
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
        List<Parcel> b = TinySource.begun(CODE, new Source("b", "1"), 0, 1, 1, 1);
        stage.expect(A, Set.of(), 0);
        accept(a.subList(0, WINDOW), 0);
        stage.accept(b.get(0), 0);
        if (anew) {
            stage.close();
            stage = anew();
            assertEquals(BOTH, stage.goingOn(0));
            stage.expectFirst(BOTH);
        }
        accept(a.subList(WINDOW, 3 * WINDOW), 10);
        assertEquals(List.of("1: 1, lost 0, missing 0"), rows);
        stage.expect(toldOf, Set.of(), 150);
        stage.expect(toldOf, Set.of(), 300);
        assertEquals(
                List.of("2: 1, lost 0, missing 1", "3: 1, lost 0, missing 1"),
                rows.subList(1, rows.size()));
        accept(rest(b, 1), 310);
        accept(rest(a, 3 * WINDOW), 310);
        assertEquals(List.of("4: 2, lost 2, missing 0"), rows.subList(3, rows.size()));
    }
}
