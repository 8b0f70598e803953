package io.weir.operators.when;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Type;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Rows of two columns, a key and a number, wake a query, renew it and end it. The oracle computes
 * the intervals of each key from the list of all rows. The state goes through bytes at random
 * points, and three others follow it: one in order, one by reports in disorder, and one by the
 * changes of whole turns.
 */
final class WhenStateTest {
    private static final int ROUNDS = 3_000;
    private static final int MOST_TURNS = 25;
    private static final long DELAY_NS = 2;
    private static final RowPredicate HIGH = (batch, row) -> batch.word(row, 1) > 100;
    private static final RowPredicate LOW = (batch, row) -> batch.word(row, 1) < 10;

    private final long seed = Long.getLong("weir.seed", 61);
    private Random random;
    private boolean keyed;
    private boolean ends;
    private long forNs;
    private int restored;

    private record Row(long key, long n, long actsNs) {}

    private record Span(long fromNs, long untilNs) {}

    /** One state that rows move, and those that follow it. */
    private final class World {
        WhenState tested = new WhenState(100, 1_000);
        WhenTester test = test(tested);
        final WhenState applied = new WhenState(100, 1_000);
        WhenState reported = new WhenState(100, 0);
        final List<WhenState.Change> told = new ArrayList<>();
        final Map<Binding, TreeMap<Long, Long>> taken = new HashMap<>();
        final List<Row> rows = new ArrayList<>();

        private WhenTester test(WhenState state) {
            return new WhenTester(
                    new WhenTester.Conditions(
                            HIGH, ends ? LOW : null, forNs, keyed ? List.of(0) : List.of()),
                    DELAY_NS,
                    state,
                    (change, batch, row) -> {
                        applied.apply(change);
                        told.add(change);
                    });
        }

        void turn(long endNs) {
            for (int window = random.nextInt(3); window >= 0; window--) {
                int count = 1 + random.nextInt(4);
                Row[] window1 = new Row[count];
                Arrays.setAll(window1, i -> row(endNs));
                rows.addAll(List.of(window1));
                give(test, endNs, window1);
            }
            take();
            if (random.nextInt(3) == 0) {
                restore();
            }
        }

        private void take() {
            for (WhenState.Change change : tested.takeChanges()) {
                TreeMap<Long, Long> of =
                        taken.computeIfAbsent(change.binding(), b -> new TreeMap<>());
                assertTrue(!change.begins() || change.counts(), change.toString());
                of.put(change.fromNs(), change.untilNs());
            }
        }

        private void restore() {
            restored++;
            WhenState next = new WhenState(100, 1_000);
            next.restore(tested.bytes());
            assertEquals(tested.pending(), next.pending(), hint());
            tested = next;
            test = test(tested);
            WhenState other = new WhenState(100, 0);
            other.restore(reported.bytes());
            reported = other;
        }

        /** Each change comes, in any order within some turns, and perhaps again. */
        void report() {
            List<WhenState.Change> some = new ArrayList<>(told);
            Collections.shuffle(some, random);
            some.forEach(reported::report);
            some.subList(0, random.nextInt(some.size() + 1)).forEach(reported::report);
            told.clear();
        }
    }

    private String hint() {
        return "keyed " + keyed + ", ends " + ends + ", for " + forNs + ", -Dweir.seed=" + seed;
    }

    private Row row(long endNs) {
        return new Row(random.nextInt(3), List.of(5L, 50L, 500L).get(random.nextInt(3)), endNs + 2);
    }

    @Test
    void intervalsAreThoseOfAllRows() {
        for (int round = 0; round < ROUNDS; round++) {
            random = new Random(seed + round);
            keyed = random.nextBoolean();
            int kind = random.nextInt(3);
            ends = kind == 1;
            forNs = kind == 2 ? 1 + random.nextInt(20) : 0;
            World world = new World();
            long endNs = 10;
            for (int turn = random.nextInt(MOST_TURNS); turn >= 0; turn--) {
                endNs += 1 + random.nextInt(12);
                world.turn(endNs);
                if (random.nextInt(3) == 0) {
                    world.report();
                }
            }
            world.report();
            check(world);
        }
        assertTrue(restored > ROUNDS, restored + " restored");
    }

