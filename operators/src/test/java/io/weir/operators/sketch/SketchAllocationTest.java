package io.weir.operators.sketch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** What updates of sketches allocate once they have grown and are compiled. */
class SketchAllocationTest {
    private static final int UPDATES = 2_000_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Heap bytes per update, the least of several rounds. */
    private static double bytesPerUpdate(LongUnaryOperator update, long handle) {
        double least = Double.MAX_VALUE;
        long mine = handle;
        long key = 1;
        for (int round = 0; round < 4; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < UPDATES; i++) {
                key = key * 0x9E37_79B9_7F4A_7C15L + 1;
                hash = key;
                mine = update.applyAsLong(mine);
            }
            long after = THREADS.getCurrentThreadAllocatedBytes();
            least = Math.min(least, (after - before) / (double) UPDATES);
        }
        return least;
    }

    private static long hash;

    @Test
    void steadyState() {
        try (SketchPool pool = new SketchPool(1 << 22)) {
            long none = pool.bound(SketchPool.UNBOUND);
            double distinct = bytesPerUpdate(h -> Sketches.addDistinct(h, hash), none);
            double quantile = bytesPerUpdate(h -> Sketches.addQuantile(h, (double) hash), none);
            double top = bytesPerUpdate(h -> Sketches.addTop(h, hash & 0xFFF), none);
            double top6 = bytesPerUpdate(h -> Sketches.addTop(h, 6, 1, hash & 0xFFF), none);
            String all = distinct + " " + quantile + " " + top + " " + top6;
            assertTrue(distinct < 0.01 && quantile < 0.01, all);
            // Four times as many values as counters: purges, and an object for each IPv6 address.
            assertTrue(top < 16 && top6 < 80, all);
        }
    }
}
