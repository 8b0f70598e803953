package io.weir.operators.kernel;

import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * The groups of one window by the number of their activation, which is the first word of their key.
 * One thread; valid as long as the groups do not move.
 */
final class BindingRuns {
    private final int tables;
    private final KeyOrder[] orders;
    private final TreeMap<Long, Addresses[]> byId = new TreeMap<>();

    BindingRuns(int tables) {
        this.tables = tables;
        orders = new KeyOrder[tables];
    }

    /** Adds the groups of a table; null if there are none. */
    void add(FlatMap groups, int table, KeyOrder order) {
        orders[table] = order;
        long entry = groups == null ? 0 : groups.firstEntry();
        for (; entry != 0; entry = groups.nextEntry(entry)) {
            byId.computeIfAbsent(Memory.getLong(entry), id -> none())[table].add(entry);
        }
    }

    private Addresses[] none() {
        Addresses[] none = new Addresses[tables];
        Arrays.setAll(none, t -> new Addresses());
        return none;
    }

    /** Returns the numbers of the activations, the earliest first. */
    Iterable<Long> ids() {
        return byId.keySet();
    }

    /** Returns the groups of one activation that meet HAVING, by key. */
    Addresses[] kept(long id, Finisher[] finishers, long start, long end, RowContext context) {
        Addresses[] all = byId.get(id);
        Addresses[] kept = none();
        for (int t = 0; t < tables; t++) {
            for (int i = 0; i < all[t].count(); i++) {
                long entry = all[t].at(i);
                if (finishers[t].keeps(entry, start, end, context)) {
                    kept[t].add(entry);
                }
            }
            kept[t].sortByKeys(orders[t]);
        }
        return kept;
    }
}
