package io.weir.operators.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class NativeAllocatorTest {
    @Test
    void memoryIsZeroedAlignedAndCounted() {
        try (NativeAllocator allocator = new NativeAllocator(1000)) {
            long address = allocator.allocate(100, MemoryTag.TEST);
            assertEquals(0, address & 63);
            for (int i = 0; i < 100; i++) {
                assertEquals(0, Memory.getByte(address + i));
            }
            assertEquals(100, allocator.usedBytes(MemoryTag.TEST));
            allocator.free(address, 100, MemoryTag.TEST);
            assertEquals(0, allocator.usedBytes());
        }
    }

    @Test
    void theLimitHolds() {
        try (NativeAllocator allocator = new NativeAllocator(1000)) {
            long address = allocator.allocate(600, MemoryTag.RING);
            assertEquals(0, allocator.tryAllocate(401, MemoryTag.MAP));
            assertEquals(0, allocator.tryAllocate(Long.MAX_VALUE, MemoryTag.MAP));
            WeirException refused =
                    assertThrows(WeirException.class, () -> allocator.allocate(401, MemoryTag.MAP));
            assertEquals(ErrorCode.OUT_OF_NATIVE_MEMORY, refused.code());
            allocator.free(address, 600, MemoryTag.RING);
        }
    }

    /** Of all sizes: such as are copied, such as keep their pages, and from one to the other. */
    @Test
    void whatGrowsKeepsItsFirstBytesAndZerosFollow() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            long limit = 40L << 20;
            try (NativeAllocator allocator = new NativeAllocator(limit)) {
                MemoryTag tag = random.nextInt(4) == 0 ? MemoryTag.TEST : MemoryTag.MAP;
                long bytes = Long.BYTES * (1L + random.nextInt(1 << random.nextInt(4, 20)));
                long address = filled(allocator, bytes, tag);
                long other = allocator.allocate(1 << 20, MemoryTag.TEST);
                for (int step = 0; step < 4; step++) {
                    long kept = Long.BYTES * random.nextLong(1 + bytes / Long.BYTES);
                    long more = bytes + Long.BYTES * random.nextLong(bytes / 2);
                    long grown = allocator.tryGrow(address, bytes, kept, more, tag);
                    if (grown == 0) {
                        // As it was; and what is refused has been tried to be held twice.
                        assertTrue(allocator.usedBytes() + more > limit, "seed " + seed);
                        assertWords(address, bytes, bytes, "seed " + seed);
                    } else {
                        assertEquals(0, grown & 63);
                        assertWords(grown, kept, more, "seed " + seed);
                        address = grown;
                        bytes = more;
                        fill(address, bytes);
                    }
                    assertEquals(bytes + (1 << 20), allocator.usedBytes());
                }
                allocator.free(other, 1 << 20, MemoryTag.TEST);
                allocator.free(address, bytes, tag);
            }
        }
    }

    @Test
    void largeTablesGrowWithoutACopy() {
        assumeTrue(Prefetch.NATIVE);
        try (NativeAllocator allocator = new NativeAllocator(100 << 20)) {
            long address = filled(allocator, 50 << 20, MemoryTag.MAP);
            long grown = allocator.tryGrow(address, 50 << 20, 50 << 20, 100 << 20, MemoryTag.MAP);
            assertWords(grown, 50 << 20, 100 << 20, "");
            assertEquals(0, allocator.tryGrow(grown, 100 << 20, 0, 101 << 20, MemoryTag.MAP));
            allocator.free(grown, 100 << 20, MemoryTag.MAP);
        }
    }

    private static long filled(NativeAllocator allocator, long bytes, MemoryTag tag) {
        long address = allocator.allocate(bytes, tag);
        assertWords(address, 0, bytes, "new");
        fill(address, bytes);
        return address;
    }

    private static void fill(long address, long bytes) {
        for (long i = 0; i < bytes; i += Long.BYTES) {
            Memory.putLong(address + i, ~i);
        }
    }

    private static void assertWords(long address, long kept, long bytes, String message) {
        long wrong = 0;
        for (long i = 0; i < bytes; i += Long.BYTES) {
            wrong += Memory.getLong(address + i) != (i < kept ? ~i : 0) ? 1 : 0;
        }
        assertEquals(0, wrong, message);
    }

    @Test
    void everyTestIsCheckedForLeaks() {
        assertEquals("everyTestIsCheckedForLeaks()", LeakCheck.watched());
        long before = NativeAllocator.usedByAllBytes(MemoryTag.TEST);
        NativeAllocator one = new NativeAllocator(1000);
        NativeAllocator other = new NativeAllocator(1000);
        long address = one.allocate(8, MemoryTag.TEST);
        long otherAddress = other.allocate(16, MemoryTag.TEST);
        assertEquals(before + 24, NativeAllocator.usedByAllBytes(MemoryTag.TEST));
        one.free(address, 8, MemoryTag.TEST);
        other.free(otherAddress, 16, MemoryTag.TEST);
        assertEquals(before, NativeAllocator.usedByAllBytes(MemoryTag.TEST));
    }

    @Test
    void closeReportsALeak() {
        NativeAllocator allocator = new NativeAllocator(1000);
        long address = allocator.allocate(8, MemoryTag.ROWS);
        IllegalStateException leak = assertThrows(IllegalStateException.class, allocator::close);
        assertEquals("native memory was not freed: bytes in use: {ROWS=8}", leak.getMessage());
        allocator.free(address, 8, MemoryTag.ROWS);
        allocator.close();
    }
}
