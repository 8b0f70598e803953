package io.weir.operators.result;

import io.weir.operators.error.WeirException;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.OverHistory;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The rows of earlier windows that OVER needs in an activation. The results' thread. */
final class EarlierRows implements AutoCloseable {
    private final Optional<OverHistory> history;
    private LongConsumer onForgotten = partitions -> {};

    EarlierRows(CompiledQuery code, NativeAllocator allocator) {
        history = code.newHistory(allocator);
    }

    void onForgotten(LongConsumer action) {
        onForgotten = action;
    }

    void tellForgotten(long count) {
        if (count > 0) {
            onForgotten.accept(count);
        }
    }

    /** Returns the facts about a window together with the rows before it. */
    RowContext before(RowContext window) {
        return window.after(history);
    }

    /**
     * Counts the partitions that went for want of memory while these rows were made.
     *
     * @throws WeirException BUDGET_EXCEEDED if the query shall rather end; the rows are closed
     */
    void tell(RowBatch rows) {
        try {
            tellForgotten(history.map(OverHistory::takeForgotten).orElse(0L));
        } catch (WeirException ends) {
            rows.close();
            throw ends;
        }
    }

    @Override
    public void close() {
        history.ifPresent(OverHistory::close);
    }
}
