package io.weir.operators.kernel;

import io.weir.operators.error.WeirException;
import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.window.Tables;
import java.util.function.Supplier;

/**
 * The totals of a query without a window and with EMIT EVERY. It adds up the changes of each tick
 * after the pipelines' partials were merged. One thread at a time.
 */
public final class RunningTotals implements AutoCloseable {
    /** The way in which a tick's groups become totals. */
    enum Adding {
        /** A tick brings changes; the folds' merges add them. */
        CHANGES,
        /** Only new groups count. Nothing in them can change later. */
        NEW_KEYS,
        /** A tick brings new totals, which another process has added up. */
        NEW_TOTALS
    }

    private final Supplier<Tables> tables;
    private final GroupMerge merge;
    private final Adding adding;
    private Tables totals;
    private long groupsLost;

    /**
     * @param tables makes empty tables
     */
    RunningTotals(Supplier<Tables> tables, GroupMerge merge, Adding adding) {
        this.tables = tables;
        this.merge = merge;
        this.adding = adding;
        totals = tables.get();
    }

    /**
     * Adds a tick's changes and takes ownership of them.
     *
     * @return the new totals of the groups that changed. A group that found no room keeps its
     *     change, and is counted
     */
    public Partial add(Partial changes) {
        if (adding == Adding.NEW_TOTALS) {
            replace(changes.tables());
            return changes;
        } else if (adding == Adding.NEW_KEYS) {
            return addKeys(changes, new Partial(tables.get()));
        }
        groupsLost += merge.merge(totals, changes.tables());
        for (int table = 0; table < 2; table++) {
            FlatMap changed = changes.tables().table(table);
            FlatMap total = totals.table(table);
            if (changed != null && total != null) {
                update(changed, total);
            }
        }
        return changes;
    }

    private static void update(FlatMap changed, FlatMap total) {
        long bytes = (long) changed.valueWords() * Long.BYTES;
        for (long entry = changed.firstEntry(); entry != 0; entry = changed.nextEntry(entry)) {
            long sum = total.findAt(entry);
            if (sum != 0) {
                Memory.copy(sum, entry + changed.keyBytes(), bytes);
            }
        }
    }

    /** Replaces the table, which frees the sketches of the old one. */
    private void replace(Tables changed) {
        Tables next = tables.get();
        try {
            groupsLost += merge.addMissing(next, changed) + merge.addMissing(next, totals);
        } catch (WeirException noMemory) {
            next.close();
            throw noMemory;
        }
        totals.close();
        totals = next;
    }

    private Partial addKeys(Partial changes, Partial fresh) {
        try {
            for (int table = 0; table < 2; table++) {
                FlatMap changed = changes.tables().table(table);
                if (changed != null && changed.size() > 0) {
                    addKeys(changed, totals.open(table), fresh.tables().open(table));
                }
            }
        } catch (WeirException noMemory) {
            fresh.close();
            throw noMemory;
        }
        changes.close();
        return fresh;
    }

    private void addKeys(FlatMap changed, FlatMap all, FlatMap fresh) {
        for (long entry = changed.firstEntry(); entry != 0; entry = changed.nextEntry(entry)) {
            boolean full = all.findAt(entry) == 0;
            groupsLost += full || all.inserted() && fresh.findAt(entry) == 0 ? 1 : 0;
        }
    }

    /** Returns all groups. They still belong to this object. */
    public Partial whole() {
        return new Partial(totals);
    }

    /** Returns the number of groups and tuples that found no room. */
    public long groupsLost() {
        return groupsLost;
    }

    @Override
    public void close() {
        totals.close();
    }
}
