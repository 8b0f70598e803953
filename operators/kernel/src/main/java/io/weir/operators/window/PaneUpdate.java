package io.weir.operators.window;

import io.weir.operators.map.Batch;

/** Puts a pane's {@link Batch} into its tables. Generated kernels extend it. */
public interface PaneUpdate {
    /** Updates the pane's tables with its batch, and empties the batch. */
    void update(Panes panes, Tables pane);
}
