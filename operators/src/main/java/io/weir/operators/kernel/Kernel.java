package io.weir.operators.kernel;

import io.weir.operators.window.PaneUpdate;
import io.weir.operators.window.Panes;
import io.weir.operators.window.Tables;

/**
 * What generated kernels extend. Without state of their own: any thread, with its own panes.
 *
 * <p>A kernel of groups works in batches: {@link #run} filters, takes keys and folds what it can,
 * {@link #update} finds the groups and adds it to them.
 */
public abstract class Kernel implements PaneUpdate {
    /**
     * Runs the query over GPVs of the layout, or rows of the query, that it was made for.
     *
     * @param address of the first
     * @param count of GPVs or rows
     * @param node symbol of the node; 0 for rows
     * @param endNs the time of rows that carry none; 0 for GPVs
     */
    public abstract void run(Panes panes, long address, int count, int node, long endNs);

    /** Whether {@link #update} is called for next to nothing. */
    public boolean updatesRarely() {
        return false;
    }

    /** Nothing to do for kernels of rows, which batch nothing. */
    @Override
    public void update(Panes panes, Tables pane) {}
}
