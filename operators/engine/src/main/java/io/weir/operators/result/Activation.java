package io.weir.operators.result;

import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.Shortlist;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.kernel.StreamLimit;
import io.weir.operators.kernel.TopKAccount;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One run of a query from the time when it begins to count until it stops. Without WHEN it never
 * stops. With WHEN it lasts from one firing until UNTIL or FOR. It makes rows from the windows of a
 * {@link WindowMerger}, its own or a shared one. The results' thread only, except {@link #gate}.
 */
public final class Activation implements AutoCloseable {
    /** The receivers of the rows. */
    public enum Output {
        SINKS,
        READERS,
        ALL
    }

    /**
     * Losses that wait for a window, each by its time. Beyond this number, the oldest two are
     * joined.
     */
    private static final int MOST_LOSSES = 4096;

    private final CompiledQuery code;
    private final ActiveInterval gate;
    private final long activeFromNs;
    private final Output output;
    private final NativeAllocator allocator;
    private final StreamLimit limit;
    private final WindowMerger gathering;
    private final QueryState rowState;

    /** The groups of an aggregate over a keyed table; null for any other query. */
    private final TableGroups tableGroups;

    private final TableProjection projection;
    private Runnable onEnd = () -> {};
    private Consumer<TopKAccount> onKept = kept -> {};
    private LongConsumer onSumsBeyond = sums -> {};
    private long rowsAdvancedNs = Long.MIN_VALUE;
    private long lastStartNs = Long.MAX_VALUE;
    private long retiredNs = Long.MAX_VALUE;
    private boolean retired;

    /**
     * The least completeness of the rows read since the last window. The next rows cannot be more
     * complete.
     */
    private double completenessRead = 1;

    private long lacksUntilNs = Long.MIN_VALUE;

    /** True if a window read since the last one was seen in part. */
    private boolean partialRead;

    private long untold;
    private long untoldLate;

    /** Lost packets. The key is the end of the last window reported before the loss was known. */
    private final TreeMap<Long, Long> lost = new TreeMap<>();

    /** Null if the source does not count its packets by their times. */
    private UnreportedPackets counted;

    private long toldUntilNs = Long.MIN_VALUE;
    private boolean closed;

    /**
     * Makes an activation of a query over packets.
     *
     * @param code over the gathering's groups
     * @param activeFromNs the value for its rows; {@link RowContext#ALWAYS}: they have counted all
     */
    public Activation(
            CompiledQuery code,
            ActiveInterval gate,
            long activeFromNs,
            Output output,
            WindowMerger gathering,
            NativeAllocator allocator) {
        this.code = code;
        this.gate = gate;
        this.activeFromNs = activeFromNs;
        this.output = output;
        this.allocator = allocator;
        this.gathering = gathering;
        limit = code.newStreamLimit();
        rowState = null;
        tableGroups = null;
        projection = null;
        gathering.join(this);
    }

    /**
     * Makes an activation of a query over another query's rows. Its state runs on the results'
     * thread.
     */
    public Activation(
            CompiledQuery code,
            ActiveInterval gate,
            long activeFromNs,
            Output output,
            StateOptions options,
            NativeAllocator allocator) {
        this.code = code;
        this.gate = gate;
        this.activeFromNs = activeFromNs;
        this.output = output;
        this.allocator = allocator;
        limit = code.newStreamLimit();
        boolean overTable = code.query().scan().isTable();
        boolean aggregates = code.query().aggregate().isPresent();
        StateOptions atOnce = new StateOptions(options.maxBytes(), 0, options.delayNs());
        boolean remakes = overTable && aggregates;
        gathering = new WindowMerger(code, 1, remakes ? atOnce : options, allocator);
        rowState = remakes ? null : code.newState(allocator, gate, options);
        tableGroups = remakes ? new TableGroups(code, gate, options, allocator, gathering) : null;
        projection = overTable && !aggregates ? new TableProjection(code, atOnce, allocator) : null;
        gathering.join(this);
    }