    private void check(World world) {
        Map<Binding, List<Row>> byKey =
                world.rows.stream()
                        .collect(
                                Collectors.groupingBy(
                                        row ->
                                                keyed
                                                        ? new Binding(List.of(row.key()))
                                                        : Binding.NONE));
        byKey.forEach(
                (binding, rows) -> {
                    List<Span> all = spans(rows);
                    List<Span> counting =
                            all.stream().filter(s -> s.untilNs() > s.fromNs()).distinct().toList();
                    assertEquals(counting, pending(world.applied, binding), hint());
                    assertEquals(counting, spans(world.taken.get(binding)), hint());
                    assertEquals(waking(world.tested, binding), waking(world.applied, binding));
                    Optional<Span> last = all.stream().reduce((a, b) -> b);
                    assertEquals(last, latest(world.tested, binding), hint());
                    if (all.equals(counting)) { // a repeated begin is a repetition for a reader
                        assertEquals(last, latest(world.reported, binding), hint());
                        assertEquals(
                                waking(world.tested, binding), waking(world.reported, binding));
                    }
                });
    }

    private static List<Span> pending(WhenState state, Binding binding) {
        return state.pending().stream()
                .filter(one -> one.binding().equals(binding) && one.counts())
                .map(one -> new Span(one.fromNs(), one.untilNs()))
                .toList();
    }

    private static Optional<Span> latest(WhenState state, Binding binding) {
        return state.last(binding).map(one -> new Span(one.fromNs(), one.untilNs()));
    }

    private static Optional<Waking> waking(WhenState state, Binding binding) {
        return state.last(binding).flatMap(WhenState.Change::waking);
    }

    private static List<Span> spans(Map<Long, Long> taken) {
        List<Span> spans = new ArrayList<>();
        if (taken != null) {
            taken.forEach((fromNs, untilNs) -> spans.add(new Span(fromNs, untilNs)));
        }
        return spans;
    }

    /** Walks the rows of one key: a row that wakes, then all rows until its end. */
    private List<Span> spans(List<Row> rows) {
        List<Span> spans = new ArrayList<>();
        int i = 0;
        while (i < rows.size()) {
            Row wakes = rows.get(i++);
            if (wakes.n() <= 100) {
                continue;
            }
            long untilNs = forNs > 0 ? wakes.actsNs() + forNs : Long.MAX_VALUE;
            while (i < rows.size() && !(forNs > 0 && rows.get(i).actsNs() > untilNs)) {
                Row next = rows.get(i++);
                if (ends && next.n() < 10) {
                    untilNs = next.actsNs();
                    break;
                } else if (forNs > 0 && next.n() > 100) {
                    untilNs = next.actsNs() + forNs;
                }
            }
            spans.add(new Span(wakes.actsNs(), untilNs));
        }
        return spans;
    }

    private static void give(WhenTester test, long endNs, Row... rows) {
        List<Variable> columns =
                List.of(Variable.column("k", Type.BIGINT), Variable.column("n", Type.BIGINT));
        Query query =
                new Query(
                        "q",
                        new Operator.Scan(StreamType.PACKETS, columns, "ts"),
                        Optional.empty(),
                        "");
        RowLayout layout = new RowLayout(columns);
        try (NativeAllocator allocator = new NativeAllocator(1 << 16);
                RowBatch batch =
                        new RowBatch(query, layout, endNs - 10, endNs, rows.length, allocator)) {
            for (int r = 0; r < rows.length; r++) {
                Memory.putLong(batch.address(r), 0);
                Memory.putLong(batch.address(r) + layout.offset(0), rows[r].key());
                Memory.putLong(batch.address(r) + layout.offset(1), rows[r].n());
            }
            test.rows(batch);
        }
    }

    /** A reader of changes gets one wake for each time. */
    @Test
    void oneThatIsEndedAndWokenAgainWasWokenOnce() {
        WhenState state = new WhenState(1, 8);
        state.wake(Binding.NONE, 5, 100);
        state.end(Binding.NONE, 5);
        state.wake(Binding.NONE, 5, 100);
        assertEquals(List.of(WhenState.Change.wake(5, 100)), state.takeChanges());
        assertEquals(List.of(), state.takeChanges());
    }

