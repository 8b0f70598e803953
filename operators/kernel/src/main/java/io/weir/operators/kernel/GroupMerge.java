package io.weir.operators.kernel;

import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.map.LightestEviction;
import io.weir.operators.memory.Memory;
import io.weir.operators.window.Tables;
import io.weir.operators.window.TablesMerge;
import java.util.Optional;

/**
 * Merges tables of groups. Groups that are in both merge their states by the folds, tuples of
 * COUNT(DISTINCT) as sets. Rows are appended. Stateless; any thread.
 */
final class GroupMerge implements TablesMerge {
    private final StateLayout state;
    private final Merger merger;
    private final boolean mergeable;
    private final Optional<LightestEviction> lightest;

    /**
     * @param mergeable whether a group may be in both; otherwise such a group counts as lost
     * @param lightest knows how many packets a group has, if the query reports what is left out
     */
    GroupMerge(
            StateLayout state,
            Merger merger,
            boolean mergeable,
            Optional<LightestEviction> lightest) {
        this.lightest = lightest;
        this.state = state;
        this.merger = merger;
        this.mergeable = mergeable;
    }

    @Override
    public long merge(Tables into, Tables from) {
        if (into.rows() != null) {
            return into.rows().appendAll(from.rows());
        }
        long lost = into.settle() + from.settle();
        for (int table = 0; table < state.tableCount(); table++) {
            FlatMap source = from.table(table);
            if (source != null && source.size() > 0) {
                lost += merged(into, table, source);
            }
        }
        into.leftOut().add(from.leftOut());
        if (lost > 0) {
            into.leftOut().addUnknown();
        }
        return lost;
    }

    private long merged(Tables into, int table, FlatMap from) {
        FlatMap mine;
        try {
            mine = into.open(table);
        } catch (WeirException noMemory) {
            lightest.ifPresent(how -> into.leftOut().addWithoutRoom(how.packetsOf(from)));
            return from.size();
        }
        return table < 2 ? groups(into, mine, from) : tuples(into, mine, table, from);
    }

    private long groups(Tables tables, FlatMap into, FlatMap from) {
        long lost = 0;
        for (long entry = from.firstEntry(); entry != 0; entry = from.nextEntry(entry)) {
            long without = add(into, from, entry);
            if (without > 0) {
                lost++;
                long value = entry + from.keyBytes();
                lightest.ifPresent(how -> tables.leftOut().addWithoutRoom(how.packetsOf(value)));
            }
        }
        return lost;
    }

    /** Adds one group of a table. Returns 1 if it finds no room, or cannot be merged. */
    long add(FlatMap into, FlatMap from, long entry) {
        long mine = into.findAt(entry);
        boolean inserted = into.inserted();
        if (mine == 0 || !inserted && !mergeable) {
            return 1;
        } else if (inserted && !state.hasSketches()) {
            copy(entry + from.keyBytes(), mine, from.valueWords());
        } else {
            into(mine, entry + from.keyBytes());
        }
        return 0;
    }

    /** Merges the state of a group into another state of it. Both are addresses of value words. */
    void into(long mine, long other) {
        merger.merge(mine, other);
    }

    /**
     * A new group copies the state of the other. The counts of its sets start at 0 and grow with
     * them.
     */
    private void copy(long from, long into, int words) {
        Memory.copy(from, into, (long) words * Long.BYTES);
        for (int d = 0; d < state.distinctFoldCount(); d++) {
            Memory.putLong(into + state.distinctOffset(d), 0);
        }
    }

    /**
     * Adds the groups that are missing here, unchanged: counts of sets are final. Returns the
     * number of groups that found no room.
     */
    long addMissing(Tables into, Tables from) {
        long lost = into.settle() + from.settle();
        for (int table = 0; table < Math.min(2, state.tableCount()); table++) {
            FlatMap source = from.table(table);
            if (source != null && source.size() > 0) {
                lost += addMissing(into.open(table), source);
            }
        }
        return lost;
    }

    private long addMissing(FlatMap into, FlatMap from) {
        long lost = 0;
        for (long entry = from.firstEntry(); entry != 0; entry = from.nextEntry(entry)) {
            long mine = into.findAt(entry);
            long value = entry + from.keyBytes();
            if (mine == 0) {
                lost++;
            } else if (into.inserted() && !state.hasSketches()) {
                Memory.copy(value, mine, (long) from.valueWords() * Long.BYTES);
            } else if (into.inserted()) {
                merger.merge(mine, value);
                for (int d = 0; d < state.distinctFoldCount(); d++) {
                    int offset = state.distinctOffset(d);
                    Memory.putLong(mine + offset, Memory.getLong(value + offset));
                }
            }
        }
        return lost;
    }

    private long tuples(Tables into, FlatMap mine, int table, FlatMap from) {
        FlatMap groups = into.table(state.groupTableOfSet(table));
        if (groups == null) {
            return from.size(); // there was no room for them
        }
        int offset = state.distinctOffset(table / 2 - 1);
        long lost = 0;
        for (long entry = from.firstEntry(); entry != 0; entry = from.nextEntry(entry)) {
            if (mine.findAt(entry) == 0) {
                lost++;
            } else if (mine.inserted()) {
                long group = state.group(groups, table, entry);
                if (group == 0) {
                    lost++;
                } else {
                    Memory.putLong(group + offset, Memory.getLong(group + offset) + 1);
                }
            }
        }
        return lost;
    }
}
