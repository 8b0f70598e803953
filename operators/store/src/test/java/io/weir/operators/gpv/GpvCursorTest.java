package io.weir.operators.gpv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class GpvCursorTest {
    @Test
    void readsWhatWasWrittenInAllLayouts() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            for (GpvLayout layout : GpvLayout.all()) {
                roundTrip(random, layout, "seed " + seed);
            }
        }
    }

    private static void roundTrip(Random random, GpvLayout layout, String message) {
        RandomGpv gpv = new RandomGpv(random, layout, 1 + random.nextInt(40), random.nextLong());
        int bytes = layout.gpvBytes(gpv.count());
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long address = allocator.allocate(bytes, MemoryTag.TEST);
            gpv.write(address);
            GpvCursor cursor = new GpvCursor(layout).wrap(address);
            gpv.assertReadBy(cursor, message);
            assertEquals(bytes, cursor.gpvBytes(), message);
            allocator.free(address, bytes, MemoryTag.TEST);
        }
    }

    @Test
    void columnsThatAreNoFieldsHaveValuesToo() {
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long address = allocator.allocate(100, MemoryTag.TEST);
            new RandomGpv(new Random(1), GpvLayout.FLOW32_V6, 3, 10).write(address);
            GpvCursor cursor = new GpvCursor(GpvLayout.FLOW32_V6).wrap(address);
            assertEquals(0x86DDL, cursor.value("etype", 0, 0));
            assertEquals(1L, cursor.value("sampling_rate", 0, 0));
            assertThrows(IllegalArgumentException.class, () -> cursor.value("tcp_flags", 0, 0));
            allocator.free(address, 100, MemoryTag.TEST);
        }
    }
}
