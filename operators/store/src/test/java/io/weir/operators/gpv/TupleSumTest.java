package io.weir.operators.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TupleSumTest {
    /** Any count, any field, whatever lies behind the last tuple. */
    @Test
    void isWhatALoopAddsUp() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        try (NativeAllocator allocator = new NativeAllocator(1 << 16)) {
            long tuples = allocator.allocate(4096, MemoryTag.TEST);
            for (int round = 0; round < 2000; round++) {
                for (int at = 0; at < 4096; at += 8) {
                    Memory.putLong(tuples + at, random.nextLong());
                }
                int count = random.nextInt(random.nextBoolean() ? 20 : 1000);
                int shift = random.nextInt(5);
                long field = (1L << random.nextInt(1, TupleSum.MOST_BITS - shift + 1)) - 1;
                long masks = TupleSum.masks(shift, field);
                long sum = 0;
                for (int p = 0; p < count; p++) {
                    sum += Memory.getIntBigEndian(tuples + p * 4L) >>> shift & field;
                }
                assertEquals(sum, TupleSum.of(tuples, count, shift, masks), "seed " + seed);
            }
            allocator.free(tuples, 4096, MemoryTag.TEST);
        }
    }

    /** Any count, any step, words of any sign. */
    @Test
    void wordsOfTuplesThatLieApart() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        int bytes = 16 << 10;
        try (NativeAllocator allocator = new NativeAllocator(1 << 16)) {
            long tuples = allocator.allocate(bytes, MemoryTag.TEST);
            for (int round = 0; round < 1000; round++) {
                for (int at = 0; at < bytes; at += 8) {
                    Memory.putLong(tuples + at, random.nextLong());
                }
                int step = random.nextInt(1, 257);
                int count = random.nextInt(random.nextBoolean() ? 10 : bytes / step - 8);
                long sum = 0;
                for (int p = 0; p < count; p++) {
                    sum += Memory.getInt(tuples + (long) p * step) & 0xffff_ffffL;
                }
                long masks = TupleSum.masksOfAll();
                assertEquals(sum, TupleSum.ofWords(tuples, count, step, masks), "seed " + seed);
            }
            allocator.free(tuples, bytes, MemoryTag.TEST);
        }
    }
}
