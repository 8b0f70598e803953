package io.weir.operators.window;

import io.weir.operators.graph.SymbolSet;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * Rows of a fixed stride, appended to native memory that doubles as it fills. One thread; bounded.
 */
public final class RowBuffer implements AutoCloseable {
    private static final int FIRST_ROWS = 64;

    private final int strideBytes;
    private final long maxBytes;
    private SymbolSet texts = SymbolSet.ofRows();
    private NativeAllocator allocator;
    private long address;
    private long capacity;
    private long rows;

    public RowBuffer(NativeAllocator allocator, int strideBytes, long maxBytes) {
        this.allocator = allocator;
        this.strideBytes = strideBytes;
        this.maxBytes = maxBytes;
    }

    /** Returns the address of one more row, which the caller must fill; 0 at the bound. */
    public long append() {
        if (rows == capacity && !grow(Math.max(FIRST_ROWS, capacity * 2))) {
            return 0;
        }
        return address + rows++ * strideBytes;
    }

    /**
     * Appends all rows of another buffer of the same stride. Returns the number of rows without
     * room.
     */
    public long appendAll(RowBuffer other) {
        long needed = rows + other.rows;
        if (needed > capacity && !grow(Math.max(needed, capacity * 2)) && !grow(needed)) {
            return other.rows;
        }
        Memory.copy(other.address, address + rows * strideBytes, other.rows * strideBytes);
        rows = needed;
        texts.keep(other.texts);
        return 0;
    }

    private boolean grow(long newCapacity) {
        long newBytes = newCapacity * strideBytes;
        long larger = newBytes <= maxBytes ? allocator.tryAllocate(newBytes, MemoryTag.ROWS) : 0;
        if (larger == 0) {
            return false;
        }
        Memory.copy(address, larger, rows * strideBytes);
        allocator.free(address, bytes(), MemoryTag.ROWS);
        address = larger;
        capacity = newCapacity;
        return true;
    }

    /** Makes the rows count in another allocator's memory. Returns whether it has room. */
    boolean handOver(NativeAllocator to) {
        boolean handed = allocator.handOver(bytes(), MemoryTag.ROWS, to);
        allocator = handed ? to : allocator;
        return handed;
    }

    /** Returns the place for the texts of the rows. */
    public SymbolSet texts() {
        return texts;
    }

    public int strideBytes() {
        return strideBytes;
    }

    public long rows() {
        return rows;
    }

    public long address(long row) {
        return address + row * strideBytes;
    }

    public long bytes() {
        return capacity * strideBytes;
    }

    @Override
    public void close() {
        allocator.free(address, bytes(), MemoryTag.ROWS);
        address = 0;
        capacity = 0;
        rows = 0;
        texts = SymbolSet.ofRows();
    }
}
