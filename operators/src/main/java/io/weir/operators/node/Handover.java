package io.weir.operators.node;

import io.weir.operators.result.ClosedWindow;

/** How a pipeline's thread gives a closed window to the results. */
@FunctionalInterface
interface Handover {
    /** Takes over the window, and with it its partial; may wait. */
    void put(ClosedWindow window);
}
