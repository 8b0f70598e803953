package io.weir.operators.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.when.WhenState;

/**
 * Is told when a WHEN fires, and when a query ends with a failure. The results' thread, or inline
 * the reader's.
 */
public interface WakeListener {
    /**
     * @param activeFromNs from when the query counts
     * @param batch the upstream's rows, the caller's; {@code row} met the condition
     */
    void woken(Query query, long activeFromNs, RowBatch batch, int row);

    /** Is told the same for a row that another process made. */
    default void wokenElsewhere(Query query, long activeFromNs) {}

    /** Is told the same for a row that was tested before this engine began. */
    default void resumed(Query query, long activeFromNs) {}

    /**
     * Is told that a row made here has woken the query or has set an end. A successor of this
     * process needs it for {@link LocalEngine#resume}.
     */
    default void fired(Query query, WhenState.Change change) {}

    /**
     * Is told that the set of bindings is full, and refuses them from now on until one begins.
     *
     * @param batch as for {@link #woken}; {@code row} is the first one refused
     */
    default void full(Query query, RowBatch batch, int row) {}

    /** Is told the time when the query stops counting, as far as is known now. */
    default void until(Query query, long untilNs) {}

    /** Is told that the query has ended for good, with the reason. All others go on. */
    default void failed(Query query, WeirException failure) {}

    /**
     * Is told that windows that were open when the query was replaced make no rows here. Its new
     * version goes on.
     *
     * @param query the old version
     * @param packets those in them; 0 if they are not known
     */
    default void lost(Query query, long packets, WeirException cause) {}
}
