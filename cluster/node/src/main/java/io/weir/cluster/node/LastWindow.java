package io.weir.cluster.node;

import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialWindow;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.kernel.StreamLimit;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;

/**
 * Answers SELECT from a query with a snapshot of its last closed window. It copies the latest batch
 * of the query's rows, and at the end runs the select over it. One thread at a time.
 */
public final class LastWindow implements RowSink, AutoCloseable {
    private static final long MAX_BYTES = 1L << 30;

    private final CompiledQuery select;
    private final NativeAllocator allocator = new NativeAllocator(MAX_BYTES);
    private RowBatch last;

    /**
     * @param select reads the rows of the query whose sink this is
     */
    public LastWindow(CompiledQuery select) {
        this.select = select;
    }

    @Override
    public void rows(RowBatch batch) {
        RowBatch copy = batch.copy(allocator);
        close();
        last = copy;
    }

    /** Passes the select's rows to the sink. */
    public void select(RowSink sink) {
        StreamLimit limit = select.newStreamLimit();
        try (QueryState state =
                select.newState(allocator, new ActiveInterval(), StateOptions.DEFAULT)) {
            if (last != null) {
                state.rows(last);
            }
            state.finish();
            state.eachWindow(window -> finish(window, limit, sink));
        }
    }

    private void finish(PartialWindow window, StreamLimit limit, RowSink sink) {
        try (Partial groups = window.groups();
                RowBatch finished =
                        select.finish(
                                groups,
                                window.startNs(),
                                window.endNs(),
                                RowContext.WHOLE,
                                allocator)) {
            RowBatch rows = limit.apply(finished);
            if (rows.rows() > 0) {
                sink.rows(rows);
            }
        }
    }

    @Override
    public void close() {
        if (last != null) {
            last.close();
            last = null;
        }
    }
}
