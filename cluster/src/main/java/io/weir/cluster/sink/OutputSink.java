package io.weir.cluster.sink;

import io.weir.operators.result.RowSink;

/**
 * Where rows leave the process. {@link OutputClosed} is thrown when there is nobody to take them
 * any more.
 */
public interface OutputSink extends RowSink, AutoCloseable {
    /** A query's rows have ended: it was dropped. Any thread. */
    default void dropped(String query) {}

    /** The input has ended, and every row was given. */
    default void end() {}

    /** Passes on what is buffered. Idempotent. */
    @Override
    void close();
}
