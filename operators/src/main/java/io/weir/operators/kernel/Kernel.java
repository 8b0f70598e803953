package io.weir.operators.kernel;

import io.weir.operators.window.Panes;

/** What generated kernels extend. Without state of their own: any thread, with its own panes. */
public abstract class Kernel {
    /**
     * Runs the query over GPVs of the layout, or rows of the query, that it was made for.
     *
     * @param address of the first
     * @param count of GPVs or rows
     * @param node symbol of the node; 0 for rows
     * @param endNs the time of rows that carry none; 0 for GPVs
     */
    public abstract void run(Panes panes, long address, int count, int node, long endNs);
}
