package io.weir.operators.kernel;

import io.weir.operators.result.RowBatch;

/**
 * LIMIT and OFFSET of a query without aggregates: over the whole stream of its rows, not over each
 * batch. One for each activation; one thread.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class StreamLimit {
    StreamLimit() {}

    /** The rows of the batch that are within the limit; the batch given is closed if another. */
    public RowBatch apply(RowBatch batch) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** Whether no further row can pass. */
    public boolean isReached() {
        throw new UnsupportedOperationException("in the next slice");
    }
}
