package io.weir.operators.result;

import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;

/**
 * The state of a query over another query's rows. It runs on the results' thread, and gives its
 * windows to a merger of its own. It also knows how complete the rows were that it has read.
 */
final class RowsInput implements AutoCloseable {
    private final WindowMerger gathering;
    private final ReadCompleteness completeness;
    private final QueryState state;

    /** The groups of an aggregate over a keyed table; null for any other query. */
    private final TableGroups tableGroups;

    private final TableProjection projection;

    /** The rows of several queries that wait for each other; null if rows need not wait. */
    private final CombinedRows combined;

    private long combinedFull;
    private Runnable onFull = () -> {};

    private long advancedNs = Long.MIN_VALUE;

    private RowsInput(
            WindowMerger gathering,
            ReadCompleteness completeness,
            QueryState state,
            TableGroups tableGroups,
            TableProjection projection,
            CombinedRows combined) {
        this.combined = combined;
        this.gathering = gathering;
        this.completeness = completeness;
        this.state = state;
        this.tableGroups = tableGroups;
        this.projection = projection;
    }

    /** Makes the input of a query over packets, which reads no rows. */
    static RowsInput none(WindowMerger gathering, ReadCompleteness completeness) {
        return new RowsInput(gathering, completeness, null, null, null, null);
    }

    static RowsInput of(
            CompiledQuery code,
            ActiveInterval gate,
            StateOptions options,
            ReadCompleteness completeness,
            WindowMerger gathering,
            NativeAllocator allocator) {
        if (isRemade(code)) {
            TableGroups groups = new TableGroups(code, gate, options, allocator, gathering);
            return new RowsInput(gathering, completeness, null, groups, null, null);
        }
        CombinedRows combined = CombinedRows.of(code, options.maxBytes(), allocator);
        boolean overTable = code.query().scan().isTable() && combined == null;
        return new RowsInput(
                gathering,
                completeness,
                code.newState(allocator, gate, combined == null ? options : atOnce(options)),
                null,
                overTable ? new TableProjection(code, atOnce(options), allocator) : null,
                combined);
    }

    /** Makes the completeness of the rows that such a query reads. */
    static ReadCompleteness completeness(CompiledQuery code) {
        return ReadCompleteness.ofRows(isRemade(code));
    }

    /** Makes the merger of such a query's windows. */
    static WindowMerger merger(
            CompiledQuery code, StateOptions options, NativeAllocator allocator) {
        return new WindowMerger(code, 1, isRemade(code) ? atOnce(options) : options, allocator);
    }

    /** Returns whether its groups are made anew from each whole table. */
    private static boolean isRemade(CompiledQuery code) {
        boolean aggregates = code.query().aggregate().isPresent();
        return code.query().scan().isTable() && aggregates && !code.query().scan().combinesTables();
    }

    private static StateOptions atOnce(StateOptions options) {
        return new StateOptions(options.maxBytes(), 0, options.delayNs());
    }

    /** Sets an action for when rows or groups find no room. It may run several times. */
    void onFull(Runnable action) {
        onFull = action;
    }

    /** Returns whether the query reads rows, and no packets. */
    boolean isRead() {
        return state != null || tableGroups != null;
    }

    /** Returns the outcome of the rows read. */
    RowCounts counts() {
        if (tableGroups != null) {
            return new RowCounts(
                    tableGroups.processed(), 0, tableGroups.inactive(), tableGroups.stateFull());
        }
        return new RowCounts(
                state.packetsProcessed(),
                state.packetsLate(),
                state.packetsInactive(),
                state.packetsStateFull() + combinedFull);
    }

    /** Reads a whole table, which replaces all that it has read before of this input. */
    void table(int from, RowBatch table) {
        if (!gathering.isFinished() && combined != null) {
            completeness.atMost(table.completeness());
            full(combined.table(from, table), table);
        } else if (!gathering.isFinished()) {
            double room = tableGroups.table(table);
            if (room < 1) {
                onFull.run();
            }
            completeness.atMost(Math.min(room, table.completeness()));
        }
    }

    /** Notes that there was no memory for the rows of the table. */
    void tableUnmade(long endNs) {
        if (!gathering.isFinished() && combined != null) {
            completeness.unmade();
        } else if (!gathering.isFinished()) {
            tableGroups.unmade(endNs);
        }
    }

    /**
     * Returns the rows that a query without aggregates makes from a whole table. The caller closes
     * them.
     */
    RowBatch project(RowBatch table) {
        return projection.of(table);
    }

    /**
     * Runs over another query's rows.
     *
     * @param from the input that they are of
     */
    void rows(int from, RowBatch batch) {
        if (!gathering.isFinished()) {
            completeness.read(batch);
            reread(from, batch);
        }
    }

    /** Runs over rows that a predecessor had read. */
    void reread(int from, RowBatch batch) {
        if (combined == null) {
            run(batch);
        } else {
            full(combined.rows(from, batch), batch);
        }
    }

    private void run(RowBatch batch) {
        long before = state.packetsStateFull();
        state.rows(batch);
        if (state.packetsStateFull() > before) {
            onFull.run();
        }
    }

    /** Counts rows that found no room. */
    private void full(long rows, RowBatch batch) {
        if (rows > 0) {
            onFull.run();
            combinedFull += rows;
            completeness.atMost(1 - rows / (double) batch.rows());
        }
    }

    /** Notes that windows with an end up to this time lack rows; nobody knows how many. */
    void lacks(long untilNs) {
        completeness.lacks(untilNs);
    }

    /** Returns the least completeness of the rows read since the last window. */
    double completeness() {
        return completeness.least();
    }

    /** Returns the time before which all rows have come. */
    long advancedNs() {
        return advancedNs;
    }

    /** Returns the time when all windows with rows of this time are reported. */
    long neededUntilNs(long timeNs) {
        return state == null ? Long.MIN_VALUE : state.lastWindowEndNs(timeNs);
    }

    /** Restores what a predecessor knew. */
    void resume(ReadMark mark) {
        advancedNs = mark.advancedNs();
        completeness.resume(mark.completeness());
    }

    /** Notes that all rows before this time have come. Returns false if that is not new. */
    boolean isNew(long timeNs) {
        if (gathering.isFinished() || timeNs <= advancedNs) {
            return false;
        }
        advancedNs = timeNs;
        return true;
    }

    /** Closes windows up to this time. Returns false if there is no state that has some. */
    boolean closeWindows(long timeNs) {
        if (state == null) {
            return false;
        }
        if (combined != null) {
            if (combined.comesOnce() && timeNs < Long.MAX_VALUE) {
                return false; // a state that has come so far would take its rows for late ones
            }
            combined.advance(timeNs, this::run);
        }
        state.advance(timeNs);
        gather();
        gathering.addEmpty(timeNs);
        return true;
    }

    private void gather() {
        state.eachWindow(window -> gathering.add(WindowPart.of(0, window, Losses.NONE, 0)));
    }

    /** Ends the state. Its open windows become its last ones. */
    void finish() {
        if (!gathering.isFinished()) {
            gathering.finished();
            if (state != null) {
                if (combined != null) {
                    combined.advance(Long.MAX_VALUE, this::run);
                }
                state.finish();
                gather();
                gathering.addEmpty(Long.MAX_VALUE);
            } else {
                tableGroups.finish();
            }
        }
    }

    @Override
    public void close() {
        if (state != null) {
            state.close();
        }
        if (combined != null) {
            combined.close();
        }
        if (tableGroups != null) {
            tableGroups.close();
        }
    }
}
