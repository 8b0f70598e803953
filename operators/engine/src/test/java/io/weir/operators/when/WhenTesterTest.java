package io.weir.operators.when;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Type;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows of one BIGINT column: over 100 meets the condition, under 10 meets UNTIL. Delay 2. */
final class WhenTesterTest {
    private static final RowPredicate HIGH = (batch, row) -> batch.word(row, 0) > 100;
    private static final RowPredicate LOW = (batch, row) -> batch.word(row, 0) < 10;

    private final List<String> log = new ArrayList<>();

    private WhenState state;

    private void listen(WhenState.Change change, RowBatch batch, int row) {
        String until = change.untilNs() == Long.MAX_VALUE ? "" : " until " + change.untilNs();
        log.add(
                change.begins()
                        ? "row " + row + " wakes from " + change.fromNs() + until
                        : until.strip());
    }

    private WhenTester test(RowPredicate until, long forNs) {
        state = WhenState.latest();
        return new WhenTester(
                new WhenTester.Conditions(HIGH, until, forNs, List.of()), 2, state, this::listen);
    }

    private static void window(WhenTester test, long endNs, long... values) {
        Variable column = Variable.column("n", Type.BIGINT);
        Query query =
                new Query(
                        "q",
                        new Operator.Scan(StreamType.PACKETS, List.of(column), "ts"),
                        Optional.empty(),
                        "");
        RowLayout layout = new RowLayout(List.of(column));
        try (NativeAllocator allocator = new NativeAllocator(1 << 16);
                RowBatch batch =
                        new RowBatch(query, layout, endNs - 10, endNs, values.length, allocator)) {
            for (int row = 0; row < values.length; row++) {
                Memory.putLong(batch.address(row) + layout.offset(0), values[row]);
            }
            test.rows(batch);
        }
    }

    @Test
    void theFirstRowWakesForGood() {
        WhenTester test = test(null, 0);
        window(test, 10, 5, 50);
        assertFalse(test.isSettled());
        window(test, 20, 50, 500, 600);
        window(test, 30, 500);
        assertEquals(List.of("row 1 wakes from 22"), log);
        assertTrue(test.isSettled());
    }

    @Test
    void untilEndsAndItWakesAgain() {
        WhenTester test = test(LOW, 0);
        window(test, 10, 5, 101);
        window(test, 20, 500, 50);
        window(test, 30, 9, 200, 1);
        window(test, 40, 300);
        assertEquals(
                List.of(
                        "row 1 wakes from 12",
                        "until 32",
                        "row 1 wakes from 32",
                        "until 32",
                        "row 0 wakes from 42"),
                log);
    }

    @Test
    void forIsRenewedWhileItLastsAndThenWakesAfresh() {
        WhenTester test = test(null, 15);
        window(test, 10, 101);
        window(test, 20, 50);
        window(test, 25, 101);
        window(test, 41, 101);
        window(test, 50, 1);
        assertEquals(
                List.of("row 0 wakes from 12 until 27", "until 42", "row 0 wakes from 43 until 58"),
                log);
    }

    /** As of HOP windows that are cut where a query ends, before the next activation's. */
    @Test
    void aRowOfAnEarlierWindowDoesNotShortenFor() {
        WhenTester test = test(null, 15);
        window(test, 30, 101);
        window(test, 25, 101);
        assertEquals(47, state.last(Binding.NONE).orElseThrow().untilNs());
        window(test, 34, 101);
        window(test, 33, 101);
        window(test, 50, 101);
        assertEquals(
                List.of("row 0 wakes from 32 until 47", "until 51", "row 0 wakes from 52 until 67"),
                log);
    }

    /** Renewals in any order end it at the latest of them, as a plain walk over rows says. */
    @Test
    void forEndsAtTheLatestOfAllRenewals() {
        long seed = Long.getLong("weir.seed", 31);
        for (int round = 0; round < 2_000; round++) {
            Random random = new Random(seed + round);
            int forNs = 1 + random.nextInt(20);
            WhenTester test = test(null, forNs);
            log.clear();
            List<String> expected = new ArrayList<>();
            long until = Long.MIN_VALUE;
            for (int w = 0; w < 30; w++) {
                long end = 5L * w + random.nextInt(25);
                boolean high = random.nextInt(3) > 0;
                window(test, end, high ? 500 : 50);
                if (high && end + 2 > until) {
                    until = end + 2 + forNs;
                    expected.add("row 0 wakes from " + (end + 2) + " until " + until);
                } else if (high && end + 2 + forNs > until) {
                    until = end + 2 + forNs;
                    expected.add("until " + until);
                } else if (end + 2 > until) {
                    until = Long.MIN_VALUE;
                }
            }
            assertEquals(expected, log, "-Dweir.seed=" + (seed + round));
        }
    }

    @Test
    void theLastTotalsWakeNothing() {
        WhenTester test = test(null, 0);
        window(test, Long.MAX_VALUE, 500);
        assertEquals(List.of(), log);
    }
}
