package io.weir.ingest.cache;

import io.weir.operators.memory.Memory;

/**
 * Wide buffers and the stack of the free ones. C takes and gives back, too. One thread; no
 * allocation.
 */
final class WideBuffers {
    private final CacheMemory memory;
    private final long strideBytes;

    WideBuffers(CacheMemory memory, int buffers, int tuples) {
        this.memory = memory;
        this.strideBytes = (long) tuples * SlotLayout.TUPLE_BYTES;
        for (int i = 0; i < buffers; i++) {
            Memory.putInt(place(i), buffers - 1 - i);
        }
        memory.put(CacheMemory.FREE_COUNT, buffers);
    }

    private long place(long number) {
        return memory.freeWide + number * Integer.BYTES;
    }

    /**
     * Returns a free buffer, the last one given back; {@link SlotLayout#NO_WIDE} when all are
     * taken.
     */
    int take() {
        long count = memory.get(CacheMemory.FREE_COUNT);
        if (count == 0) {
            return SlotLayout.NO_WIDE;
        }
        memory.put(CacheMemory.FREE_COUNT, count - 1);
        return Memory.getInt(place(count - 1));
    }

    void giveBack(int buffer) {
        long count = memory.get(CacheMemory.FREE_COUNT);
        Memory.putInt(place(count), buffer);
        memory.put(CacheMemory.FREE_COUNT, count + 1);
    }

    long address(int buffer) {
        return memory.wide + buffer * strideBytes;
    }
}
