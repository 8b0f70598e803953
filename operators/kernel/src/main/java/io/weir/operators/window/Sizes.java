package io.weir.operators.window;

/**
 * Remembers the number of groups in the tables of a query's last closed pane on one pipeline. The
 * next pane's tables are made as large and need not grow. One activation passes it to the next. The
 * pipeline's thread.
 */
public final class Sizes {
    private int[] groups = new int[0];

    /** Returns the number of groups to expect; 0 if nothing is known. */
    int of(int table) {
        return table < groups.length ? groups[table] : 0;
    }

    /** Learns from a pane that closes. */
    void learn(Tables pane) {
        if (groups.length != pane.count()) {
            groups = new int[pane.count()];
        }
        for (int t = 0; t < groups.length; t++) {
            groups[t] = pane.table(t) == null ? 0 : pane.table(t).size();
        }
        pane.expect(null);
    }
}
