package io.weir.operators.kernel;

import io.weir.operators.graph.SymbolSet;

/** The base class of generated finishers, which turn a group into a result row. Any thread. */
public abstract class Finisher {
    /** HAVING. */
    public abstract boolean keeps(
            long entry, long windowStartNs, long windowEndNs, RowContext context);

    /**
     * Writes the projection to a row of zeros.
     *
     * @param texts keeps the texts that it computes
     */
    public abstract void write(
            long entry,
            long row,
            SymbolSet texts,
            long windowStartNs,
            long windowEndNs,
            RowContext context);
}
