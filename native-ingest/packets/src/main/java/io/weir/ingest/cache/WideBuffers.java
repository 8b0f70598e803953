package io.weir.ingest.cache;

import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/** Wide buffers and the stack of the free ones. One thread; no allocation after the first. */
final class WideBuffers implements AutoCloseable {
    private final NativeAllocator allocator;
    private final long strideBytes;
    private final long totalBytes;
    private final long address;
    private final int[] free;
    private int freeCount;

    WideBuffers(NativeAllocator allocator, int buffers, int tuples) {
        this.allocator = allocator;
        this.strideBytes = (long) tuples * SlotLayout.TUPLE_BYTES;
        this.totalBytes = buffers * strideBytes;
        this.address = allocator.allocate(totalBytes, MemoryTag.CACHE);
        this.free = new int[buffers];
        for (int i = 0; i < buffers; i++) {
            free[i] = buffers - 1 - i;
        }
        this.freeCount = buffers;
    }

    /**
     * Returns a free buffer, the last one given back; {@link SlotLayout#NO_WIDE} when all are
     * taken.
     */
    int take() {
        return freeCount == 0 ? SlotLayout.NO_WIDE : free[--freeCount];
    }

    void giveBack(int buffer) {
        free[freeCount++] = buffer;
    }

    long address(int buffer) {
        return address + buffer * strideBytes;
    }

    @Override
    public void close() {
        allocator.free(address, totalBytes, MemoryTag.CACHE);
    }
}
