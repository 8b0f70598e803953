package io.weir.cluster.sink;

import io.weir.operators.result.RowBatch;
import io.weir.operators.result.RowSink;

/**
 * Where rows leave the process. {@link OutputClosed} is thrown when there is nobody to take them
 * any more.
 */
public interface OutputSink extends RowSink, AutoCloseable {
    /**
     * Rows that one of several writers has made, where a window's rows come from several.
     *
     * @param part who: a group's rows are always of the same one, and each one's windows in order
     */
    default void rows(RowBatch batch, String part) {
        rows(batch);
    }

    /**
     * The number, in the query's topic, of the first row that is not kept here; 0 where nobody
     * counts. Before any of its rows.
     */
    default long next(String query) {
        return 0;
    }

    /** All of a query's rows before that number were given. */
    default void reached(String query, long next) {}

    /** A query's rows have ended: it was dropped. Any thread. */
    default void dropped(String query) {}

    /** The input has ended, and every row was given. */
    default void end() {}

    /** Passes on what is buffered. Idempotent. */
    @Override
    void close();
}
