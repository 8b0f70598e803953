package io.weir.operators.kernel;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.SymbolSet;
import io.weir.operators.graph.Symbols;
import io.weir.operators.map.FlatMap;
import io.weir.operators.map.FlatMaps;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowLayout;
import java.util.Arrays;
import java.util.List;

/**
 * The earlier rows of all partitions of one {@link OverSpec}. If the memory is full, the partitions
 * go whose last row is the oldest, half of them. One thread.
 */
final class OverPast implements OverValues, AutoCloseable {
    private final OverSpec spec;
    private final NativeAllocator allocator;
    private final long maxBytes;
    private final List<OverColumn> columns;
    private final SymbolSet texts = new SymbolSet();
    private final long key;
    private FlatMap partitions;
    private long forgotten;
    private long knownFromNs = Long.MIN_VALUE;

    /** The row that is computed: its number, its address, and the partition's value words. */
    private long now;

    private long row;
    private long value;

    OverPast(OverSpec spec, NativeAllocator allocator, long maxBytes) {
        this.spec = spec;
        this.allocator = allocator;
        this.maxBytes = maxBytes;
        columns = spec.newColumns();
        key = allocator.allocate(spec.keyBytes(), MemoryTag.MAP);
    }

    /**
     * Computes the columns of a row, and keeps its values.
     *
     * @param endNs the end of its window, never before that of an earlier row
     */
    void row(long address, long endNs) {
        row = address;
        knownFromNs = knownFromNs == Long.MIN_VALUE ? endNs : knownFromNs;
        writeKey(address);
        value = find(endNs);
        now = value == 0 ? 0 : Memory.getLong(value);
        long from = now - Math.min(now, spec.depth());
        for (OverColumn column : columns) {
            column.begin(from);
            column.write(this, from, now + 1, now, now, now + 1, address);
        }
        if (value == 0) {
            forgotten++;
            knownFromNs = endNs;
        } else {
            keep(address, endNs);
        }
    }

    private void writeKey(long address) {
        Memory.zero(key, spec.keyBytes());
        long at = key;
        for (int column : spec.keys()) {
            int bytes = RowLayout.words(spec.layout().kind(column)) * Long.BYTES;
            at = write(at, RowOrder.isNull(address, column), valueOf(address, column), bytes);
            keepText(address, column);
        }
    }

    /** The rows of the window go, and the numbers of their texts with them. */
    private void keepText(long address, int column) {
        if (spec.layout().kind(column) == Kind.VARCHAR && !RowOrder.isNull(address, column)) {
            texts.id(Symbols.text(Memory.getLong(valueOf(address, column))));
        }
    }

    private long valueOf(long address, int column) {
        return address + spec.layout().offset(column);
    }

    private static long write(long at, boolean isNull, long value, int bytes) {
        Memory.putLong(at, isNull ? 1 : 0);
        Memory.copy(value, at + Long.BYTES, bytes);
        return at + Long.BYTES + bytes;
    }

    private long find(long endNs) {
        if (partitions == null && !begin()) {
            return 0;
        }
        long found = partitions.findAt(key);
        if (found == 0 && forget(endNs)) {
            found = partitions.findAt(key);
        }
        return found;
    }

    private boolean begin() {
        try {
            partitions = FlatMaps.create(allocator, spec.entry(), maxBytes);
            return true;
        } catch (WeirException noMemory) {
            return false;
        }
    }

    /**
     * Forgets the half of the partitions that had no row for longest, but none with a row in this
     * window. Returns whether there was one.
     */
    private boolean forget(long endNs) {
        long[] ends = new long[partitions.size()];
        int count = 0;
        int entryBytes = partitions.keyBytes() + Long.BYTES;
        long entry = partitions.firstEntry();
        for (; entry != 0; entry = partitions.nextEntry(entry)) {
            ends[count++] = Memory.getLong(entry + entryBytes);
        }
        Arrays.sort(ends);
        long last = Math.min(ends[ends.length / 2], endNs - 1);
        if (ends[0] > last) {
            return false;
        }
        keepAfter(last);
        return true;
    }

    private void keepAfter(long endNs) {
        knownFromNs = Math.max(knownFromNs, endNs);
        FlatMap kept = FlatMaps.create(allocator.root(), spec.entry(), maxBytes);
        int head = partitions.keyBytes();
        int bytes = partitions.valueWords() * Long.BYTES;
        long entry = partitions.firstEntry();
        for (; entry != 0; entry = partitions.nextEntry(entry)) {
            if (Memory.getLong(entry + head + Long.BYTES) <= endNs) {
                forgotten++;
            } else {
                long to = kept.findAt(entry);
                if (to == 0) {
                    forgotten++;
                } else {
                    Memory.copy(entry + head, to, bytes);
                }
            }
        }
        partitions.close();
        partitions = kept;
    }

    private void keep(long address, long endNs) {
        if (spec.depth() > 0) {
            long at = slot(now);
            for (int column : spec.read()) {
                int bytes = RowLayout.words(spec.layout().kind(column)) * Long.BYTES;
                at = write(at, RowOrder.isNull(address, column), valueOf(address, column), bytes);
                keepText(address, column);
            }
        }
        Memory.putLong(value, now + 1);
        Memory.putLong(value + Long.BYTES, endNs);
    }

    private long slot(long number) {
        return value + OverSpec.HEAD_BYTES + number % spec.depth() * spec.rowBytes();
    }

    @Override
    public boolean isNull(int column, long number) {
        return number == now
                ? RowOrder.isNull(row, column)
                : Memory.getLong(slot(number) + spec.place(column)) != 0;
    }

    @Override
    public long address(int column, long number) {
        return number == now
                ? valueOf(row, column)
                : slot(number) + spec.place(column) + Long.BYTES;
    }

    @Override
    public long knownFromNs() {
        return knownFromNs;
    }

    /** Returns how many partitions were forgotten since the last call, and rows without room. */
    long takeForgotten() {
        long count = forgotten;
        forgotten = 0;
        return count;
    }

    @Override
    public void close() {
        if (partitions != null) {
            partitions.close();
            partitions = null;
        }
        allocator.free(key, spec.keyBytes(), MemoryTag.MAP);
    }
}
