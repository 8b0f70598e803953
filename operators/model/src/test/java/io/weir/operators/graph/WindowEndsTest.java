package io.weir.operators.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class WindowEndsTest {
    @Test
    void theLeastEndAfterATimeAsFoundByTryingAll() {
        for (long seed = 1; seed <= 2000; seed++) {
            Random random = new Random(seed);
            long slide = 1L + random.nextInt(10);
            Window window = new Window(slide + random.nextInt(20), slide, random.nextInt(40) - 20L);
            long time = random.nextInt(200) - 100L;
            long expected = time + 1;
            while (Math.floorMod(expected - window.sizeNs() - window.offsetNs(), slide) != 0) {
                expected++;
            }
            String message = "seed " + seed + " " + window + " at " + time;
            assertEquals(expected, WindowEnds.after(window, time), message);
        }
    }

    @Test
    void theEndsOfTimeStay() {
        Window second = Window.tumble(1_000_000_000);
        assertEquals(Long.MIN_VALUE, WindowEnds.after(second, Long.MIN_VALUE));
        assertEquals(Long.MAX_VALUE, WindowEnds.after(second, Long.MAX_VALUE));
        assertEquals(Long.MAX_VALUE, WindowEnds.after(second, Long.MAX_VALUE - 1));
        assertEquals(Long.MAX_VALUE, WindowEnds.plus(Long.MAX_VALUE - 5, 10));
        assertEquals(Long.MIN_VALUE, WindowEnds.plus(Long.MIN_VALUE, 10));
    }
}
