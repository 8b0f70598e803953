package io.weir.cluster.worker;

import io.weir.cluster.protocol.RowsPlace;

/**
 * The places where the rows of a query are made, read and awaited.
 *
 * @param made where its rows are made
 * @param read whether queries or conditions read them
 * @param woken whether triggers of other processes wake it
 */
record RowsWay(RowsPlace made, boolean read, boolean woken) {
    boolean leaves() {
        return made != RowsPlace.ON_WORKERS;
    }
}
