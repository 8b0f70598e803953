package io.weir.operators.window;

import io.weir.operators.map.FlatMap;
import java.util.Arrays;

/**
 * What a kernel has collected for a pane and not yet put into its tables: keys and values of so
 * many entries, in columns of longs whose meaning is the kernel's. Empty between two runs.
 */
public final class Batch {
    /** Entries that fit. */
    public static final int SIZE = FlatMap.BATCH;

    private long[][] columns = new long[8][];
    private int entries;

    /** A column, made when it is first asked for. */
    public long[] column(int index) {
        if (index >= columns.length) {
            columns = Arrays.copyOf(columns, Math.max(index + 1, columns.length * 2));
        }
        if (columns[index] == null) {
            columns[index] = new long[SIZE];
        }
        return columns[index];
    }

    /** All columns made so far. */
    public long[][] columns() {
        return columns;
    }

    public int entries() {
        return entries;
    }

    public void entries(int count) {
        entries = count;
    }

    /** How many there are; then there are none. */
    public int take() {
        int taken = entries;
        entries = 0;
        return taken;
    }
}
