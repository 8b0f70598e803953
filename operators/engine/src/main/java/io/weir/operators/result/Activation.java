package io.weir.operators.result;

import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.Shortlist;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.kernel.StreamLimit;
import io.weir.operators.kernel.TopKAccount;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.List;
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

    private final CompiledQuery code;
    private final ActiveInterval gate;
    private final long activeFromNs;
    private final Output output;
    private final NativeAllocator allocator;
    private final StreamLimit limit;
    private final WindowMerger merger;
    private final RowsInput input;
    private final UntoldLosses losses = new UntoldLosses();
    private Runnable onEnd = () -> {};
    private Consumer<TopKAccount> onKept = kept -> {};
    private LongConsumer onSumsBeyond = sums -> {};
    private long lastStartNs = Long.MAX_VALUE;
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
            Output output,
            WindowMerger merger,
            NativeAllocator allocator) {
        this.code = code;
        this.gate = gate;
        this.activeFromNs = activeFromNs;
        this.output = output;
        this.allocator = allocator;
        this.merger = merger;
        limit = code.newStreamLimit();
        input = RowsInput.none(merger);
        merger.join(this);
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
        merger = RowsInput.merger(code, options, allocator);
        input = RowsInput.of(code, gate, options, merger, allocator);
        merger.join(this);
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
        losses.countedBy(packets);
    }

    void tell(TopKAccount kept) {
        onKept.accept(kept);
    }

    public ActiveInterval gate() {
        return gate;
    }

    public WindowMerger merger() {
        return merger;
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
        return closed || (merger.isFinished() || over) && !isWaiting();
    }

    boolean isWaiting() {
        return merger.isWaiting(this);
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
        return Math.min(merger.firstEndNs(this), cutNs);
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
        return new PartialExporter.Departing(
                code, gate.fromNs(), gate.untilNs(), activeFromNs, output);
    }

    /** Returns the rows of the earliest window, perhaps none. The caller closes them. */
    WindowMerger.Taken removeFirst() {
        return merger.take(this);
    }

    /**
     * Returns the packets of windows that made no rows. The next window with rows reports them as
     * lost.
     */
    public long untold() {
        return losses.packets();
    }

    /** Takes over the unreported packets of a predecessor. */
    public void resume(long packetsUntold) {
        losses.resume(packetsUntold);
    }

    /**
     * Notes that a window makes no rows. It may also have read rows, and nobody knows how many
     * packets those had.
     */
    void unmade(long packets) {
        losses.unmade(packets);
        input.unmade();
    }

    /** Returns the losses that it has to report. */
    UntoldLosses losses() {
        return losses;
    }

    /** Returns its state over another query's rows. */
    RowsInput input() {
        return input;
    }

    /** Returns how much of the LIMIT of a query without aggregates is used. */
    public StreamLimit limit() {
        return limit;
    }

    CompiledQuery code() {
        return code;
    }

    RowBatch finish(List<Partial> parts, long startNs, long endNs, RowContext context) {
        RowContext bound = context.of(gate.bindings());
        return finished(code.finish(parts, startNs, endNs, bound, allocator), context);
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
        if (gate.bindings().isPresent()) {
            return input.isPartial(); // each binding has an interval of its own
        }
        boolean late = activeFromNs != RowContext.ALWAYS && startNs < activeFromNs;
        return late || startNs < gate.fromNs() || endNs > gate.untilNs() || input.isPartial();
    }

    private RowBatch finished(RowBatch rows, RowContext context) {
        RowBatch batch = limit.apply(rows);
        batch.partial(batch.partial() || context.isPartial());
        double most = input.takeCompleteness(batch.windowEndNs());
        batch.completeness(Math.min(context.completeness(), most));
        return batch;
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
                activeFromNs,
                input.completeness(),
                losses.packets(),
                limit.skipped(),
                limit.passed(),
                input.advancedNs());
    }

    /**
     * Reads again the rows that its predecessor had read. Windows that the predecessor has reported
     * are not reported again. The caller keeps the batch.
     *
     * @param advancedNs the predecessor's time
     */
    public void reread(RowBatch batch, long advancedNs) {
        advanceSilently(advancedNs);
        input.reread(batch);
    }

    /** Restores the rest of the state after all rows were read again. */
    public void resume(ReadMark mark) {
        advanceSilently(mark.advancedNs());
        input.resume(mark);
        losses.resume(mark.untold());
        limit.resume(mark.rowsSkipped(), mark.rowsPassed());
    }

    private void advanceSilently(long timeNs) {
        if (input.closeWindows(timeNs)) {
            while (isWaiting()) {
                merger.discard(this);
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
            merger.leave(this);
            input.close();
        }
    }
}
