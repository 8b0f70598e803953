package io.weir.operators.rows;

/**
 * Takes a query's rows. It is called on the results' thread, a batch at a time, in window order.
 */
@FunctionalInterface
public interface RowSink {
    /** Takes a batch with at least one row. The caller keeps the batch and frees it afterwards. */
    void rows(RowBatch batch);
}
