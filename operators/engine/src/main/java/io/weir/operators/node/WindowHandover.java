package io.weir.operators.node;

import io.weir.operators.result.ClosedWindow;

/** Gives a closed window of a pipeline to the results. */
@FunctionalInterface
interface WindowHandover {
    /** Takes over the window with its partial; may wait. */
    void put(ClosedWindow window);
}
