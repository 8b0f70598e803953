package io.weir.operators.kernel;

import io.weir.operators.map.FlatMap;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.window.LeftOut;
import io.weir.operators.window.Tables;
import java.util.List;

/**
 * The groups, or rows, of one window as one pipeline saw them. Owned by one thread at a time;
 * whoever holds it last closes it.
 */
public final class Partial implements AutoCloseable {
    private final Tables tables;
    private long groupsLost;

    Partial(Tables tables) {
        this.tables = tables;
    }

    /** Settled: the pipeline's thread has better things to do, so it is done here. */
    public Tables tables() {
        groupsLost += tables.settle();
        return tables;
    }

    public boolean isEmpty() {
        return groups() == 0;
    }

    /** Groups, or rows of a query without aggregates. */
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

    /** Native memory held. */
    public long bytes() {
        return tables.bytes();
    }

    /** As {@link Tables#handOver}. */
    public boolean handOver(NativeAllocator to) {
        return tables.handOver(to);
    }

    /** Groups, tuples and rows that merges had no room for. */
    public long groupsLost() {
        return groupsLost;
    }

    /** Updates that sketches had no room for: their results are NULL. */
    public long refusals() {
        return tables.refusals();
    }

    /** Counts groups, tuples or rows that whoever fills this had no room for. */
    public void lost(long count) {
        groupsLost += count;
    }

    @Override
    public void close() {
        tables.close();
    }

    /** What was left out of all of these, which have the same floor. */
    public static LeftOut.Told leftOut(List<Partial> parts) {
        long floor = 0;
        long packets = 0;
        boolean unknown = false;
        for (Partial part : parts) {
            LeftOut left = part.tables().leftOut();
            floor = Math.max(floor, left.most());
            packets += left.packets() + left.withoutRoom();
            unknown |= left.isUnknown() || part.groupsLost() > 0;
        }
        unknown |= parts.isEmpty(); // its packets are lost
        return new LeftOut.Told(floor, packets, unknown);
    }
}
