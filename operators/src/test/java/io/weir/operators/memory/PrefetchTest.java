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
                for (int i = 0; i < Prefetch.ADDRESSES; i++) {
                    Memory.putLong(memory + (long) i * Long.BYTES, i == 0 ? 0 : -1L >>> i);
                }
                Prefetch.at(memory, Long.BYTES, Prefetch.ADDRESSES, 48, memory, memory + 4096);
            }
            allocator.free(memory, 4096, MemoryTag.TEST);
        }
    }
}
