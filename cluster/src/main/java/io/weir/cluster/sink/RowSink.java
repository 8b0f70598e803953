package io.weir.cluster.sink;

import io.weir.operators.result.RowBatch;

/**
 * Where result rows go. Called by one thread at a time, with the batches of each query in the order
 * of their windows; the batch is the caller's and is gone after the call.
 */
public interface RowSink extends AutoCloseable {
    /** Takes the rows. {@link OutputClosed} when there is nobody to take them any more. */
    void accept(RowBatch batch);

    /** Passes on what is buffered. Idempotent. */
    @Override
    void close();
}
