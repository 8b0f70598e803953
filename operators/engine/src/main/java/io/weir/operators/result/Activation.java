package io.weir.operators.result;

import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.kernel.StreamLimit;
import io.weir.operators.kernel.TopKAccount;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One run of a query from the time when it begins to count until it stops. Without WHEN it never
 * stops. With WHEN it lasts from one firing until UNTIL or FOR. It makes rows from the windows of a
 * {@link WindowMerger}, its own or a shared one. The results' thread only, except {@link #gate}.
 */
public final class Activation implements AutoCloseable {
    private final ActiveInterval gate;
    private final RowMaker rows;
    private final WindowMerger merger;
    private final RowsInput input;
    private Runnable onEnd = () -> {};
    private long retiredNs = Long.MAX_VALUE;
    private boolean retired;
    private long toldUntilNs = Long.MIN_VALUE;
    private boolean closed;

    /**
     * Makes an activation of a query over packets.
     *
     * @param code over the merger's groups
     * @param activeFromNs the value for its rows; {@link RowContext#ALWAYS}: they have counted all
     */
    public Activation(
            CompiledQuery code,
            ActiveInterval gate,
            long activeFromNs,
            Receivers output,
            WindowMerger merger,
            NativeAllocator allocator) {
        this.gate = gate;
        this.merger = merger;
        ReadCompleteness read = ReadCompleteness.none();
        rows = new RowMaker(code, gate, activeFromNs, output, read, allocator);
        input = RowsInput.none(merger, read);
        merger.join(rows);
    }

    /**
     * Makes an activation of a query over another query's rows. Its state runs on the results'
     * thread.
     */
    public Activation(
            CompiledQuery code,
            ActiveInterval gate,
            long activeFromNs,
            Receivers output,
            StateOptions options,
            NativeAllocator allocator) {
        this.gate = gate;
        ReadCompleteness read = RowsInput.completeness(code);
        rows = new RowMaker(code, gate, activeFromNs, output, read, allocator);
        merger = RowsInput.merger(code, options, allocator);
        input = RowsInput.of(code, gate, options, read, merger, allocator);
        merger.join(rows);
    }

    /** Sets an action that runs once, when this ends or is closed. */
    public void onEnd(Runnable action) {
        onEnd = action;
    }

    /** Sets the receiver of the account of left-out groups, for each window that this takes. */
    public void onKept(Consumer<TopKAccount> action) {
        rows.onKept(action);
    }

    /** Sets the receiver of the number of sums beyond 64 bits, for each window that makes rows. */
    public void onSumsBeyond(LongConsumer action) {
        rows.onSumsBeyond(action);
    }

    /**
     * Sets the receiver of numbers of forgotten things, for want of memory: partitions of OVER, and
     * groups that go over to the next window.
     */
    public void onForgotten(LongConsumer action) {
        rows.onForgotten(action);
    }

    /** Sets an action for when a query over rows has no room. It may run several times. */
    public void onFull(Runnable action) {
        input.onFull(action);
    }

    /**
     * Sets the counts of a source that counts its packets by their times, if windows leave late
     * ones out.
     */
    public void countedBy(UnreportedPackets packets) {
        rows.losses().countedBy(packets);
    }

    public ActiveInterval gate() {
        return gate;
    }

    public WindowMerger merger() {
        return merger;
    }

    public Receivers output() {
        return rows.output();
    }

    /**
     * Stops taking windows that start at this time or later. It then ends when all earlier windows
     * have passed.
     *
     * @param passedNs the time by which they have passed
     */
    public void retire(long fromStartNs, long passedNs) {
        rows.retire(fromStartNs);
        retiredNs = passedNs;
        retired = true;
    }

    /**
     * Returns whether it can make no more rows.
     *
     * @param passedNs the time that all pipelines have passed
     */
    boolean isEnded(long passedNs) {
        boolean over = retired && passedNs >= retiredNs;
        return closed || (merger.isFinished() || over) && !isWaiting();
    }

    /**
     * Adds the windows without packets that it needs, of a query over packets.
     *
     * @param passedNs the time that all pipelines have passed
     */
    void addEmpty(long passedNs) {
        if (!closed && !readsRows()) {
            merger.addEmpty(passedNs);
        }
    }

    boolean isWaiting() {
        return merger.isWaiting(rows);
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
        return Math.min(merger.firstEndNs(rows), cutNs);
    }