    /** Takes the windows of the state that runs on this thread. */
    private void gatherRows() {
        rowState.eachWindow(
                window -> gathering.add(ClosedWindow.of(gathering, 0, window, Losses.NONE, 0)));
    }

    /** Sets an action that runs once, when this ends or is closed. */
    public void onEnd(Runnable action) {
        onEnd = action;
    }

    /** Sets the receiver of the account of left-out groups, for each window that this takes. */
    public void onKept(Consumer<TopKAccount> action) {
        onKept = action;
    }

    /** Sets the receiver of the number of sums beyond 64 bits, for each window that makes rows. */
    public void onSumsBeyond(LongConsumer action) {
        onSumsBeyond = action;
    }

    void tellSums(List<Partial> parts) {
        long beyond = code.sumsBeyond(parts);
        if (beyond > 0) {
            onSumsBeyond.accept(beyond);
        }
    }

    /**
     * Sets the counts of a source that counts its packets by their times, if windows leave late
     * ones out.
     */
    public void countedBy(UnreportedPackets packets) {
        counted = packets;
    }

    /**
     * Returns the losses of earlier windows without rows, and those of this window that no pipeline
     * reports.
     */
    Losses untoldLosses(long endNs) {
        long late = untoldLate + (counted == null ? 0 : counted.late(endNs));
        return Losses.of(untold).plus(Losses.late(late));
    }

    /** Returns the packets of a window that went through the query. */
    long ran(WaitingWindow window) {
        return counted == null
                ? window.processed
                : Math.max(0, counted.inTime(window.endNs) - window.losses.lost() - untold);
    }

    void tell(TopKAccount kept) {
        onKept.accept(kept);
    }

    public ActiveInterval gate() {
        return gate;
    }

    public WindowMerger gathering() {
        return gathering;
    }

    public Output output() {
        return output;
    }

    long activeFromNs() {
        return activeFromNs;
    }

    /**
     * Stops taking windows that start at this time or later. It then ends when all earlier windows
     * have passed.
     *
     * @param passedNs the time by which they have passed
     */
    public void retire(long fromStartNs, long passedNs) {
        lastStartNs = fromStartNs;
        retiredNs = passedNs;
        retired = true;
    }

    boolean wants(long windowStartNs) {
        return windowStartNs < lastStartNs;
    }

    /**
     * Returns whether it can make no more rows.
     *
     * @param passedNs the time that all pipelines have passed
     */
    boolean isEnded(long passedNs) {
        boolean over = retired && passedNs >= retiredNs;
        return closed || (gathering.isFinished() || over) && !isWaiting();
    }

    boolean isWaiting() {
        return gathering.isWaiting(this);
    }

    /**
     * Returns when the earliest window is due: at its end, or at the activation's end if that is
     * earlier. It is MAX_VALUE if none waits.
     */
    long dueNs() {
        if (!isWaiting()) {
            return Long.MAX_VALUE;
        }
        // If one pipeline's state has not ended, the other pipelines' parts are not the whole
        // window.
        long cutNs = holdsAtNs() == Long.MAX_VALUE ? gate.untilNs() : Long.MAX_VALUE;
        return Math.min(gathering.firstEndNs(this), cutNs);
    }

    /**
     * Returns the time that no pass may exceed while states on pipelines have not ended. All rows
     * that can renew FOR have been tested by then. It is MAX_VALUE if there is nothing to wait for.
     */
    long holdsAtNs() {
        return closed || readsRows() ? Long.MAX_VALUE : gathering.holdsAtNs(gate.untilNs());
    }

    /**
     * Returns whether the end has moved to a later time since the last call. It is false if no end
     * is known.
     */
    boolean isRenewed() {
        long untilNs = gate.untilNs();
        boolean later = untilNs > toldUntilNs && untilNs < Long.MAX_VALUE;
        toldUntilNs = untilNs;
        return later;
    }

