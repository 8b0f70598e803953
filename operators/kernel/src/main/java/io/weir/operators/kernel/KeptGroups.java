package io.weir.operators.kernel;

import io.weir.operators.graph.Window;
import io.weir.operators.map.EntryLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.map.FlatMaps;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.window.Tables;
import java.util.List;

/**
 * The keys of groups that have rows for some windows after their last packet. A key that finds no
 * room has no such rows. One thread.
 *
 * <pre>
 *   entry: the group's key words · the end of the last window with packets of it
 * </pre>
 */
final class KeptGroups extends CarriedGroups {
    private static final int FAMILIES = 2;

    private final CompiledQuery code;
    private final NativeAllocator allocator;
    private final long keptNs;
    private final FlatMap[] keys = new FlatMap[FAMILIES];

    KeptGroups(CompiledQuery code, Window window, NativeAllocator allocator) {
        super(code.query());
        this.code = code;
        this.allocator = allocator;
        keptNs = Math.multiplyExact(window.rows().windows(), window.slideNs());
    }

    @Override
    public List<Partial> of(List<Partial> whole, long endNs, boolean isPartial) {
        for (Partial part : whole) {
            Tables tables = part.tables();
            for (int t = 0; t < Math.min(FAMILIES, tables.count()); t++) {
                if (tables.table(t) != null) {
                    note(t, tables.table(t), endNs);
                }
            }
        }
        List<Partial> all =
                whole.isEmpty() ? List.of(code.newPartial(allocator, maxBytes(code))) : whole;
        Tables into = all.get(0).tables();
        for (int t = 0; t < FAMILIES; t++) {
            if (keys[t] != null) {
                add(t, into, endNs);
            }
        }
        return all;
    }

    /** Notes the keys of a window's groups. */
    private void note(int table, FlatMap groups, long endNs) {
        if (keys[table] == null) {
            int words = groups.keyBytes() / Long.BYTES;
            EntryLayout layout = EntryLayout.settled(words, List.of(0L));
            keys[table] = FlatMaps.create(allocator, layout, maxBytes(code) / FAMILIES);
        }
        long entry = groups.firstEntry();
        for (; entry != 0; entry = groups.nextEntry(entry)) {
            long at = keys[table].findAt(entry);
            if (at == 0) {
                forget(1);
            } else {
                Memory.putLong(at, endNs);
            }
        }
    }

    /** Adds groups without packets, and drops the keys whose time is over. */
    private void add(int table, Tables into, long endNs) {
        FlatMap known = keys[table];
        int over = 0;
        for (long entry = known.firstEntry(); entry != 0; entry = known.nextEntry(entry)) {
            long lastNs = Memory.getLong(entry + known.keyBytes());
            boolean has = endNs - lastNs > 0 && endNs - lastNs <= keptNs;
            if (has && into.open(table).findAt(entry) == 0) {
                forget(1);
            }
            over += endNs - lastNs >= keptNs ? 1 : 0;
        }
        if (over > known.size() / 2) {
            keepAfter(table, endNs - keptNs);
        }
    }

    private void keepAfter(int table, long overNs) {
        FlatMap known = keys[table];
        keys[table] = null;
        EntryLayout layout = EntryLayout.settled(known.keyBytes() / Long.BYTES, List.of(0L));
        FlatMap kept = FlatMaps.create(allocator, layout, maxBytes(code) / FAMILIES);
        for (long entry = known.firstEntry(); entry != 0; entry = known.nextEntry(entry)) {
            long lastNs = Memory.getLong(entry + known.keyBytes());
            if (lastNs > overNs) {
                long at = kept.findAt(entry);
                if (at == 0) {
                    forget(1);
                } else {
                    Memory.putLong(at, lastNs);
                }
            }
        }
        known.close();
        keys[table] = kept;
    }

    @Override
    public void close() {
        for (int t = 0; t < FAMILIES; t++) {
            if (keys[t] != null) {
                keys[t].close();
                keys[t] = null;
            }
        }
    }
}
