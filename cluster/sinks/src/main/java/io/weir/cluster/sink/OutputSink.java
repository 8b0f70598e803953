package io.weir.cluster.sink;

import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;

/**
 * Takes rows out of the process. It throws {@link OutputClosed} when nobody can take them any more.
 */
public interface OutputSink extends RowSink, AutoCloseable {
    /**
     * Takes rows of one of several writers, if a window's rows come from several.
     *
     * @param part the writer: a group's rows always come from the same one, and each one's windows
     *     in order
     */
    default void rows(RowBatch batch, String part) {
        rows(batch);
    }

    /**
     * Returns the number, in the query's topic, of the first row that is not stored here; 0 if
     * nobody counts. It is called before any of its rows.
     */
    default long next(String query) {
        return 0;
    }

    /** Is told that all of a query's rows before that number were given. */
    default void reached(String query, long next) {}

    /** Is told that a query was dropped, and its rows have ended. Any thread. */
    default void dropped(String query) {}

    /** Is told that the input has ended, and every row was given. */
    default void end() {}

    /** Passes on the buffered rows. Idempotent. */
    @Override
    void close();
}