    PartialExporter.Departing departing() {
        return new PartialExporter.Departing(
                code, gate.fromNs(), gate.untilNs(), activeFromNs, output);
    }

    /** Returns the rows of the earliest window, perhaps none. The caller closes them. */
    WindowMerger.Taken removeFirst() {
        return gathering.take(this);
    }

    /**
     * Returns the packets of windows that made no rows. The next window with rows reports them as
     * lost.
     */
    public long untold() {
        return untold;
    }

    /** Takes over the unreported packets of a predecessor. */
    public void resume(long packetsUntold) {
        untold = packetsUntold;
    }

    /**
     * Notes that a window makes no rows. It may also have read rows, and nobody knows how many
     * packets those had.
     */
    void unmade(long packets) {
        untold += packets;
        completenessRead = readsRows() ? 0 : completenessRead;
    }

    /**
     * Notes that packets are lost. The first window that ends after this time and has rows reports
     * them.
     */
    void lost(long sinceNs, long packets) {
        lost.merge(sinceNs, packets, Long::sum);
        if (lost.size() > MOST_LOSSES) {
            long oldest = lost.pollFirstEntry().getValue();
            lost.merge(lost.firstKey(), oldest, Long::sum);
        }
    }

    /** Notes that the window with this end is reported now. */
    void due(long endNs) {
        while (!lost.isEmpty() && lost.firstKey() < endNs) {
            untold += lost.pollFirstEntry().getValue();
        }
    }

    /** Notes that the window with this end has rows. */
    void told(long endNs) {
        untold = 0;
        untoldLate = 0;
        if (counted != null) {
            counted.told(endNs);
        }
    }

    /** Notes late packets that a window without rows knows of. */
    void untoldLate(long packets) {
        untoldLate += packets;
    }

    /** Returns how much of the LIMIT of a query without aggregates is used. */
    public StreamLimit limit() {
        return limit;
    }

    CompiledQuery code() {
        return code;
    }

    RowBatch finish(List<Partial> parts, long startNs, long endNs, RowContext context) {
        return finished(code.finish(parts, startNs, endNs, context, allocator), context);
    }

    /** Returns rows for all groups, as they are after that window has been added to the totals. */
    RowBatch finishTable(Partial totals, WindowMerger.Taken window) {
        RowBatch table =
                code.finish(
                        List.of(totals),
                        window.rows().windowStartNs(),
                        window.rows().windowEndNs(),
                        window.context(),
                        allocator);
        table.completeness(window.rows().completeness());
        return table;
    }

    RowBatch finish(Shortlist list, long startNs, long endNs, RowContext context) {
        return finished(code.finish(list, startNs, endNs, context, allocator), context);
    }

    /** Returns whether it misses a part of this time. */
    boolean lacks(long startNs, long endNs) {
        boolean late = activeFromNs != RowContext.ALWAYS && startNs < activeFromNs;
        return late || startNs < gate.fromNs() || endNs > gate.untilNs() || partialRead;
    }

    private RowBatch finished(RowBatch rows, RowContext context) {
        RowBatch batch = limit.apply(rows);
        batch.partial(context.isPartial());
        partialRead = false;
        boolean lacks = batch.windowEndNs() <= lacksUntilNs;
        batch.completeness(Math.min(context.completeness(), lacks ? 0 : completenessRead));
        completenessRead = tableGroups == null ? 1 : completenessRead; // a table stays incomplete
        return batch;
    }

    /** Returns the outcome of the rows read by a query over another query's rows. */
    public RowCounts rowCounts() {
        if (tableGroups != null) {
            return new RowCounts(
                    tableGroups.processed(), 0, tableGroups.inactive(), tableGroups.stateFull());
        }
        return new RowCounts(
                rowState.packetsProcessed(),
                rowState.packetsLate(),
                rowState.packetsInactive(),
                rowState.packetsStateFull());
    }

