package io.weir.bench.table;

import io.weir.operators.memory.NativeAllocator;

/** A table of fixed size in native memory: keys of one word, not 0; values of two words. */
interface Table extends AutoCloseable {
    int VALUE_BYTES = 16;
    int ENTRY_BYTES = 24;

    /**
     * Returns the address of the key's value, zeros if the key is new and was inserted; 0 without
     * room.
     */
    long find(long key);

    int size();

    @Override
    void close();

    static Table of(String kind, NativeAllocator allocator, int slotsLog2) {
        return switch (kind) {
            case "linear" -> new LinearTable(allocator, slotsLog2);
            case "cuckoo" -> new CuckooTable(allocator, slotsLog2);
            default -> throw new IllegalArgumentException(kind);
        };
    }
}
