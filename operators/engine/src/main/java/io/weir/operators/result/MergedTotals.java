package io.weir.operators.result;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RunningTotals;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * The totals of a query that continue over its windows, if it has some: each window then brings
 * changes. The results' thread only.
 */
final class MergedTotals implements AutoCloseable {
    private final CompiledQuery code;
    private final NativeAllocator allocator;
    private final StateOptions options;
    private RunningTotals totals;
    private TotalsKeeper keeper;
    private boolean closed;

    MergedTotals(CompiledQuery code, StateOptions options, NativeAllocator allocator) {
        this.code = code;
        this.options = options;
        this.allocator = allocator;
        boolean ticks = options.tickNs() > 0 && QueryShape.isTotals(code.query());
        totals = ticks ? code.newTotals(allocator, options) : null;
    }

    /** Returns whether there are totals that continue. */
    boolean areKept() {
        return totals != null;
    }

    /** Returns the totals of all groups; there must be some that continue. */
    Partial whole() {
        return totals.whole();
    }

    /** Keeps the newest totals of all groups from now on. */
    void keepTable() {
        if (totals == null && !closed) {
            totals = code.newTable(allocator, options);
        }
    }

    void keep(TotalsKeeper who) {
        keeper = who;
    }

    /**
     * Turns a window's changes into the new totals of their groups.
     *
     * @return how many groups found no memory
     */
    long add(WaitingWindow waiting) {
        long before = totals.groupsLost();
        if (keeper != null) {
            keeper.changes(waiting.endNs, waiting.whole);
        }
        List<Partial> changed = new ArrayList<>();
        waiting.whole.forEach(changes -> changed.add(totals.add(changes)));
        waiting.whole = changed;
        if (keeper != null) {
            keeper.added(waiting.endNs, totals);
        }
        return totals.groupsLost() - before;
    }

    /**
     * Adds the totals of a predecessor. The caller keeps the partial.
     *
     * @return how many groups found no memory
     */
    long resume(Partial changes) {
        long before = totals.groupsLost();
        Partial added = totals.add(changes);
        if (added != changes) {
            added.close();
        }
        return changes.groupsLost() + totals.groupsLost() - before;
    }

    @Override
    public void close() {
        closed = true;
        if (totals != null) {
            totals.close();
        }
    }
}
