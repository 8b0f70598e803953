package io.weir.operators.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A deadline against a plain sum of the time that has passed. */
class DeadlineTest {
    @Test
    void endsAfterItsLength() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < 1_000; round++) {
            ManualClock clock = new ManualClock();
            long lengthNs = random.nextLong(5_000_000_000L);
            Deadline deadline = Deadline.after(Duration.ofNanos(lengthNs), clock);
            for (long passedNs = 0; passedNs < lengthNs; ) {
                assertFalse(deadline.isOver(), "-Dweir.seed=" + seed);
                assertEquals((lengthNs - passedNs + 999_999) / 1_000_000, deadline.leftMs());
                long stepNs = 1 + random.nextLong(1_000_000_000L);
                clock.pass(Duration.ofNanos(stepNs));
                passedNs += stepNs;
            }
            assertTrue(deadline.isOver(), "-Dweir.seed=" + seed);
            assertEquals(0, deadline.leftMs(), "-Dweir.seed=" + seed);
        }
    }
}
