package io.weir.cluster.worker;

import io.weir.cluster.node.Listener;
import io.weir.operators.graph.Query;

/** What happens in a worker, for people. Any thread. */
public interface WorkerListener extends Listener {
    /**
     * It has the catalogue and begins.
     *
     * @param queries in the catalogue
     */
    default void ready(int queries) {}

    /** A condition was met elsewhere: the query counts from then on. */
    default void wokenElsewhere(Query query, long activeFromNs) {}

    /** The process before had met a condition: the query counts from then on. */
    default void resumed(Query query, long activeFromNs) {}

    /**
     * It has a slice from now on.
     *
     * @param passedNs up to where others have counted it; {@link Long#MIN_VALUE}: nobody has
     */
    default void took(int slice, long passedNs) {}

    /** Something that a person should know. */
    default void note(String text) {}
}
