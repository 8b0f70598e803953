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

    /** A compiler that others keep busy comes late. */
    private static final int MOST_ROUNDS = 60;

    /**
     * Heap bytes per update, the least of several rounds; no more of them once it is under that.
     */
    private static double bytesPerUpdate(double under, long handle, LongUnaryOperator update) {
        double least = Double.MAX_VALUE;
        long mine = handle;
        long key = 1;
        for (int round = 0; round < MOST_ROUNDS && least >= under; round++) {
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

    private static void assertUnder(double bytes, long handle, LongUnaryOperator update) {
        double least = bytesPerUpdate(bytes, handle, update);
        assertTrue(least < bytes, least + " bytes an update");
    }

    private static long hash;

    @Test
    void steadyState() {
        try (SketchPool pool = new SketchPool(1 << 22)) {
            long none = pool.bound(SketchPool.UNBOUND);
            assertUnder(0.01, none, h -> Sketches.addDistinct(h, hash));
            assertUnder(0.01, none, h -> Sketches.addQuantile(h, (double) hash));
            // Four times as many values as counters: purges, and an object for each IPv6 address.
            assertUnder(16, none, h -> Sketches.addTop(h, hash & 0xFFF));
            assertUnder(80, none, h -> Sketches.addTop(h, 6, 1, hash & 0xFFF));
        }
    }
}
