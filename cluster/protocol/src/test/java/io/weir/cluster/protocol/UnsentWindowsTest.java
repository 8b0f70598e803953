package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Window;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.Receivers;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is told of windows that have no packets, since the engine has ended their query. */
final class UnsentWindowsTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final Window TUMBLE = Window.tumble(SECOND_NS);

    /** By the second in which a window ends. */
    private final Map<Long, Long> lost = new TreeMap<>();

    private UnsentWindows windows(Window window, long untilNs) {
        PartialExporter.Departing from =
                new PartialExporter.Departing(
                        TinyMerge.CODE, Long.MIN_VALUE, untilNs, RowContext.ALWAYS, Receivers.ALL);
        return new UnsentWindows(from, window, 2 * SECOND_NS, 100);
    }

    private boolean passed(UnsentWindows windows, long second, long ran) {
        long ns = second == Long.MAX_VALUE ? second : second * SECOND_NS;
        return windows.passed(ns, ran, this::tell);
    }

    private void tell(PartialExporter.Departing from, long startNs, long endNs, long packets) {
        assertTrue(packets > 0);
        lost.merge(endNs / SECOND_NS, packets, Long::sum);
    }

    /** Those of the next window may have run before this one is told of. */
    @Test
    void oneIsKeptForTheNext() {
        UnsentWindows windows = windows(TUMBLE, Long.MAX_VALUE);
        assertTrue(passed(windows, 3, 150));
        assertTrue(passed(windows, 4, 150));
        assertTrue(passed(windows, 5, 150));
        assertTrue(passed(windows, 6, 160));
        assertFalse(passed(windows, Long.MAX_VALUE, 163));
        assertEquals(Map.of(3L, 49L, 4L, 1L, 6L, 9L, 7L, 4L), lost);
    }

    /** Nobody knows in which of them they were: none may call itself complete. */
    @Test
    void windowsThatEndTogetherShareThem() {
        UnsentWindows windows = windows(TUMBLE, Long.MAX_VALUE);
        assertTrue(passed(windows, 6, 141));
        assertEquals(Map.of(3L, 10L, 4L, 10L, 5L, 10L, 6L, 10L), lost);
    }

    /** A window goes on after the packets of its first second. */
    @Test
    void eachWindowThatHasThemTellsSome() {
        UnsentWindows windows = windows(new Window(3 * SECOND_NS, SECOND_NS), Long.MAX_VALUE);
        for (int second = 3; second < 8; second++) {
            assertTrue(passed(windows, second, 150));
        }
        assertEquals(Map.of(3L, 47L, 4L, 1L, 5L, 1L, 6L, 1L), lost);
    }

    @Test
    void noneBeginsAfterTheActivation() {
        UnsentWindows windows = windows(TUMBLE, 3 * SECOND_NS + 1);
        assertTrue(passed(windows, 3, 150));
        assertFalse(passed(windows, 9, 200));
        assertEquals(2, lost.size());
        assertEquals(49L, lost.get(3L));
    }

    /** A gap in a capture is not a flood of windows; and in the end, each packet was told once. */
    @Test
    void allAreToldOnce() {
        long seed = Long.getLong("weir.seed", 9);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            lost.clear();
            long slideNs = SECOND_NS * (1 + random.nextInt(3));
            Window window = new Window(slideNs * (1 + random.nextInt(3)), slideNs);
            UnsentWindows windows = windows(window, Long.MAX_VALUE);
            long second = 2;
            long ran = 100;
            for (int step = 0; step < 20; step++) {
                second += random.nextInt(9) == 0 ? 1_000_000 : random.nextInt(4);
                ran += random.nextInt(3) == 0 ? 0 : random.nextInt(1000);
                assertTrue(passed(windows, second, ran));
            }
            assertFalse(passed(windows, Long.MAX_VALUE, ran));
            long told = lost.values().stream().mapToLong(Long::longValue).sum();
            assertEquals(ran - 100, told, "-Dweir.seed=" + seed + ", round " + round);
        }
    }
}