    @Test
    void oneThatNeverCountedIsNotTold() {
        WhenState state = new WhenState(1, 8);
        state.wake(Binding.NONE, 5, 100);
        state.end(Binding.NONE, 5);
        assertEquals(List.of(), state.takeChanges());
        assertEquals(List.of(), state.pending());
    }

    @Test
    void oneThatWasAwakeEndsBeforeItWakesAgain() {
        WhenState state = new WhenState(1, 8);
        state.wake(Binding.NONE, 5, 100);
        assertEquals(List.of(WhenState.Change.wake(5, 100)), state.takeChanges());
        state.end(Binding.NONE, 7);
        state.wake(Binding.NONE, 7, 100);
        state.end(Binding.NONE, 9);
        state.wake(Binding.NONE, 9, 100);
        assertEquals(
                List.of(
                        WhenState.Change.until(5, 7),
                        WhenState.Change.wake(7, 9),
                        WhenState.Change.wake(9, 100)),
                state.takeChanges());
    }

    @Test
    void theSetOfBindingsIsBounded() {
        WhenState state = new WhenState(2, 0);
        Binding a = new Binding(List.of("a"));
        Binding b = new Binding(List.of(Inet.v4(1), 2.5, true));
        Binding c = new Binding(List.of(3L));
        assertTrue(state.wake(a, 1, 10).isPresent());
        assertTrue(state.wake(b, 1, 20).isPresent());
        assertEquals(Optional.empty(), state.wake(c, 9, 90));
        assertEquals(1, state.refused());
        WhenState next = new WhenState(2, 0);
        next.restore(state.bytes());
        assertTrue(next.wake(c, 11, 90).isPresent(), "the first is over by then");
        assertEquals(Optional.empty(), next.last(a));
        assertEquals(20, next.last(b).orElseThrow().untilNs());
    }

    /** An interval goes on while any activation lasts, and numbers grow, also after a restart. */
    @Test
    void activationsAreNumberedAndKnowTheirInterval() {
        WhenState state = new WhenState(3, 4);
        Binding a = new Binding(List.of("a"));
        Binding b = new Binding(List.of("b"));
        List<Object> values = Arrays.asList(null, 7L);
        assertEquals(new Waking(10, 10, values), begun(state.wake(a, 10, 20, values)));
        assertEquals(new Waking(11, 10, List.of()), begun(state.wake(b, 10, 15)));
        state.renew(b, 40);
        WhenState next = new WhenState(3, 4);
        next.restore(state.bytes());
        assertEquals(values, next.last(a).orElseThrow().waking().orElseThrow().values());
        Binding c = new Binding(List.of("c"));
        assertEquals(new Waking(30, 10, List.of()), begun(next.wake(c, 30, 35)));
        next.end(b, 32);
        assertEquals(new Waking(36, 36, List.of()), begun(next.wake(a, 36, 50)));
    }

    private static Waking begun(Optional<WhenState.Change> change) {
        return change.orElseThrow().waking().orElseThrow();
    }

    /** As release 0.1 writes the state of a merge: one that goes on, and one that is not told. */
    @Test
    void bytesOfAnEarlierReleaseAreRead() {
        byte[] before =
                ByteBuffer.allocate(1 + 6 * Long.BYTES)
                        .put((byte) 1)
                        .putLong(30)
                        .putLong(Long.MAX_VALUE)
                        .putLong(10)
                        .putLong(20)
                        .putLong(30)
                        .putLong(Long.MAX_VALUE)
                        .array();
        WhenState state = new WhenState(1, 8);
        state.restore(before);
        assertTrue(state.isAwake(Binding.NONE, 40));
        assertEquals(
                List.of(WhenState.Change.wake(10, 20), WhenState.Change.wake(30, Long.MAX_VALUE)),
                state.pending());
        assertTrue(Arrays.equals(before, state.bytes()), "an earlier release reads it, too");
    }

    @Test
    void otherBytesAreAnError() {
        WhenState state = new WhenState(8, 8);
        state.wake(new Binding(List.of("text", 1L)), 1, 2);
        state.wake(Binding.NONE, 1, 2);
        byte[] bytes = state.bytes();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(IllegalArgumentException.class, () -> state.restore(cut));
        }
        bytes[0] = 3;
        assertThrows(IllegalArgumentException.class, () -> state.restore(bytes));
    }
}