    boolean readsRows() {
        return rowState != null || tableGroups != null;
    }

    /** Reads a whole table, which replaces all that it has read before. */
    void table(RowBatch table) {
        if (!gathering.isFinished()) {
            double room = tableGroups.table(table);
            completenessRead = Math.min(completenessRead, Math.min(room, table.completeness()));
        }
    }

    /** Notes that there was no memory for the rows of the table. */
    void tableUnmade(long endNs) {
        if (!gathering.isFinished()) {
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

    /** Returns whether the rows of a tick with this end lie within its time. */
    boolean isActive(long endNs) {
        return endNs == Long.MAX_VALUE || endNs > gate.fromNs() && endNs <= gate.untilNs();
    }

    /** Runs over another query's rows. */
    void rows(RowBatch batch) {
        if (!gathering.isFinished()) {
            completenessRead = Math.min(completenessRead, batch.completeness());
            partialRead |= batch.partial();
            rowState.rows(batch);
        }
    }

    /**
     * Notes that windows with an end up to this time lack rows that were lost; nobody knows how
     * many.
     */
    public void lacks(long untilNs) {
        lacksUntilNs = Math.max(lacksUntilNs, untilNs);
    }

    /** Returns the time before which all rows have come. */
    public long rowsAdvancedNs() {
        return rowsAdvancedNs;
    }

    /** Returns the time when it has reported all windows with rows of this time. */
    public long neededUntilNs(long timeNs) {
        return rowState == null ? Long.MIN_VALUE : rowState.lastWindowEndNs(timeNs);
    }

    public ReadMark readMark() {
        return new ReadMark(
                gate.fromNs(),
                gate.untilNs(),
                activeFromNs,
                completenessRead,
                untold,
                limit.skipped(),
                limit.passed(),
                rowsAdvancedNs);
    }

    /**
     * Reads again the rows that its predecessor had read. Windows that the predecessor has reported
     * are not reported again. The caller keeps the batch.
     *
     * @param advancedNs the predecessor's time
     */
    public void reread(RowBatch batch, long advancedNs) {
        advanceSilently(advancedNs);
        rowState.rows(batch);
    }

    /** Restores the rest of the state after all rows were read again. */
    public void resume(ReadMark mark) {
        advanceSilently(mark.advancedNs());
        rowsAdvancedNs = mark.advancedNs();
        completenessRead = mark.completeness();
        untold = mark.untold();
        limit.resume(mark.rowsSkipped(), mark.rowsPassed());
    }

    private void advanceSilently(long timeNs) {
        if (rowState == null) {
            return;
        }
        rowState.advance(timeNs);
        gatherRows();
        while (isWaiting()) {
            gathering.discard(this);
        }
    }

    /**
     * Notes that all rows before that time have come. Returns whether that closed a window that is
     * due first.
     */
    boolean advanceRows(long timeNs) {
        if (gathering.isFinished() || timeNs <= rowsAdvancedNs) {
            return false;
        }
        rowsAdvancedNs = timeNs;
        boolean waitedBefore = isWaiting();
        long dueBefore = dueNs();
        if (rowState != null) {
            rowState.advance(timeNs);
            gatherRows();
        }
        if (timeNs >= gate.untilNs()) {
            finishRows();
        }
        return isWaiting() && (!waitedBefore || dueNs() < dueBefore);
    }

    /** Ends a query over rows. Its open windows become its last ones. */
    public void finishRows() {
        if (!gathering.isFinished()) {
            gathering.finished();
            if (rowState != null) {
                rowState.finish();
                gatherRows();
            } else {
                tableGroups.finish();
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onEnd.run();
            gathering.leave(this);
            if (rowState != null) {
                rowState.close();
            }
            if (tableGroups != null) {
                tableGroups.close();
            }
        }
    }
}
