package io.weir.operators.result;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialWindow;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;

/**
 * The groups of an aggregate over a keyed table. Each change of the table computes them again from
 * all its rows, so that each key counts by its newest row. Each tick costs as much as the table has
 * rows. Nothing is held between ticks. The results' thread.
 */
final class TableGroups implements AutoCloseable {
    private final CompiledQuery code;
    private final ActiveInterval gate;
    private final boolean ticks;
    private final StateOptions options;
    private final NativeAllocator allocator;
    private final WindowMerger merger;

    /** The groups for the end, if rows come only once; null without a table. */
    private Partial latest;

    private long processed;
    private long inactive;
    private long stateFull;

    /**
     * @param options with ticks, if its rows come at each tick of the table
     */
    TableGroups(
            CompiledQuery code,
            ActiveInterval gate,
            StateOptions options,
            NativeAllocator allocator,
            WindowMerger merger) {
        this.code = code;
        this.gate = gate;
        this.allocator = allocator;
        this.merger = merger;
        ticks = options.tickNs() > 0;
        this.options = new StateOptions(options.maxBytes(), 0, options.delayNs());
    }

    /** Returns the fraction of the table's rows that found room, or that were not wanted. */
    double table(RowBatch table) {
        if (!isActive(table.windowEndNs())) {
            inactive += table.rows();
            return 1;
        }
        long fullBefore = stateFull;
        Partial groups;
        try {
            groups = groups(table);
        } catch (WeirException noMemory) {
            if (noMemory.code() != ErrorCode.OUT_OF_NATIVE_MEMORY) {
                throw noMemory;
            }
            unmade(table.windowEndNs());
            return 1;
        }
        take(groups, table.windowStartNs(), table.windowEndNs());
        return table.rows() == 0 ? 1 : 1 - (stateFull - fullBefore) / (double) table.rows();
    }

    /** Notes that there is no memory for the table or its groups, so no rows are possible. */
    void unmade(long endNs) {
        if (isActive(endNs)) {
            Partial none = code.newPartial(allocator, options.maxBytes());
            none.lost(1);
            take(none, endNs - QueryShape.TICK_NS, endNs);
        }
    }

    /** A tick's rows have the time of its last instant. */
    private boolean isActive(long endNs) {
        return endNs == Long.MAX_VALUE || endNs > gate.fromNs() && endNs <= gate.untilNs();
    }

    private void take(Partial groups, long startNs, long endNs) {
        if (ticks && endNs != Long.MAX_VALUE) {
            say(groups, startNs, endNs);
        } else {
            close();
            latest = groups;
        }
    }

    private void say(Partial groups, long startNs, long endNs) {
        merger.add(new WindowPart(0, startNs, endNs, groups, Losses.NONE, 0));
    }

    /**
     * Ends the input. A query that reports once, and never had a table, reports on an empty one.
     */
    void finish() {
        if (latest == null && ticks) {
            return;
        }
        Partial last = latest == null ? groups(null) : latest;
        latest = null;
        say(last, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /**
     * @param table null without one
     */
    private Partial groups(RowBatch table) {
        Partial made = null;
        try (QueryState state = code.newState(allocator, new ActiveInterval(), options)) {
            if (table != null) {
                state.rows(table);
            }
            state.finish();
            PartialWindow window = state.nextWindow();
            made = window == null ? null : window.groups();
            processed += state.packetsProcessed();
            stateFull += state.packetsStateFull();
        }
        return made == null ? code.newPartial(allocator, options.maxBytes()) : made;
    }

    /** Returns the rows of tables that were read. */
    long processed() {
        return processed;
    }

    /** Returns the rows that came while the query slept. */
    long inactive() {
        return inactive;
    }

    /** Returns the rows whose groups found no room. */
    long stateFull() {
        return stateFull;
    }

    @Override
    public void close() {
        if (latest != null) {
            latest.close();
            latest = null;
        }
    }
}
