package io.weir.cluster.sink;

import io.weir.operators.result.RowSink;

/**
 * Where rows leave the process. {@link OutputClosed} is thrown when there is nobody to take them
 * any more.
 */
public interface OutputSink extends RowSink, AutoCloseable {
    /** Passes on what is buffered. Idempotent. */
    @Override
    void close();
}
