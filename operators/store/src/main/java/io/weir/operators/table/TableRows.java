package io.weir.operators.table;

import io.weir.operators.graph.TableSchema;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * The rows of a lookup table in native memory, one after another. The one who makes them adds rows;
 * nobody changes them afterwards.
 *
 * <pre>
 *   row: long NULL bits by column, then the words of each column
 * </pre>
 */
public final class TableRows implements AutoCloseable {
    private static final int FIRST_ROWS = 64;

    private final NativeAllocator allocator;
    private final int stride;
    private long address;
    private long capacity;
    private int rows;

    /**
     * @throws io.weir.operators.error.WeirException OUT_OF_NATIVE_MEMORY
     */
    TableRows(NativeAllocator allocator, TableSchema schema) {
        this.allocator = allocator;
        stride = schema.words() * Long.BYTES;
        capacity = FIRST_ROWS;
        address = allocator.allocate(capacity * stride, MemoryTag.TABLE);
    }

    /** Adds a row of zeros, and returns its address. */
    long add() {
        if (rows == capacity) {
            grow();
        }
        return address + (long) rows++ * stride;
    }

    private void grow() {
        long old = capacity * stride;
        long grown = allocator.tryGrow(address, old, old, 2 * old, MemoryTag.TABLE);
        if (grown == 0) {
            allocator.allocate(2 * old, MemoryTag.TABLE); // its error tells the limit
            throw new IllegalStateException("the allocator refused " + 2 * old + " bytes");
        }
        address = grown;
        capacity *= 2;
    }

    int rows() {
        return rows;
    }

    long bytes() {
        return capacity * stride;
    }

    /**
     * @param row from 0 up
     */
    long address(long row) {
        return address + row * stride;
    }

    /** Returns a word of a row; 0 without a row. Kernels call it. */
    public static long word(long row, long word) {
        return row == 0 ? 0 : Memory.getLong(row + word * Long.BYTES);
    }

    /** Returns whether a column of a row is NULL, as all are without a row. Kernels call it. */
    public static boolean isNull(long row, long column) {
        return row == 0 || (Memory.getLong(row) >>> column & 1) != 0;
    }

    @Override
    public void close() {
        allocator.free(address, bytes(), MemoryTag.TABLE);
        address = 0;
        capacity = 0;
    }
}
