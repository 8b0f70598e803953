package io.weir.bench.table;

import io.weir.operators.map.Hash;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/** Linear probing, as in the kernels' maps, but with a fixed size and so at any load. */
final class LinearTable implements Table {
    private final NativeAllocator allocator;
    private final long bytes;
    private final long table;
    private final long mask;
    private int size;

    LinearTable(NativeAllocator allocator, int slotsLog2) {
        this.allocator = allocator;
        bytes = (long) ENTRY_BYTES << slotsLog2;
        table = allocator.allocate(bytes, MemoryTag.MAP);
        mask = (1L << slotsLog2) - 1;
    }

    @Override
    public long find(long key) {
        long slot = Hash.of(key) & mask;
        long entry = table + slot * ENTRY_BYTES;
        long there = Memory.getLong(entry);
        while (there != key) {
            if (there == 0) {
                return insert(entry, key);
            }
            slot = slot + 1 & mask;
            entry = table + slot * ENTRY_BYTES;
            there = Memory.getLong(entry);
        }
        return entry + Long.BYTES;
    }

    /** One slot stays empty, so that a search ends. */
    private long insert(long entry, long key) {
        if (size == mask) {
            return 0;
        }
        size++;
        Memory.putLong(entry, key);
        return entry + Long.BYTES;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void close() {
        allocator.free(table, bytes, MemoryTag.MAP);
    }
}
