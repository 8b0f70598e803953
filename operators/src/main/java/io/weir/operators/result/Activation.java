package io.weir.operators.result;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.Kept;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialSink;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.Shortlist;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.kernel.StreamLimit;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * A query from when it begins to count until it stops: for ever, or from one firing of its WHEN
 * until its UNTIL or FOR. It makes rows of the windows of a {@link Gathering}, its own or one that
 * it shares. The results' thread only, but for {@link #gate}.
 */
public final class Activation implements AutoCloseable {
    /** What becomes of its rows. */
    public enum Output {
        SINKS,
        READERS,
        ALL
    }

    /** Losses that wait for a window, each by its time; beyond, the oldest two become one. */
    private static final int MOST_LOSSES = 64;

    private final CompiledQuery code;
    private final Gate gate;
    private final long activeFromNs;
    private final Output output;
    private final NativeAllocator allocator;
    private final StreamLimit limit;
    private final Gathering gathering;
    private final QueryState rowState;

    /** Of an aggregate over a keyed table; null of any other. */
    private final TableGroups tableGroups;

    private final TableProjection projection;
    private Runnable onEnd = () -> {};
    private Consumer<Kept> onKept = kept -> {};
    private LongConsumer onSumsBeyond = sums -> {};
    private long rowsAdvancedNs = Long.MIN_VALUE;
    private long lastStartNs = Long.MAX_VALUE;
    private long retiredNs = Long.MAX_VALUE;

    /** The least of what was read since the window before: then rows of it are not whole either. */
    private double completenessRead = 1;

    private long lacksUntilNs = Long.MIN_VALUE;

    /** Whether a window that was read since the window before was seen in part. */
    private boolean partialRead;

    private long untold;
    private long untoldLate;

    /** Packets that are lost, by the time up to which windows were told when that was known. */
    private final TreeMap<Long, Long> lost = new TreeMap<>();

    /** Null where the source does not count its packets by their times. */
    private UntoldPackets counted;

    private long toldUntilNs = Long.MIN_VALUE;
    private boolean closed;

