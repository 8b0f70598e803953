package io.weir.operators.sketch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A pool's bytes are those of the sketches that it has, and never more than its bound. */
class SketchPoolTest {
    private static final int ROUNDS = 40;
    private static final int GROUPS = 200;

    @Test
    void bytesAreWhatTheSketchesHold() {
        long base = Long.getLong("weir.seed", 1);
        int refused = 0;
        for (long seed = base; seed < base + ROUNDS; seed++) {
            try {
                refused += round(new Random(seed));
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
        assertTrue(refused > ROUNDS, refused + " refused");
    }

    private static int round(Random random) {
        long maxBytes = 1L << 14 + random.nextInt(8);
        try (SketchPool pool = new SketchPool(maxBytes)) {
            long[] groups = new long[GROUPS];
            Arrays.fill(groups, pool.bound(SketchPool.UNBOUND));
            for (int u = random.nextInt(60_000); u > 0; u--) {
                // Some groups have many values, most have few.
                int group = (int) (GROUPS * Math.pow(random.nextDouble(), 4));
                boolean refused = SketchPool.isRefused(groups[group]);
                groups[group] = update(groups, group, random);
                assertTrue(!refused || SketchPool.isRefused(groups[group]), "for good");
                assertTrue(pool.bytes() <= maxBytes, pool.bytes() + " bytes");
            }
            return check(pool, groups);
        }
    }

    private static long update(long[] groups, int group, Random random) {
        long handle = groups[group];
        long value = random.nextInt(5_000);
        return switch (group % 4) {
            case 0 -> Sketches.addTop(handle, value);
            case 1 -> Sketches.addTop(handle, 4 + 2 * (value & 1), 0, value);
            case 2 -> Sketches.addDistinct(handle, Sketches.hash(0, value));
            default ->
                    random.nextInt(50) == 0 && group > 3
                            ? Sketches.merge(handle, groups[3])
                            : Sketches.addQuantile(handle, (double) value);
        };
    }

    private static int check(SketchPool pool, long[] groups) {
        long held = 0;
        int refused = 0;
        for (long handle : groups) {
            Sketch sketch = SketchPool.sketch(handle);
            refused += SketchPool.isRefused(handle) ? 1 : 0;
            if (sketch != null) {
                held += sketch.heldBytes();
                assertTrue(sketch.bytes().length <= sketch.heldBytes(), "holds its content");
            }
        }
        assertEquals(held, pool.bytes());
        return refused;
    }
}
