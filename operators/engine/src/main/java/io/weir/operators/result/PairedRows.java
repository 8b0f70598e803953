package io.weir.operators.result;

import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.util.function.Consumer;

/** The pairs of one window on their way to a query, some thousands at a time. One thread. */
final class PairedRows implements AutoCloseable {
    private static final int MOST_ROWS = 8_192;

    private final CompiledQuery code;
    private final RowLayout layout;
    private final long startNs;
    private final long endNs;
    private final NativeAllocator allocator;
    private final Consumer<RowBatch> out;
    private RowBatch batch;
    private int rows;

    PairedRows(
            CompiledQuery code,
            long startNs,
            long endNs,
            NativeAllocator allocator,
            Consumer<RowBatch> out) {
        this.code = code;
        this.startNs = startNs;
        this.endNs = endNs;
        this.allocator = allocator;
        this.out = out;
        layout = code.combinedLayout();
    }

    /** Returns the address of the next row, without NULLs. {@link #keep} takes it. */
    long next() {
        if (batch == null) {
            batch = new RowBatch(code.query(), layout, startNs, endNs, MOST_ROWS, allocator);
            rows = 0;
        }
        long row = batch.address(rows);
        SideColumns.clearNulls(row, layout);
        return row;
    }

    /** Returns whether the next row meets a condition. */
    boolean meets(RowPredicate condition) {
        return condition.test(batch, rows);
    }

    void keep() {
        rows++;
        if (rows == MOST_ROWS) {
            flush();
        }
    }

    private void flush() {
        if (batch != null) {
            try (RowBatch made = batch) {
                batch = null;
                made.keep(0, rows);
                out.accept(made);
            }
        }
    }

    /** Passes the last rows on. */
    @Override
    public void close() {
        flush();
    }
}
