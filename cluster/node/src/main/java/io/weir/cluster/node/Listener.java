package io.weir.cluster.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;

/**
 * Is told the events of a replay, besides rows, for people. The results' thread, or the reader's.
 */
public interface Listener {
    /** Ignores all events. */
    Listener NONE = new Listener() {};

    /**
     * Is told that a WHEN fired.
     *
     * @param key of the binding, as text; empty if the query takes no values
     * @param windowEndNs of the upstream's row that met the condition
     * @param activeFromNs from when the query counts
     */
    default void woken(Query query, String key, long windowEndNs, long activeFromNs) {}

    /**
     * Is told that the set of bindings is full.
     *
     * @param key of the first binding that is refused
     * @param windowEndNs of the upstream's row that would have begun it
     */
    default void full(Query query, String key, long windowEndNs) {}

    /** Is told the time when the query stops counting, as far as is known now. */
    default void until(Query query, long untilNs) {}

    /** Is told that the query has ended, with the reason; all others go on. */
    default void failed(Query query, WeirException failure) {}
}
