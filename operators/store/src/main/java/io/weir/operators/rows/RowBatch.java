package io.weir.operators.rows;

import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SymbolSet;
import io.weir.operators.graph.Symbols;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;

/**
 * The rows of one query and one window, in native memory, in the order of emission. One thread at a
 * time owns it. The last owner closes it. Row and column numbers are not checked.
 */
public final class RowBatch implements AutoCloseable {
    private final Query query;
    private final RowLayout layout;
    private final long windowStartNs;
    private final long windowEndNs;
    private final NativeAllocator allocator;
    private final int capacityRows;
    private final SymbolSet texts = SymbolSet.ofRows();
    private long address;
    private int rows;
    private double completeness = 1;
    private long knownNs;
    private boolean partial;

    /**
     * Makes room for {@code capacityRows} rows. All are zero and all count. The caller writes them
     * through {@link #address}.
     *
     * @param windowStartNs {@link Long#MIN_VALUE} without a window
     * @param windowEndNs {@link Long#MAX_VALUE} without a window
     */
    public RowBatch(
            Query query,
            RowLayout layout,
            long windowStartNs,
            long windowEndNs,
            int capacityRows,
            NativeAllocator allocator) {
        this.query = query;
        this.layout = layout;
        this.windowStartNs = windowStartNs;
        this.windowEndNs = windowEndNs;
        this.capacityRows = capacityRows;
        this.allocator = allocator;
        rows = capacityRows;
        knownNs = windowEndNs;
        address = capacityRows == 0 ? 0 : allocator.allocate(bytes(), MemoryTag.ROWS);
    }

    public Query query() {
        return query;
    }

    public RowLayout layout() {
        return layout;
    }

    /** Returns the place for texts in the rows that nobody else keeps. */
    public SymbolSet texts() {
        return texts;
    }

    public long windowStartNs() {
        return windowStartNs;
    }

    public long windowEndNs() {
        return windowEndNs;
    }

    /** Returns the packet time at which the rows were known: the window's end, or later. */
    public long knownNs() {
        return knownNs;
    }

    public void knownNs(long packetsNs) {
        knownNs = packetsNs;
    }

    /** Returns the fraction of the window's offered packets that were processed, from 0 to 1. */
    public double completeness() {
        return completeness;
    }

    /** Sets the completeness of a window with missing packets. */
    public void completeness(double part) {
        completeness = part;
    }

    /** Returns whether only a part of the window's time was seen. */
    public boolean partial() {
        return partial;
    }

    public void partial(boolean is) {
        partial = is;
    }

    public int rows() {
        return rows;
    }

    /** Returns the bytes of native memory, used or not. */
    public long bytes() {
        return (long) capacityRows * layout.strideBytes();
    }

    /** Address of a row's first word. */
    public long address(int row) {
        return address + (long) row * layout.strideBytes();
    }

    /** Keeps {@code count} rows from {@code first} on, as the first ones. */
    public void keep(int first, int count) {
        if (first < 0 || count < 0 || first + count > rows) {
            throw new IllegalArgumentException(first + " and " + count + " of " + rows + " rows");
        }
        if (first > 0 && count > 0) {
            Memory.copy(address(first), address, (long) count * layout.strideBytes());
        }
        rows = count;
    }

    /**
     * Copies the rows to memory of their own, for a reader that needs them after these are freed.
     */
    public RowBatch copy(NativeAllocator other) {
        RowBatch copy = new RowBatch(query, layout, windowStartNs, windowEndNs, rows, other);
        copy.completeness = completeness;
        copy.knownNs = knownNs;
        copy.partial = partial;
        copy.texts.keep(texts);
        Memory.copy(address, copy.address, copy.bytes());
        return copy;
    }

    public boolean isNull(int row, int column) {
        long bits = Memory.getLong(address(row) + (column >> 6) * (long) Long.BYTES);
        return (bits >>> column & 1) != 0;
    }

    /** Returns the column's word. For an INET it is the first word, its family. */
    public long word(int row, int column) {
        return Memory.getLong(address(row) + layout.offset(column));
    }

    /** Value of a DOUBLE column. */
    public double real(int row, int column) {
        return Double.longBitsToDouble(word(row, column));
    }

    /** Boxed, for sinks and tests: null, Boolean, Double, Inet, String, or Long for the rest. */
    public Object value(int row, int column) {
        if (isNull(row, column)) {
            return null;
        }
        long word = word(row, column);
        return switch (layout.kind(column)) {
            case BOOLEAN -> word != 0;
            case DOUBLE -> Double.longBitsToDouble(word);
            case VARCHAR -> Symbols.text(word);
            case INET -> inet(address(row) + layout.offset(column));
            case BIGINT, TIMESTAMP, INTERVAL, MACADDR -> word;
        };
    }

    private static Inet inet(long address) {
        int family = (int) Memory.getLong(address);
        return new Inet(
                family,
                Memory.getLong(address + Long.BYTES),
                Memory.getLong(address + 2 * Long.BYTES));
    }

    @Override
    public void close() {
        if (address != 0) {
            allocator.free(address, bytes(), MemoryTag.ROWS);
            address = 0;
            rows = 0;
        }
    }
}
