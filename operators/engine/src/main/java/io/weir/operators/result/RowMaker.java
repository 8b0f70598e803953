package io.weir.operators.result;

import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.Shortlist;
import io.weir.operators.kernel.StreamLimit;
import io.weir.operators.kernel.TopKAccount;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Makes the rows of one activation from its windows. It knows the losses that the rows report, and
 * how much of LIMIT is used. A {@link WindowMerger} keeps a window until each of its row makers has
 * taken it. The results' thread only.
 */
final class RowMaker implements AutoCloseable {
    private final CompiledQuery code;
    private final ActiveInterval gate;
    private final long activeFromNs;
    private final Receivers output;
    private final ReadCompleteness read;
    private final NativeAllocator allocator;
    private final StreamLimit limit;
    private final PendingLosses losses = new PendingLosses();
    private final EarlierRows earlier;
    private Consumer<TopKAccount> onKept = kept -> {};
    private LongConsumer onSumsBeyond = sums -> {};
    private long lastStartNs = Long.MAX_VALUE;

    /**
     * @param activeFromNs the value for its rows; {@link RowContext#ALWAYS}: they have counted all
     * @param read of the rows from which the windows were made
     */
    RowMaker(
            CompiledQuery code,
            ActiveInterval gate,
            long activeFromNs,
            Receivers output,
            ReadCompleteness read,
            NativeAllocator allocator) {
        this.code = code;
        this.gate = gate;
        this.activeFromNs = activeFromNs;
        this.output = output;
        this.read = read;
        this.allocator = allocator;
        limit = code.newStreamLimit();
        earlier = new EarlierRows(code, allocator);
    }

    CompiledQuery code() {
        return code;
    }

    Receivers output() {
        return output;
    }

    long activeFromNs() {
        return activeFromNs;
    }

    StreamLimit limit() {
        return limit;
    }

    /** Returns the losses that it has to report. */
    PendingLosses losses() {
        return losses;
    }

    void onKept(Consumer<TopKAccount> action) {
        onKept = action;
    }

    void onSumsBeyond(LongConsumer action) {
        onSumsBeyond = action;
    }

    void onForgotten(LongConsumer action) {
        earlier.onForgotten(action);
    }

    /** Tells of groups that could not go over to the next window. */
    void tellForgotten(long groups) {
        earlier.tellForgotten(groups);
    }

    void tell(TopKAccount kept) {
        onKept.accept(kept);
    }

    void tellSums(List<Partial> parts) {
        long beyond = code.sumsBeyond(parts);
        if (beyond > 0) {
            onSumsBeyond.accept(beyond);
        }
    }

    /** Takes no windows that start at this time or later. */
    void retire(long fromStartNs) {
        lastStartNs = fromStartNs;
    }

    boolean wants(long windowStartNs) {
        return windowStartNs < lastStartNs;
    }

    PartialExporter.Departing departing() {
        return new PartialExporter.Departing(
                code, gate.fromNs(), gate.untilNs(), activeFromNs, output, gate.bindings());
    }

    /**
     * Notes that a window makes no rows. It may also have read rows, and nobody knows how many
     * packets those had.
     */
    void unmade(long packets) {
        losses.unmade(packets);
        read.unmade();
    }

    /** Returns whether it misses a part of this time. */
    boolean lacks(long startNs, long endNs) {
        if (gate.bindings().isPresent()) {
            return read.isPartial(); // each binding has an interval of its own
        }
        boolean late = activeFromNs != RowContext.ALWAYS && startNs < activeFromNs;
        return late || startNs < gate.fromNs() || endNs > gate.untilNs() || read.isPartial();
    }

    RowBatch finish(List<Partial> parts, long startNs, long endNs, RowContext context) {
        RowContext bound = earlier.before(context.of(gate.bindings()));
        return finished(code.finish(parts, startNs, endNs, bound, allocator), context);
    }

    RowBatch finish(Shortlist list, long startNs, long endNs, RowContext context) {
        RowContext bound = earlier.before(context);
        return finished(code.finish(list, startNs, endNs, bound, allocator), context);
    }

    private RowBatch finished(RowBatch rows, RowContext context) {
        earlier.tell(rows);
        RowBatch batch = limit.apply(rows);
        batch.partial(batch.partial() || context.isPartial());
        double most = read.take(batch.windowEndNs());
        batch.completeness(Math.min(context.completeness(), most));
        return batch;
    }

    /** Returns rows for all groups, as they are after that tick was added to the totals. */
    RowBatch finishTable(Partial totals, RowBatch tick, RowContext context) {
        RowBatch table =
                code.finish(
                        List.of(totals),
                        tick.windowStartNs(),
                        tick.windowEndNs(),
                        context,
                        allocator);
        table.completeness(tick.completeness());
        return table;
    }

    @Override
    public void close() {
        earlier.close();
    }
}
