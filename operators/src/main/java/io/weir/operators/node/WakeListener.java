package io.weir.operators.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.result.RowBatch;

/**
 * Told when a WHEN fires, and when a query ends that should not. The results' thread, or inline the
 * reader's.
 */
public interface WakeListener {
    /**
     * @param activeFromNs from when the query counts
     * @param batch the upstream's rows, the caller's; {@code row} met the condition
     */
    void woken(Query query, long activeFromNs, RowBatch batch, int row);

    /** As {@link #woken}, by a row that was made elsewhere. */
    default void wokenElsewhere(Query query, long activeFromNs) {}

    /** As {@link #woken}, by a row that was tested before this engine began. */
    default void resumed(Query query, long activeFromNs) {}

    /**
     * A row that was made here has woken the query, or has set the end of what it had woken: so who
     * goes on in this one's place knows what {@link LocalEngine#resume} needs.
     *
     * @param untilNs {@link Long#MAX_VALUE} when no end is known yet
     */
    default void fired(Query query, long fromNs, long untilNs) {}

    /** The query stops counting at that time, as far as is known now. */
    default void until(Query query, long untilNs) {}

    /** The query has ended, for good, because of this; all others go on. */
    default void failed(Query query, WeirException failure) {}

    /**
     * Of windows that were open when the query was replaced, no rows are made here; its new version
     * goes on.
     *
     * @param query the old version
     * @param packets those in them; 0 where they are not known
     */
    default void lost(Query query, long packets, WeirException cause) {}
}
