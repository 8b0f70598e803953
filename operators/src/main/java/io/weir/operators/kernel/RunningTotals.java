package io.weir.operators.kernel;

import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.window.Tables;

/**
 * Totals without a window that are emitted EMIT EVERY tick: adds up the changes of each tick, after
 * the pipelines' partials were merged. One thread at a time.
 */
public final class RunningTotals implements AutoCloseable {
    private final Tables totals;
    private final GroupMerge merge;
    private long groupsLost;

    RunningTotals(Tables totals, GroupMerge merge) {
        this.totals = totals;
        this.merge = merge;
    }

    /**
     * Adds a tick's changes and turns them, in place, into the new totals of the groups that
     * changed. A group that there was no room for keeps its change, and is counted.
     */
    public Partial add(Partial changes) {
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

    /** All groups; they stay this one's. */
    public Partial whole() {
        return new Partial(totals);
    }

    /** Groups and tuples that there was no room for. */
    public long groupsLost() {
        return groupsLost;
    }

    @Override
    public void close() {
        totals.close();
    }
}