    /**
     * Of a query over packets.
     *
     * @param code over the gathering's groups
     * @param activeFromNs what its rows say; {@link RowContext#ALWAYS}: they have counted all
     */
    public Activation(
            CompiledQuery code,
            Gate gate,
            long activeFromNs,
            Output output,
            Gathering gathering,
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

    /** Of a query over another query's rows: its state runs on the results' thread. */
    public Activation(
            CompiledQuery code,
            Gate gate,
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
        gathering = new Gathering(code, 1, remakes ? atOnce : options, allocator);
        rowState = remakes ? null : code.newState(allocator, gate, options, new Direct());
        tableGroups = remakes ? new TableGroups(code, gate, options, allocator, gathering) : null;
        projection = overTable && !aggregates ? new TableProjection(code, atOnce, allocator) : null;
        gathering.join(this);
    }

    /** Windows of a state that runs on this thread. */
    private final class Direct implements PartialSink {
        @Override
        public void closed(QueryState state, long startNs, long endNs, Partial partial) {
            gathering.add(new ClosedWindow(gathering, 0, startNs, endNs, partial, Losses.NONE, 0));
        }
    }

    /** What to do once, when this ends or is closed. */
    public void onEnd(Runnable action) {
        onEnd = action;
    }

    /** Where to tell, of each window that it takes, what was left out of its groups. */
    public void onKept(Consumer<Kept> action) {
        onKept = action;
    }

    /** Where to tell, of each window of which it makes rows, how many sums have left 64 bits. */
    public void onSumsBeyond(LongConsumer action) {
        onSumsBeyond = action;
    }

    void tellSums(List<Partial> parts) {
        long beyond = code.sumsBeyond(parts);
        if (beyond > 0) {
            onSumsBeyond.accept(beyond);
        }
    }

    /** Where the source counts its packets by their times, and windows leave late ones out. */
    public void countedBy(UntoldPackets packets) {
        counted = packets;
    }

    /** Of the earliest windows without rows, and of this one what no pipeline tells. */
    Losses untoldLosses(long endNs) {
        long late = untoldLate + (counted == null ? 0 : counted.late(endNs));
        return Losses.of(untold).plus(Losses.late(late));
    }

    /** Packets of a window that queries were given. */
    long ran(WaitingWindow window) {
        return counted == null
                ? window.processed
                : Math.max(0, counted.inTime(window.endNs) - window.losses.lost() - untold);
    }

    void tell(Kept kept) {
        onKept.accept(kept);
    }

    public Gate gate() {
        return gate;
    }

    public Gathering gathering() {
        return gathering;
    }

    public Output output() {
        return output;
    }

    long activeFromNs() {
        return activeFromNs;
    }

    /**
     * Takes no window that starts at this time or later, and ends by itself when all before it have
     * passed.
     *
     * @param passedNs when that is
     */
    public void retire(long fromStartNs, long passedNs) {
        lastStartNs = fromStartNs;
        retiredNs = passedNs;
    }

    boolean wants(long windowStartNs) {
        return windowStartNs < lastStartNs;
    }

    /**
     * Whether nothing can come of it any more.
     *
     * @param passedNs the time that all pipelines have passed
     */
    boolean isEnded(long passedNs) {
        return closed || (gathering.isFinished() || passedNs >= retiredNs) && !isWaiting();
    }

    boolean isWaiting() {
        return gathering.isWaiting(this);
    }

    /**
     * When the earliest window is due: at its end, or at the activation's if that is earlier;
     * MAX_VALUE when none waits.
     */
    long dueNs() {
        if (!isWaiting()) {
            return Long.MAX_VALUE;
        }
        // While one pipeline's state has not ended, the others' part is not all there is.
        long cutNs = holdsAtNs() == Long.MAX_VALUE ? gate.untilNs() : Long.MAX_VALUE;
        return Math.min(gathering.firstEndNs(this), cutNs);
    }

    /**
     * Up to when all may pass while its states on pipelines have not ended: any row that can renew
     * FOR has been tested then. MAX_VALUE where nothing is to be waited for.
     */
    long holdsAtNs() {
        return closed || readsRows() ? Long.MAX_VALUE : gathering.holdsAtNs(gate.untilNs());
    }

    /** Whether it ends later than when this was asked before; never where no end is known. */
    boolean isRenewed() {
        long untilNs = gate.untilNs();
        boolean later = untilNs > toldUntilNs && untilNs < Long.MAX_VALUE;
        toldUntilNs = untilNs;
        return later;
    }

    Departure.Departing departing() {
        return new Departure.Departing(code, gate.fromNs(), gate.untilNs(), activeFromNs, output);
    }

    /** The rows of the earliest window, which may be none; the caller's to close. */
    Gathering.Taken removeFirst() {
        return gathering.take(this);
    }

    /** Packets of windows that made no rows: the next that has some tells them as lost. */
    public long untold() {
        return untold;
    }

    /** As another had them, whose place this one takes. */
    public void resume(long packetsUntold) {
        untold = packetsUntold;
    }

    /** A window makes no rows. Nobody knows how many packets were in the rows that one has read. */
    void unmade(long packets) {
        untold += packets;
        completenessRead = readsRows() ? 0 : completenessRead;
    }

    /** Packets are lost: the first window that ends after this time, and has rows, tells them. */
    void lost(long sinceNs, long packets) {
        lost.merge(sinceNs, packets, Long::sum);
        if (lost.size() > MOST_LOSSES) {
            long oldest = lost.pollFirstEntry().getValue();
            lost.merge(lost.firstKey(), oldest, Long::sum);
        }
    }

    /** The window that ends then is told now. */
    void due(long endNs) {
        while (!lost.isEmpty() && lost.firstKey() < endNs) {
            untold += lost.pollFirstEntry().getValue();
        }
    }

    /** A window that ends then has rows. */
    void told(long endNs) {
        untold = 0;
        untoldLate = 0;
        if (counted != null) {
            counted.told(endNs);
        }
    }

    /** A window without rows knows of late packets. */
    void untoldLate(long packets) {
        untoldLate += packets;
    }

    /** Of a query without aggregates: how much of its LIMIT is used up. */
    public StreamLimit limit() {
        return limit;
    }

    CompiledQuery code() {
        return code;
    }

    RowBatch finish(List<Partial> parts, long startNs, long endNs, RowContext context) {
        return finished(code.finish(parts, startNs, endNs, context, allocator), context);
    }

    /** All groups as they are when that window has been added to the totals. */
    RowBatch finishTable(Partial totals, Gathering.Taken window) {
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

    /** Whether it does not count for all of this time. */
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
        completenessRead = tableGroups == null ? 1 : completenessRead; // a table keeps its holes
        return batch;
    }

    /** Of a query over another query's rows: what became of those that it has read. */
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

    /** Reads a whole table, in place of what it has read before. */
    void table(RowBatch table) {
        if (!gathering.isFinished()) {
            double room = tableGroups.table(table);
            completenessRead = Math.min(completenessRead, Math.min(room, table.completeness()));
        }
    }

    /** There is no memory for the rows of the table. */
    void tableUnmade(long endNs) {
        if (!gathering.isFinished()) {
            tableGroups.unmade(endNs);
        }
    }

    /** What a query without aggregates makes of a whole table; the caller's to close. */
    RowBatch project(RowBatch table) {
        return projection.of(table);
    }

    /** Whether rows of a tick that ends then are of its time. */
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

    /** Windows that end by then lack rows that were read and are lost; nobody knows how many. */
    public void lacks(long untilNs) {
        lacksUntilNs = Math.max(lacksUntilNs, untilNs);
    }

    /** All rows of before that time have come. */
    public long rowsAdvancedNs() {
        return rowsAdvancedNs;
    }

    /** When it has said all windows that rows of this time are in. */
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
     * Reads rows again that another had read whose place this one takes; what that has said of them
     * is not said again. The batch stays the caller's.
     *
     * @param advancedNs what had come then
     */
    public void reread(RowBatch batch, long advancedNs) {
        advanceSilently(advancedNs);
        rowState.rows(batch);
    }

    /** As it was, after all rows were read again. */
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
        while (isWaiting()) {
            gathering.discard(this);
        }
    }

    /** All rows of before that time have come; whether that closed a window before all others. */
    boolean advanceRows(long timeNs) {
        if (gathering.isFinished() || timeNs <= rowsAdvancedNs) {
            return false;
        }
        rowsAdvancedNs = timeNs;
        boolean waitedBefore = isWaiting();
        long dueBefore = dueNs();
        if (rowState != null) {
            rowState.advance(timeNs);
        }
        if (timeNs >= gate.untilNs()) {
            finishRows();
        }
        return isWaiting() && (!waitedBefore || dueNs() < dueBefore);
    }

    /** The end of a query over rows: what is open becomes its last windows. */
    public void finishRows() {
        if (!gathering.isFinished()) {
            gathering.finished();
            if (rowState != null) {
                rowState.finish();
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
