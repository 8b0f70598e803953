package io.weir.cluster.worker;

import io.weir.cluster.node.Listener;
import io.weir.operators.graph.Query;

/** Reports the events of a worker to people. Any thread. */
public interface WorkerListener extends Listener {
    /**
     * Is told that it has the catalogue and begins.
     *
     * @param queries in the catalogue
     */
    default void ready(int queries) {}

    /** Is told that a condition was met elsewhere: the query counts from then on. */
    default void wokenElsewhere(Query query, long activeFromNs) {}

    /** Is told that the last process had met a condition: the query counts from then on. */
    default void resumed(Query query, long activeFromNs) {}

    /**
     * Is told that it has a slice from now on.
     *
     * @param passedNs up to where others have counted it; {@link Long#MIN_VALUE}: nobody has
     */
    default void took(int slice, long passedNs) {}
}
