package io.weir.operators.kernel;

import io.weir.operators.result.RowBatch;

/**
 * LIMIT and OFFSET of a query without aggregates: over the whole stream of its rows, not over each
 * batch. One for each activation; one thread.
 */
public final class StreamLimit {
    private long skip;
    private long left;
    private long skipped;
    private long passed;

    StreamLimit(long offset, long limit) {
        skip = offset;
        left = limit;
    }

    /** Leaves in the batch only those of its rows that are within the limit; returns it. */
    public RowBatch apply(RowBatch batch) {
        int from = (int) Math.min(skip, batch.rows());
        int count = (int) Math.min(left, batch.rows() - from);
        skip -= from;
        left -= count;
        skipped += from;
        passed += count;
        batch.keep(from, count);
        return batch;
    }

    /** Rows that OFFSET has taken so far. */
    public long skipped() {
        return skipped;
    }

    /** Rows that LIMIT has let pass so far. */
    public long passed() {
        return passed;
    }

    /** Goes on where another has left off. */
    public void resume(long rowsSkipped, long rowsPassed) {
        skip -= rowsSkipped;
        left -= rowsPassed;
        skipped = rowsSkipped;
        passed = rowsPassed;
    }
}
