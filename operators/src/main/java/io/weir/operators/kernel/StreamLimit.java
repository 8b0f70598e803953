package io.weir.operators.kernel;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.RowBatch;

/**
 * LIMIT and OFFSET of a query without aggregates: over the whole stream of its rows, not over each
 * batch. One for each activation; one thread.
 */
public final class StreamLimit {
    private long skip;
    private long left;

    StreamLimit(long offset, long limit) {
        skip = offset;
        left = limit;
    }

    /**
     * The rows of the batch that are within the limit. Takes the batch over: the result is it, or
     * another in its place.
     */
    public RowBatch apply(RowBatch batch, NativeAllocator allocator) {
        int from = (int) Math.min(skip, batch.rows());
        int count = (int) Math.min(left, batch.rows() - from);
        skip -= from;
        left -= count;
        if (from == 0) {
            batch.truncate(count);
            return batch;
        }
        RowBatch rest =
                new RowBatch(
                        batch.query(),
                        batch.layout(),
                        batch.windowStartNs(),
                        batch.windowEndNs(),
                        count,
                        allocator);
        if (count > 0) {
            long bytes = (long) count * batch.layout().strideBytes();
            Memory.copy(batch.address(from), rest.address(0), bytes);
        }
        batch.close();
        return rest;
    }

    /** Whether no further row can pass. */
    public boolean isReached() {
        return left == 0;
    }
}
