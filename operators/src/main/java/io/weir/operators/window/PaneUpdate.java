package io.weir.operators.window;

import io.weir.operators.map.Batch;

/** How a pane's {@link Batch} gets into its tables: what generated kernels extend. */
public interface PaneUpdate {
    /** Updates the pane's tables with its batch, which is empty then. */
    void update(Panes panes, Tables pane);
}
