package io.weir.operators.window;

/**
 * How many groups the tables of a query's panes had on one pipeline, when one closed last: the next
 * is made as large as that, and need not grow from nothing. It goes over from one activation to the
 * next. The pipeline's thread.
 */
public final class Sizes {
    private int[] groups = new int[0];

    /** How many groups to expect; 0 where nothing is known. */
    int of(int table) {
        return table < groups.length ? groups[table] : 0;
    }

    /** A pane closes; it is another's soon. */
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
