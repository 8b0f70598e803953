package io.weir.operators.kernel;

import io.weir.operators.rows.RowBatch;

/**
 * LIMIT and OFFSET of a query without aggregates. They count over the whole stream of rows, not
 * over each batch. One for each activation; one thread.
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

    /** Keeps only the rows of the batch that are within the limit. Returns the batch. */
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

    /** Returns the number of rows that OFFSET has skipped so far. */
    public long skipped() {
        return skipped;
    }

    /** Returns the number of rows that LIMIT has let pass so far. */
    public long passed() {
        return passed;
    }

    /** Continues from the counts of another limit. */
    public void resume(long rowsSkipped, long rowsPassed) {
        skip -= rowsSkipped;
        left -= rowsPassed;
        skipped = rowsSkipped;
        passed = rowsPassed;
    }
}
