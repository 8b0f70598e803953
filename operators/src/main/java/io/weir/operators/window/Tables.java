package io.weir.operators.window;

import io.weir.operators.map.Batch;
import io.weir.operators.map.Credits;
import io.weir.operators.map.EntryLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.sketch.SketchPool;
import java.util.ArrayList;
import java.util.List;

/**
 * What one pane, or one window, holds: hash tables, each made when first needed, or rows. Owned by
 * one thread at a time; whoever holds it last closes it.
 */
public final class Tables implements AutoCloseable {
    private final List<EntryLayout> layouts;
    private final long maxBytes;
    private final FlatMap[] tables;
    private final RowBuffer rows;
    private NativeAllocator allocator;
    private Spare spare;
    private Sizes sizes;
    private boolean settled;
    private Batch batch;

    /** Of a group's value: what others lack and it does not; below 0 where that is not told. */
    private int creditWord = -1;

    private final LeftOut leftOut = new LeftOut();

    /** Of the groups whose folds are sketches; made with the first table. */
    private SketchPool sketches;

    /**
     * Allocates nothing yet.
     *
     * @param layouts of the tables' entries
     * @param rowBytes stride of the rows; 0 when tables are held
     * @param maxBytes bound of each table
     */
    public Tables(
            NativeAllocator allocator, List<EntryLayout> layouts, int rowBytes, long maxBytes) {
        this(allocator, layouts, rowBytes, maxBytes, null);
    }

    /**
     * @param spare where the tables go when they are closed, if they are worth keeping
     */
    Tables(
            NativeAllocator allocator,
            List<EntryLayout> layouts,
            int rowBytes,
            long maxBytes,
            Spare spare) {
        // Entries with sketches name the pool of their pane: no other pane can have them.
        this.spare = rowBytes == 0 && !hasSketches(layouts) ? spare : null;
        this.allocator = allocator;
        this.layouts = layouts;
        this.maxBytes = maxBytes;
        tables = new FlatMap[layouts.size()];
        rows = rowBytes == 0 ? null : new RowBuffer(allocator, rowBytes, maxBytes);
    }

    private static boolean hasSketches(List<EntryLayout> layouts) {
        for (EntryLayout layout : layouts) {
            if (layout.initialValue().contains(SketchPool.UNBOUND)) {
                return true;
            }
        }
        return false;
    }

    /** How many tables there are numbers for. */
    public int count() {
        return tables.length;
    }

    /** Of groups of which only the heaviest stay; else nothing. */
    public LeftOut leftOut() {
        return leftOut;
    }

    /** A table, or null when nothing asked for it yet. */
    public FlatMap table(int index) {
        return tables[index];
    }

    /** Has a word of each group tell what others lack that find no room. */
    void credit(int word) {
        creditWord = word;
    }

    /** Whether these are open. */
    boolean has(int[] tables) {
        for (int table : tables) {
            if (table(table) == null) {
                return false;
            }
        }
        return true;
    }

    /** A table, made if need be; throws when there is no memory. */
    public FlatMap open(int index) {
        if (tables[index] == null) {
            EntryLayout compact = layouts.get(index);
            EntryLayout layout = settled ? compact.toSettled() : compact;
            if (!layout.equals(compact)) {
                // Kernels could not fill this table: it is no part of the next pane.
                spare = null;
            }
            NativeAllocator memory = settled ? allocator.root() : allocator;
            tables[index] = made(index, memory, bound(layout));
        }
        return tables[index];
    }

    private FlatMap made(int index, NativeAllocator memory, EntryLayout layout) {
        int expected = sizes == null ? 0 : sizes.of(index);
        // Some more than there were: the next pane may have a few more.
        return FlatMap.createFor(
                expected + expected / 16, maxBytes / Spare.PART, memory, layout, maxBytes);
    }

    /** Tables that are made from now on are as large as that; or null. */
    void expect(Sizes expected) {
        sizes = expected;
    }

    /** The layout with handles of sketches that are of this pane's pool. */
    private EntryLayout bound(EntryLayout layout) {
        if (!layout.initialValue().contains(SketchPool.UNBOUND)) {
            return layout;
        }
        if (sketches == null) {
            sketches = new SketchPool(maxBytes);
        }
        List<Long> initialValue = new ArrayList<>();
        for (Long word : layout.initialValue()) {
            initialValue.add(sketches.bound(word));
        }
        return layout.startingWith(initialValue);
    }

    /** Updates of sketches that found no room. */
    public long refusals() {
        return sketches == null ? 0 : sketches.refusals();
    }

    /**
     * Makes the tables ones of whole words, where they are not: for all but kernels. These are no
     * part of a budget that the others were reserved from, and the others' memory is given back.
     *
     * @return groups that are lost, since there was no memory for that
     */
    public long settle() {
        if (settled) {
            return 0;
        }
        settled = true;
        long lost = 0;
        Tables left = null;
        for (int i = 0; i < tables.length; i++) {
            FlatMap compact = tables[i];
            FlatMap whole = compact == null ? null : compact.settledCopy(allocator.root());
            if (whole != compact) {
                lost += whole == null ? compact.size() : 0;
                tables[i] = whole;
                left = left == null ? beside() : left;
                left.tables[i] = compact;
            }
        }
        if (left != null) {
            left.close();
            spare = null;
        }
        credit();
        return lost;
    }

    /** A group that has an entry lacks nothing of those that have none. */
    private void credit() {
        if (creditWord >= 0) {
            long credit = leftOut.settle();
            for (int t = 0; t < Math.min(2, tables.length); t++) {
                if (tables[t] != null) {
                    Credits.add(tables[t], creditWord, credit);
                }
            }
        }
    }

    /** Another holder for some of these tables. */
    private Tables beside() {
        return new Tables(allocator, layouts, 0, maxBytes, spare);
    }

    /**
     * Has all of it count in another's memory, from which its own was reserved; so it is no part of
     * the next pane.
     *
     * @return whether there is room for all of it; a part may have gone
     */
    public boolean handOver(NativeAllocator to) {
        spare = null;
        boolean handed = rows == null || rows.handOver(to);
        for (FlatMap table : tables) {
            handed &= table == null || table.handOver(to);
        }
        allocator = handed ? to : allocator;
        return handed;
    }

    /** Of a pane that is being filled. */
    public Batch batch() {
        return batch;
    }

    void lend(Batch lent) {
        batch = lent;
    }

    /** Null when tables are held. */
    public RowBuffer rows() {
        return rows;
    }

    /**
     * As empty as this one was when it was made, and settled.
     *
     * @param bytes bound of each table
     */
    Tables another(long bytes) {
        int rowBytes = rows == null ? 0 : rows.strideBytes();
        Tables other = new Tables(allocator, layouts, rowBytes, bytes);
        other.settle();
        return other;
    }

    public long bytes() {
        long bytes = rows == null ? 0 : rows.bytes();
        bytes += sketches == null ? 0 : sketches.bytes();
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
        settled = false;
        leftOut.clear();
        for (FlatMap table : tables) {
            if (table != null) {
                table.clear();
            }
        }
    }

    /** Gives the memory back, to the next pane or to the allocator. Any thread. */
    @Override
    public void close() {
        // Entries with sketches begin with handles of this pane's pool: no other pane can have
        // them.
        if (sketches != null || spare == null || !spare.keep(this)) {
            free();
        }
    }

    /** Gives the memory back to the allocator. */
    void free() {
        if (sketches != null) {
            sketches.close();
        }
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
