package io.weir.operators.window;

import io.weir.operators.map.Batch;
import io.weir.operators.map.Credits;
import io.weir.operators.map.EntryLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.map.FlatMaps;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.sketch.SketchPool;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of one pane, or one window: hash tables, each made when first needed, or rows. One
 * thread at a time owns it. The last owner closes it.
 */
public final class Tables implements AutoCloseable {
    private final List<EntryLayout> layouts;
    private final long maxBytes;
    private final FlatMap[] tables;
    private final RowBuffer rows;
    private NativeAllocator allocator;
    private SpareTables spare;
    private Sizes sizes;
    private boolean settled;
    private Batch batch;

    /**
     * The word of a group's value with the weight that others lack and it does not; below 0 without
     * one.
     */
    private int creditWord = -1;

    private final LeftOutPackets leftOut = new LeftOutPackets();

    /** The pool of the sketches in groups. It is made with the first table. */
    private SketchPool sketches;

    /**
     * Makes empty tables without memory.
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
     * @param spare takes the tables when they are closed, if they are worth keeping
     */
    Tables(
            NativeAllocator allocator,
            List<EntryLayout> layouts,
            int rowBytes,
            long maxBytes,
            SpareTables spare) {
        // Entries with sketches name their pane's pool, so no other pane can use these tables.
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

    /** Returns the number of table numbers. */
    public int count() {
        return tables.length;
    }

    /** Returns the account of groups that were left out. It is empty if all groups stay. */
    public LeftOutPackets leftOut() {
        return leftOut;
    }

    /** Returns a table, or null if it has not been opened. */
    public FlatMap table(int index) {
        return tables[index];
    }

    /** Sets the word of each group that holds its credit for packets without room. */
    void credit(int word) {
        creditWord = word;
    }

    /** Returns whether these tables are open. */
    boolean has(int[] tables) {
        for (int table : tables) {
            if (table(table) == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns a table, and makes it if necessary. Throws if there is no memory. */
    public FlatMap open(int index) {
        if (tables[index] == null) {
            EntryLayout compact = layouts.get(index);
            EntryLayout layout = settled ? compact.toSettled() : compact;
            if (!layout.equals(compact)) {
                // Kernels could not fill this table, so the next pane cannot have it.
                spare = null;
            }
            NativeAllocator memory = settled ? allocator.root() : allocator;
            tables[index] = made(index, memory, bound(layout));
        }
        return tables[index];
    }

    private FlatMap made(int index, NativeAllocator memory, EntryLayout layout) {
        int expected = sizes == null ? 0 : sizes.of(index);
        // The next pane may have a few more groups than the last.
        return FlatMaps.createFor(
                expected + expected / 16, maxBytes / SpareTables.PART, memory, layout, maxBytes);
    }

    /** Tells the sizes of its tables, and expects none for tables that are made from now on. */
    void teach(Sizes learner) {
        learner.learn(tables.length, t -> tables[t] == null ? 0 : tables[t].size());
        expect(null);
    }

    /** Sets the expected sizes of tables that are made from now on; or null. */
    void expect(Sizes expected) {
        sizes = expected;
    }

    /** Returns the layout with this pane's pool in the handles of sketches. */
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

    /** Returns the number of updates of sketches that found no room. */
    public long refusals() {
        return sketches == null ? 0 : sketches.refusals();
    }

    /**
     * Widens the tables to whole words, which all code but kernels needs. The new tables do not
     * count against the budget of the old ones, whose memory is freed.
     *
     * @return groups that are lost because there was no memory
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

    /** Credits each group that has an entry with the packets of groups that have none. */
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

    /** Makes another holder for some of these tables. */
    private Tables beside() {
        return new Tables(allocator, layouts, 0, maxBytes, spare);
    }

    /**
     * Moves the memory to the account of another allocator, from which its own was reserved. The
     * next pane cannot have it then.
     *
     * @return whether there is room for all; a part may have moved
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

    /** Returns the batch of a pane that is being filled. */
    public Batch batch() {
        return batch;
    }

    void lend(Batch lent) {
        batch = lent;
    }

    /** Returns the rows, or null if tables are held. */
    public RowBuffer rows() {
        return rows;
    }

    /**
     * Makes settled tables as empty as these were at first.
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

    /** Returns the bytes of the existing entries. */
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

    /** Removes all groups and keeps the memory. */
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
        // Entries with sketches begin with handles of this pane's pool. No other pane can use them.
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
