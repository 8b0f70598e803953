package io.weir.operators.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TupleMatchTest {
    private static final int BYTES = 32 << 10;

    /** Any count, mask and value, whatever lies behind the last tuple. */
    @Test
    void isWhatALoopCounts() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        long left = TupleMatch.left();
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long tuples = allocator.allocate(BYTES, MemoryTag.TEST);
            for (int round = 0; round < 2000; round++) {
                // Few bits differ, so that many match; all of them at times.
                long differ = random.nextBoolean() ? 0x8001_8001_8001_8001L : -1L;
                long same = random.nextLong();
                for (int at = 0; at < BYTES; at += Long.BYTES) {
                    Memory.putLong(tuples + at, same ^ random.nextLong() & differ);
                }
                int step = random.nextBoolean() ? 48 : 2 * (1 + random.nextInt(100));
                int count = random.nextInt(random.nextBoolean() ? 20 : (BYTES - 200) / step);
                long mask = random.nextBoolean() ? 0xffff : random.nextInt(1 << 16);
                long value = Memory.getShort(tuples) & (random.nextInt(4) > 0 ? mask : 0xffff);
                long matching = 0;
                for (int p = 0; p < count; p++) {
                    long field = Memory.getShort(tuples + (long) p * step);
                    matching += (field & mask) == value ? 1 : 0;
                }
                long maskLanes = TupleMatch.lanes(mask);
                long valueLanes = TupleMatch.lanes(value);
                assertEquals(
                        matching,
                        TupleMatch.of(tuples, count, step, maskLanes, valueLanes, left),
                        "seed " + seed);
            }
            allocator.free(tuples, BYTES, MemoryTag.TEST);
        }
    }

    @Test
    void lanesHaveTwoBytes() {
        assertThrows(IllegalArgumentException.class, () -> TupleMatch.lanes(1 << 16));
        assertThrows(IllegalArgumentException.class, () -> TupleMatch.lanes(-1));
    }
}
