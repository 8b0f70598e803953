package io.weir.cluster.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.faults.Queries.Woken;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Wakes that are missing, or that no row has told, are found. */
class WakeAuditTest {
    private static final long SEED = Long.getLong("weir.seed", 12);
    private static final long BEGIN = 1_800_000_000L * Queries.WINDOW_NS;
    private static final int WINDOWS = 40;
    private static final long MOST = 500;

    private final Random random = new Random(SEED);
    private final Woken woken = Queries.WOKEN.get(random.nextInt(Queries.WOKEN.size()));
    private final TreeMap<Long, Long> rows = new TreeMap<>();
    private final TreeSet<Long> wakes = new TreeSet<>();

    WakeAuditTest() {
        for (int i = 1; i <= WINDOWS; i++) {
            long endNs = BEGIN + i * Queries.WINDOW_NS;
            long packets = random.nextInt((int) MOST * 2 * woken.nodes());
            rows.put(endNs, packets);
            if (packets > MOST * woken.nodes()) {
                wakes.add(endNs);
            }
        }
    }

    private RowLog log() {
        RowLog log = new RowLog();
        rows.forEach((endNs, n) -> log.row(woken.by(), "", "a", endNs, 0, n, n, 1, 0, 0));
        wakes.forEach(endNs -> log.wake(woken.name(), endNs + woken.delayNs()));
        wakes.forEach(endNs -> log.wake(woken.name(), endNs + woken.delayNs())); // told again
        return log;
    }

    private static List<String> wrong(RowLog log, boolean lost) {
        return new WakeAudit(log, MOST).wrong(BEGIN, Long.MAX_VALUE, endNs -> lost);
    }

    private List<String> wrong(boolean lost) {
        return wrong(log(), lost);
    }

    private long any(Set<Long> ends) {
        return List.copyOf(ends).get(random.nextInt(ends.size()));
    }

    @Test
    void eachBusyRowWakesOnce() {
        assertTrue(wakes.size() > 1 && wakes.size() < WINDOWS, "seed " + SEED);
        assertEquals(List.of(), wrong(false), "seed " + SEED);
    }

    @Test
    void aRowThatHasWokenNobodyIsFoundWhateverWasLost() {
        wakes.remove(any(wakes));
        assertFalse(wrong(true).isEmpty(), "seed " + SEED);
    }

    @Test
    void aWakeWithoutARowIsFoundUnlessRowsWereLost() {
        rows.remove(any(wakes));
        assertFalse(wrong(false).isEmpty(), "seed " + SEED);
        assertEquals(List.of(), wrong(true), "seed " + SEED);
    }

    @Test
    void aRowThatComesTwiceIsFound() {
        RowLog log = log();
        long endNs = any(wakes);
        log.row(woken.by(), "", "a", endNs, 0, rows.get(endNs), 1, 1, 0, 0);
        assertFalse(wrong(log, true).isEmpty(), "seed " + SEED);
    }
}
