package io.weir.operators.kernel;

import io.weir.operators.rows.RowBatch;

/** A compiled condition over the rows that a query emits: true only where SQL says true. */
public interface RowPredicate {
    boolean test(RowBatch batch, int row);
}
