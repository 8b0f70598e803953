package io.weir.operators.trigger;

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
final class TriggerTest {
    private static final RowPredicate HIGH = (batch, row) -> batch.word(row, 0) > 100;
    private static final RowPredicate LOW = (batch, row) -> batch.word(row, 0) < 10;

    private final List<String> log = new ArrayList<>();

    private final TriggerListener listener =
            new TriggerListener() {
                @Override
                public void woken(long fromNs, long untilNs, RowBatch batch, int row) {
                    String until = untilNs == Long.MAX_VALUE ? "" : " until " + untilNs;
                    log.add("row " + row + " wakes from " + fromNs + until);
                }

                @Override
                public void until(long untilNs) {
                    log.add("until " + untilNs);
                }
            };

    private static void window(Trigger trigger, long endNs, long... values) {
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
            trigger.rows(batch);
        }
    }

    @Test
    void theFirstRowWakesForGood() {
        Trigger trigger = new Trigger(HIGH, null, 0, 2, listener);
        window(trigger, 10, 5, 50);
        assertFalse(trigger.isSettled());
        window(trigger, 20, 50, 500, 600);
        window(trigger, 30, 500);
        assertEquals(List.of("row 1 wakes from 22"), log);
        assertTrue(trigger.isSettled());
    }

    @Test
    void untilEndsAndItWakesAgain() {
        Trigger trigger = new Trigger(HIGH, LOW, 0, 2, listener);
        window(trigger, 10, 5, 101);
        window(trigger, 20, 500, 50);
        window(trigger, 30, 9, 200, 1);
        window(trigger, 40, 300);
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
        Trigger trigger = new Trigger(HIGH, null, 15, 2, listener);
        window(trigger, 10, 101);
        window(trigger, 20, 50);
        window(trigger, 25, 101);
        window(trigger, 41, 101);
        window(trigger, 50, 1);
        assertEquals(
                List.of("row 0 wakes from 12 until 27", "until 42", "row 0 wakes from 43 until 58"),
                log);
    }

    /** As of HOP windows that are cut where a query ends, before the next activation's. */
    @Test
    void aRowOfAnEarlierWindowDoesNotShortenFor() {
        Trigger trigger = new Trigger(HIGH, null, 15, 2, listener);
        window(trigger, 30, 101);
        window(trigger, 25, 101);
        assertEquals(47, trigger.endNs());
        window(trigger, 34, 101);
        window(trigger, 33, 101);
        window(trigger, 50, 101);
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
            Trigger trigger = new Trigger(HIGH, null, forNs, 2, listener);
            log.clear();
            List<String> expected = new ArrayList<>();
            long until = Long.MIN_VALUE;
            for (int w = 0; w < 30; w++) {
                long end = 5L * w + random.nextInt(25);
                boolean high = random.nextInt(3) > 0;
                window(trigger, end, high ? 500 : 50);
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
        Trigger trigger = new Trigger(HIGH, null, 0, 2, listener);
        window(trigger, Long.MAX_VALUE, 500);
        assertEquals(List.of(), log);
    }
}
