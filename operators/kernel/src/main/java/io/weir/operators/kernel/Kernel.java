package io.weir.operators.kernel;

import io.weir.operators.graph.SymbolSet;
import io.weir.operators.map.Batch;
import io.weir.operators.window.Panes;
import io.weir.operators.window.Tables;

/**
 * The base class of generated kernels. It has no state of its own but the texts of its query: any
 * thread, with its own panes.
 *
 * <p>A kernel of groups works in batches. {@link #run} filters, takes keys and folds in locals.
 * {@link #update} then finds the groups and adds to them. Only kernels call it; panes just lend
 * batches.
 */
public abstract class Kernel {
    /** Keeps texts that the query computes for the keys of groups. */
    protected SymbolSet texts;

    /** Sets the place for texts, before the first run. */
    final void texts(SymbolSet ofQuery) {
        texts = ofQuery;
    }

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

    /**
     * Updates the pane's tables with its batch, and empties the batch. It does nothing here:
     * kernels over rows have no batches.
     */
    public void update(Panes panes, Tables pane) {}

    /**
     * Returns the batch that is filled for the current pane, until {@link #updateAll}. Few panes
     * have a batch at a time. If too many are entered in turn, all are updated first.
     */
    protected final Batch batch(Panes panes, int entryBytes) {
        if (panes.batch() == null) {
            if (panes.areAllLent()) {
                updateAll(panes);
            }
            panes.lend(entryBytes);
        }
        return panes.batch();
    }

    /** Puts all batches into the panes' tables. */
    protected final void updateAll(Panes panes) {
        for (int b = 0; b < panes.lent(); b++) {
            Tables pane = panes.borrower(b);
            if (pane.batch().entries() > 0) {
                updateOne(panes, pane);
            }
        }
        panes.takeBack();
    }

    /**
     * Puts the current pane's batch into its tables. The batch stays lent.
     *
     * @param next the place of the next entry before
     * @return its place now
     */
    protected final long updateBatch(Panes panes, long next) {
        Batch batch = panes.batch();
        batch.next(next);
        updateOne(panes, panes.pane());
        return batch.start();
    }

    private void updateOne(Panes panes, Tables pane) {
        panes.beginUpdate(pane);
        update(panes, pane);
        panes.endUpdate();
    }
}
