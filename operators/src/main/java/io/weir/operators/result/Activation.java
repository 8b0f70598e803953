package io.weir.operators.result;

import io.weir.operators.graph.PartitionKey;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Gate;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialSink;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.RunningTotals;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;

/**
 * A query from when it begins to count until it stops: for ever, or from one firing of its WHEN
 * until its UNTIL or FOR. The results' thread only, but for {@link #gate}.
 */
public final class Activation implements AutoCloseable {
    /** What becomes of its rows. */
    public enum Output {
        SINKS,
        READERS,
        ALL
    }

    private final Gate gate;
    private final Output output;
    private final WindowMerge merge;
    private final QueryState rowState;
    private Runnable onEnd = () -> {};
    private int unfinished;
    private long rowsAdvancedNs = Long.MIN_VALUE;
    private boolean closed;

    /**
     * @param pipelines how many pipelines its partials come from; of a query over another query's
     *     rows 1
     * @param options with ticks, where the totals shall come so
     */
    public Activation(
            CompiledQuery code,
            Gate gate,
            int pipelines,
            StateOptions options,
            Output output,
            NativeAllocator allocator) {
        this.gate = gate;
        this.output = output;
        this.unfinished = pipelines;
        RunningTotals totals =
                options.tickNs() > 0 && QueryShape.isTotals(code.query())
                        ? code.newTotals(allocator, options)
                        : null;
        long activeFromNs = code.query().when().isPresent() ? gate.fromNs() : RowContext.ALWAYS;
        boolean merges = pipelines > 1 && PartitionKey.DEFAULT.splitsGroups(code.query());
        merge = new WindowMerge(code, pipelines, merges, activeFromNs, totals, allocator);
        rowState =
                code.query().readsPackets()
                        ? null
                        : code.newState(allocator, gate, options, new Direct());
    }

    /** Windows of a state that runs on this thread. */
    private final class Direct implements PartialSink {
        @Override
        public void closed(QueryState state, long startNs, long endNs, Partial partial) {
            add(new ClosedWindow(Activation.this, 0, startNs, endNs, partial, 0, 0));
        }
    }

    public Gate gate() {
        return gate;
    }

    Output output() {
        return output;
    }

    /** What to do once, when this ends or is closed. */
    public void onEnd(Runnable action) {
        onEnd = action;
    }

    /** Takes over a window; one that comes after {@link #close} is freed unseen. */
    public void add(ClosedWindow window) {
        if (window.isLast()) {
            unfinished--;
        } else if (closed) {
            window.partial().close();
        } else {
            merge.add(window);
        }
    }

    /** Whether nothing can come of it any more. */
    boolean isEnded() {
        return closed || unfinished == 0 && merge.isEmpty();
    }

    boolean isWaiting() {
        return !merge.isEmpty();
    }

    /**
     * When the earliest window is due: at its end, or at the activation's if that is earlier;
     * MAX_VALUE when none waits.
     */
    long dueNs() {
        return merge.isEmpty() ? Long.MAX_VALUE : Math.min(merge.firstEndNs(), gate.untilNs());
    }

    RowBatch removeFirst() {
        return merge.removeFirst();
    }

    /** The state of a query over another query's rows, for its counts; else null. */
    public QueryState rowState() {
        return rowState;
    }

    boolean readsRows() {
        return rowState != null;
    }

    /** Runs over another query's rows. */
    void rows(RowBatch batch) {
        if (unfinished > 0) {
            rowState.rows(batch);
        }
    }

    /** All rows of before that time have come; whether that closed a window before all others. */
    boolean advanceRows(long timeNs) {
        if (unfinished == 0 || timeNs <= rowsAdvancedNs) {
            return false;
        }
        rowsAdvancedNs = timeNs;
        boolean waitedBefore = isWaiting();
        long dueBefore = dueNs();
        rowState.advance(timeNs);
        if (timeNs >= gate.untilNs()) {
            unfinished = 0;
            rowState.finish();
        }
        return isWaiting() && (!waitedBefore || dueNs() < dueBefore);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onEnd.run();
            merge.close();
            if (rowState != null) {
                rowState.close();
            }
        }
    }
}
