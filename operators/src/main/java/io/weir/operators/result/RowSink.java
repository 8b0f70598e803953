package io.weir.operators.result;

/** Where a query's rows go. Called on the results' thread, a batch at a time, in window order. */
@FunctionalInterface
public interface RowSink {
    /** The batch has a row at least; it stays the caller's, and is freed when this returns. */
    void rows(RowBatch batch);
}
