package io.weir.operators.kernel;

import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.window.LeftOutPackets;
import io.weir.operators.window.Tables;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The groups, or rows, of one window from one pipeline. One thread at a time owns it. The last
 * owner closes it.
 */
public final class Partial implements AutoCloseable {
    private final Tables tables;
    private long groupsLost;

    Partial(Tables tables) {
        this.tables = tables;
    }

    /** Settles the tables here, so that the pipeline's thread does not have to. */
    public Tables tables() {
        groupsLost += tables.settle();
        return tables;
    }

    public boolean isEmpty() {
        return groups() == 0;
    }

    /** Returns the number of groups, or of rows for a query without aggregates. */
    public long groups() {
        return groupsOf(tables);
    }

    static long groupsOf(Tables tables) {
        if (tables.rows() != null) {
            return tables.rows().rows();
        }
        FlatMap groups = tables.table(0);
        FlatMap second = tables.table(1);
        return (groups == null ? 0L : groups.size()) + (second == null ? 0L : second.size());
    }

    /** Returns the bytes of native memory in use. */
    public long bytes() {
        return tables.bytes();
    }

    /** Does the same as {@link Tables#handOver}. */
    public boolean handOver(NativeAllocator to) {
        return tables.handOver(to);
    }

    /** Returns the number of groups, tuples and rows that found no room in merges. */
    public long groupsLost() {
        return groupsLost;
    }

    /** Returns the number of updates that sketches had no room for. The results are NULL. */
    public long refusals() {
        return tables.refusals();
    }

    /** Counts groups, tuples or rows for which the writer had no room. */
    public void lost(long count) {
        groupsLost += count;
    }

    @Override
    public void close() {
        tables.close();
    }

    /** Returns the numbers of the activations that have groups: the first word of their keys. */
    public static Set<Long> activations(List<Partial> parts) {
        Set<Long> numbers = new TreeSet<>();
        for (Partial part : parts) {
            Tables tables = part.tables();
            for (int t = 0; t < tables.count(); t++) {
                FlatMap groups = tables.table(t);
                long entry = groups == null ? 0 : groups.firstEntry();
                for (; entry != 0; entry = groups.nextEntry(entry)) {
                    numbers.add(Memory.getLong(entry));
                }
            }
        }
        return numbers;
    }

    /** Adds up what was left out of the parts. After the call all have the same floor. */
    public static LeftOutPackets.Told leftOut(List<Partial> parts) {
        long floor = 0;
        long packets = 0;
        boolean unknown = false;
        for (Partial part : parts) {
            LeftOutPackets left = part.tables().leftOut();
            floor = Math.max(floor, left.most());
            packets += left.packets() + left.withoutRoom();
            unknown |= left.isUnknown() || part.groupsLost() > 0;
        }
        unknown |= parts.isEmpty(); // its packets are lost
        return new LeftOutPackets.Told(floor, packets, unknown);
    }
}
