package io.weir.operators.result;

/**
 * Who reads the rows of a keyed table: all of them, whenever it has changed. The results' thread.
 */
public interface TableReader {
    /**
     * The whole table as it is now.
     *
     * @param table stays the caller's; without rows where the table has none
     * @param by whose rows they are, where totals are counted twice
     */
    void table(RowBatch table, Activation.Output by);

    /** The table has changed, and there is no memory for its rows. */
    void unmade(long endNs, Activation.Output by);

    /** Whether it wants the table at each tick, and not only at the end of a finite input. */
    boolean wantsTicks();

    /** One that passes the table on, and where there is none, nothing. */
    static TableReader of(RowSink sink) {
        return new TableReader() {
            @Override
            public void table(RowBatch table, Activation.Output by) {
                sink.rows(table);
            }

            @Override
            public void unmade(long endNs, Activation.Output by) {}

            @Override
            public boolean wantsTicks() {
                return false;
            }
        };
    }
}
