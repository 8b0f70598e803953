package io.weir.operators.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
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
