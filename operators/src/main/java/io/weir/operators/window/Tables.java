package io.weir.operators.window;

import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;

/**
 * What one pane, or one window, holds: hash tables, each made when first needed, or rows. Owned by
 * one thread at a time; whoever holds it last closes it.
 */
public final class Tables implements AutoCloseable {
    private final NativeAllocator allocator;
    private final List<TableShape> shapes;
    private final long maxBytes;
    private final FlatMap[] tables;
    private final RowBuffer rows;
    private final Spare spare;

    /**
     * Allocates nothing yet.
     *
     * @param rowBytes stride of the rows; 0 when tables are held
     * @param maxBytes bound of each table
     */
    public Tables(NativeAllocator allocator, List<TableShape> shapes, int rowBytes, long maxBytes) {
        this(allocator, shapes, rowBytes, maxBytes, null);
    }

    /**
     * @param spare where the tables go when they are closed, if they are worth keeping
     */
    Tables(
            NativeAllocator allocator,
            List<TableShape> shapes,
            int rowBytes,
            long maxBytes,
            Spare spare) {
        this.spare = rowBytes == 0 ? spare : null;
        this.allocator = allocator;
        this.shapes = shapes;
        this.maxBytes = maxBytes;
        tables = new FlatMap[shapes.size()];
        rows = rowBytes == 0 ? null : new RowBuffer(allocator, rowBytes, maxBytes);
    }

    /** A table, or null when nothing asked for it yet. */
    public FlatMap table(int index) {
        return tables[index];
    }

    /** A table, made if need be; throws when there is no memory. */
    public FlatMap open(int index) {
        if (tables[index] == null) {
            TableShape shape = shapes.get(index);
            tables[index] =
                    FlatMap.create(allocator, shape.keyWords(), initialValue(shape), maxBytes);
        }
        return tables[index];
    }

    private static long[] initialValue(TableShape shape) {
        long[] initial = new long[shape.initialValue().size()];
        for (int word = 0; word < initial.length; word++) {
            initial[word] = shape.initialValue().get(word);
        }
        return initial;
    }

    /** Null when tables are held. */
    public RowBuffer rows() {
        return rows;
    }

    /** As empty as this one was when it was made. */
    public Tables another() {
        int rowBytes = rows == null ? 0 : rows.strideBytes();
        return new Tables(allocator, shapes, rowBytes, maxBytes);
    }

    public long bytes() {
        long bytes = rows == null ? 0 : rows.bytes();
        for (FlatMap table : tables) {
            bytes += table == null ? 0 : table.bytes();
        }
        return bytes;
    }

    /** Bytes of the entries that there are. */
    long usedBytes() {
        long used = 0;
        for (FlatMap table : tables) {
            if (table != null) {
                long entry = table.keyBytes() + (long) table.valueWords() * Long.BYTES;
                used += table.size() * entry;
            }
        }
        return used;
    }

    /** Forgets all groups, and keeps the memory. */
    void clear() {
        for (FlatMap table : tables) {
            if (table != null) {
                table.clear();
            }
        }
    }

    /** Gives the memory back, to the next pane or to the allocator. Any thread. */
    @Override
    public void close() {
        if (spare == null || !spare.keep(this)) {
            free();
        }
    }

    /** Gives the memory back to the allocator. */
    void free() {
        if (rows != null) {
            rows.close();
        }
        for (int i = 0; i < tables.length; i++) {
            if (tables[i] != null) {
                tables[i].close();
                tables[i] = null;
            }
        }
    }
}
