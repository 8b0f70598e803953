package io.weir.operators.result;

import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;

/** Reads a keyed table: all rows, whenever the table has changed. The results' thread. */
public interface TableReader {
    /**
     * Takes the whole table as it is now.
     *
     * @param table the caller keeps it; without rows if the table has none
     * @param by the receivers of these rows, if totals are counted twice
     */
    void table(RowBatch table, Receivers by);

    /** Notes that the table has changed, and there is no memory for its rows. */
    void unmade(long endNs, Receivers by);

    /**
     * Returns whether it wants the table at each tick, and not only at the end of a finite input.
     */
    boolean wantsTicks();

    /** Returns a reader that passes the table on. It does nothing if there is no memory. */
    static TableReader of(RowSink sink) {
        return new TableReader() {
            @Override
            public void table(RowBatch table, Receivers by) {
                sink.rows(table);
            }

            @Override
            public void unmade(long endNs, Receivers by) {}

            @Override
            public boolean wantsTicks() {
                return false;
            }
        };
    }
}
