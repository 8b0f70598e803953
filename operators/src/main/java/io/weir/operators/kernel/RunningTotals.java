package io.weir.operators.kernel;

import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.window.Tables;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Totals without a window that are emitted EMIT EVERY tick: adds up the changes of each tick, after
 * the pipelines' partials were merged. One thread at a time.
 */
public final class RunningTotals implements AutoCloseable {
    private final Tables totals;
    private final GroupMerge merge;
    private final Optional<Supplier<Tables>> newGroups;
    private long groupsLost;

    /**
     * @param newGroups makes tables for groups that are new, where groups have nothing that could
     *     change after that
     */
    RunningTotals(Tables totals, GroupMerge merge, Optional<Supplier<Tables>> newGroups) {
        this.totals = totals;
        this.merge = merge;
        this.newGroups = newGroups;
    }

    /**
     * Adds a tick's changes, and takes them over.
     *
     * @return the new totals of the groups that changed. A group that there was no room for keeps
     *     its change, and is counted
     */
    public Partial add(Partial changes) {
        if (newGroups.isPresent()) {
            return addKeys(changes, new Partial(newGroups.get().get()));
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

    private Partial addKeys(Partial changes, Partial fresh) {
        Tables seen = changes.tables();
        for (int table = 0; table < 2; table++) {
            FlatMap changed = seen.table(table);
            if (changed != null && changed.size() > 0) {
                FlatMap all = totals.open(table);
                FlatMap added = fresh.tables().open(table);
                for (long entry = changed.firstEntry();
                        entry != 0;
                        entry = changed.nextEntry(entry)) {
                    boolean full = all.findAt(entry) == 0;
                    groupsLost += full || all.inserted() && added.findAt(entry) == 0 ? 1 : 0;
                }
            }
        }
        changes.close();
        return fresh;
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
