package io.weir.operators.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PrefetchTest {
    /** Where the build found a C compiler, the library is there and is used. */
    @Test
    void isNativeWhereItWasBuilt() {
        boolean amd = System.getProperty("os.arch").equals("amd64");
        String library = "/native/memory-" + (amd ? "x86_64" : "aarch64") + ".so";
        boolean built = Prefetch.class.getResource(library) != null;
        boolean wanted = Boolean.parseBoolean(System.getProperty("weir.native", "true"));
        assertEquals(built && wanted, Prefetch.NATIVE);
    }

    /** No address is wrong: asking for what is not there does nothing. */
    @Test
    void asksForNothingThatHurts() {
        try (NativeAllocator allocator = new NativeAllocator(1 << 20)) {
            long memory = allocator.allocate(4096, MemoryTag.TEST);
            assertEquals(memory + 4096, Prefetch.lines(memory, memory + 4096));
            assertEquals(memory, Prefetch.lines(memory, memory + 64));
            if (Prefetch.NATIVE) {
                for (long table : new long[] {0, 1, -1L >>> 1, -1L << 20}) {
                    long at = memory + Long.BYTES;
                    int keys = 8;
                    long end = memory + 4096;
                    Prefetch.homes(at, 16, keys, 1, table, 64, 48, table, 16, 9, 2, memory, end);
                }
            }
            allocator.free(memory, 4096, MemoryTag.TEST);
        }
    }
}
