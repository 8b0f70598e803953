package io.weir.operators.kernel;

import io.weir.operators.window.PaneUpdate;
import io.weir.operators.window.Panes;
import io.weir.operators.window.Tables;

/**
 * The base class of generated kernels. It has no state of its own: any thread, with its own panes.
 *
 * <p>A kernel of groups works in batches. {@link #run} filters, takes keys and folds in locals.
 * {@link #update} then finds the groups and adds to them.
 */
public abstract class Kernel implements PaneUpdate {
    /**
     * Runs the query over GPVs of its layout, or over rows of its upstream query.
     *
     * @param address of the first
     * @param count of GPVs or rows
     * @param node symbol of the node; 0 for rows
     * @param endNs the time of rows that carry none; 0 for GPVs
     */
    public abstract void run(Panes panes, long address, int count, int node, long endNs);

    /** Returns whether {@link #update} has almost nothing to do. */
    public boolean updatesRarely() {
        return false;
    }

    /** Does nothing: kernels over rows have no batches. */
    @Override
    public void update(Panes panes, Tables pane) {}
}
