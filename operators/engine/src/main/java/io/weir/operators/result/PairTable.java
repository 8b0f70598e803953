package io.weir.operators.result;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.List;

/**
 * A hash table of the right rows of a join's window, by their keys. Rows of a bucket are a chain,
 * in the order in which they came. The table is off the heap:
 *
 * <pre>
 *   rows:    address (8 bytes), hash (4), the next row of the bucket or -1 (4)
 *   buckets: the first row or -1 (4)
 *   met:     1 when the row has a partner (1)
 * </pre>
 *
 * The results' thread.
 */
final class PairTable implements AutoCloseable {
    private static final int ROW_BYTES = 16;
    private static final int NONE = -1;

    private final NativeAllocator allocator;
    private final SideColumns columns;
    private final int rows;
    private final int mask;
    private final long bytes;
    private final long address;
    private final long buckets;
    private final long met;

    PairTable(List<RowBatch> batches, SideColumns columns, NativeAllocator allocator) {
        this.allocator = allocator;
        this.columns = columns;
        rows = batches.stream().mapToInt(RowBatch::rows).sum();
        int capacity = Integer.highestOneBit(Math.max(1, Math.min(rows, 1 << 28)) * 2 - 1) * 2;
        mask = capacity - 1;
        long size = (long) rows * ROW_BYTES + (long) capacity * Integer.BYTES + rows + Long.BYTES;
        bytes = (size + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        address = allocator.allocate(bytes, MemoryTag.ROWS);
        buckets = address + (long) rows * ROW_BYTES;
        met = buckets + (long) capacity * Integer.BYTES;
        for (long at = buckets; at < met; at += Integer.BYTES) {
            Memory.putInt(at, NONE);
        }
        for (long at = met; at < address + bytes; at++) {
            Memory.putByte(at, (byte) 0);
        }
        fill(batches);
    }

    /** From the last row to the first, so that chains begin with the first. */
    private void fill(List<RowBatch> batches) {
        int index = rows;
        for (int b = batches.size() - 1; b >= 0; b--) {
            RowBatch batch = batches.get(b);
            columns.read(batch.layout());
            for (int row = batch.rows() - 1; row >= 0; row--) {
                index--;
                put(index, batch.address(row));
            }
        }
    }

    private void put(int index, long row) {
        long entry = entry(index);
        Memory.putLong(entry, row);
        if (columns.hasNullKey(row)) {
            return;
        }
        int hash = columns.hash(row);
        long bucket = buckets + (hash & mask) * (long) Integer.BYTES;
        Memory.putInt(entry + 8, hash);
        Memory.putInt(entry + 12, Memory.getInt(bucket));
        Memory.putInt(bucket, index);
    }

    private long entry(int index) {
        return address + (long) index * ROW_BYTES;
    }

    int rows() {
        return rows;
    }

    long row(int index) {
        return Memory.getLong(entry(index));
    }

    /** Returns the first row with the key of a row of the other side, or -1. */
    int first(SideColumns other, long row) {
        int hash = other.hash(row);
        int index = Memory.getInt(buckets + (hash & mask) * (long) Integer.BYTES);
        return from(index, hash, other, row);
    }

    /** Returns the next row with that key, or -1. */
    int next(int index, SideColumns other, long row) {
        long entry = entry(index);
        return from(Memory.getInt(entry + 12), Memory.getInt(entry + 8), other, row);
    }

    private int from(int start, int hash, SideColumns other, long row) {
        int index = start;
        while (index != NONE) {
            long entry = entry(index);
            if (Memory.getInt(entry + 8) == hash
                    && other.equals(row, columns, Memory.getLong(entry))) {
                return index;
            }
            index = Memory.getInt(entry + 12);
        }
        return NONE;
    }

    void meet(int index) {
        Memory.putByte(met + index, (byte) 1);
    }

    boolean isMet(int index) {
        return Memory.getByte(met + index) != 0;
    }

    @Override
    public void close() {
        allocator.free(address, bytes, MemoryTag.ROWS);
    }
}
