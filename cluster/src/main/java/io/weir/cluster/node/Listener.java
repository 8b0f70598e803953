package io.weir.cluster.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;

/** What happens in a replay besides rows, for people. The results' thread, or the reader's. */
public interface Listener {
    /** One that does not listen. */
    Listener NONE = new Listener() {};

    /**
     * A WHEN fired.
     *
     * @param windowEndNs of the upstream's row that met the condition
     * @param activeFromNs from when the query counts
     */
    default void woken(Query query, long windowEndNs, long activeFromNs) {}

    /** The query stops counting at that time, as far as is known now. */
    default void until(Query query, long untilNs) {}

    /** The query has ended because of this; all others go on. */
    default void failed(Query query, WeirException failure) {}
}