    /**
     * Returns the time that no pass may exceed while states on pipelines have not ended. All rows
     * that can renew FOR have been tested by then. It is MAX_VALUE if there is nothing to wait for.
     */
    long holdsAtNs() {
        return closed || readsRows() ? Long.MAX_VALUE : merger.holdsAtNs(gate.untilNs());
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
        return rows.departing();
    }

    /** Returns the packets of the earliest window. */
    long firstProcessed() {
        return merger.processed(rows);
    }

    /** Returns the rows of the earliest window, perhaps none. The caller closes them. */
    WindowMerger.Taken takeFirst() {
        return merger.take(rows);
    }

    /**
     * Sends on the groups of the earliest window.
     *
     * @param lastOnes whether its query has a successor and has only open windows left
     */
    void departFirst(PartialExporter exporter, boolean lastOnes) {
        merger.depart(rows, exporter, lastOnes);
    }

    /** Takes the earliest window without making rows of it. */
    void discardFirst() {
        merger.discard(rows);
    }

    /** Returns all rows of a table after that window. */
    RowBatch table(WindowMerger.Taken window) {
        return merger.table(rows, window);
    }

    /**
     * Returns the packets of windows that made no rows. The next window with rows reports them as
     * lost.
     */
    public long untold() {
        return rows.losses().packets();
    }

    /** Takes over the unreported packets of a predecessor. */
    public void resume(long packetsUntold) {
        rows.losses().resume(packetsUntold);
    }

    /** Returns its state over another query's rows. */
    RowsInput input() {
        return input;
    }

    /** Returns how much of the LIMIT of a query without aggregates is used. */
    public StreamLimit limit() {
        return rows.limit();
    }

    /** Returns the outcome of the rows read by a query over another query's rows. */
    public RowCounts rowCounts() {
        return input.counts();
    }

    boolean readsRows() {
        return input.isRead();
    }

    /** Returns whether the rows of a tick with this end lie within its time. */
    boolean isActive(long endNs) {
        return endNs == Long.MAX_VALUE || endNs > gate.fromNs() && endNs <= gate.untilNs();
    }

    /**
     * Notes that windows with an end up to this time lack rows that were lost; nobody knows how
     * many.
     */
    public void lacks(long untilNs) {
        input.lacks(untilNs);
    }

    /** Returns the time before which all rows have come. */
    public long rowsAdvancedNs() {
        return input.advancedNs();
    }

    /** Returns the time when it has reported all windows with rows of this time. */
    public long neededUntilNs(long timeNs) {
        return input.neededUntilNs(timeNs);
    }

    public ReadMark readMark() {
        return new ReadMark(
                gate.fromNs(),
                gate.untilNs(),
                rows.activeFromNs(),
                input.completeness(),
                untold(),
                limit().skipped(),
                limit().passed(),
                input.advancedNs());
    }

    /**
     * Reads again the rows of an input that its predecessor had read. Windows that the predecessor
     * has reported are not reported again. The caller keeps the batch.
     *
     * @param advancedNs the predecessor's time
     */
    public void reread(int from, RowBatch batch, long advancedNs) {
        advanceSilently(advancedNs);
        input.reread(from, batch);
    }

    /** Restores the rest of the state after all rows were read again. */
    public void resume(ReadMark mark) {
        advanceSilently(mark.advancedNs());
        input.resume(mark);
        resume(mark.untold());
        limit().resume(mark.rowsSkipped(), mark.rowsPassed());
    }

    private void advanceSilently(long timeNs) {
        if (input.closeWindows(timeNs)) {
            while (isWaiting()) {
                discardFirst();
            }
        }
    }

    /**
     * Notes that all rows before that time have come. Returns whether that closed a window that is
     * due first.
     */
    boolean advanceRows(long timeNs) {
        if (!input.isNew(timeNs)) {
            return false;
        }
        boolean waitedBefore = isWaiting();
        long dueBefore = dueNs();
        input.closeWindows(timeNs);
        if (timeNs >= gate.untilNs()) {
            finishRows();
        }
        return isWaiting() && (!waitedBefore || dueNs() < dueBefore);
    }

    /** Ends a query over rows. Its open windows become its last ones. */
    public void finishRows() {
        input.finish();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onEnd.run();
            merger.leave(rows);
            input.close();
            rows.close();
        }
    }
}
