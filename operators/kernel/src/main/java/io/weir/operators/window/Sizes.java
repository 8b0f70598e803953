package io.weir.operators.window;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

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

    /** Learns the number of groups in each table of a pane that closes. */
    void learn(int tables, IntUnaryOperator groupsOf) {
        if (groups.length != tables) {
            groups = new int[tables];
        }
        Arrays.setAll(groups, groupsOf);
    }
}
