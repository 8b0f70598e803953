package io.weir.operators.trigger;

import io.weir.operators.result.RowBatch;

/** What a query with WHEN does when its condition is met. The results' thread. */
public interface TriggerListener {
    /**
     * The query wakes, afresh: it counts packets from {@code fromNs} on and before {@code untilNs}.
     *
     * @param untilNs {@link Long#MAX_VALUE} when no end is known yet
     * @param row of the batch: the one that met the condition
     */
    void woken(long fromNs, long untilNs, RowBatch batch, int row);

    /** The end of the latest activation is now this: earlier by UNTIL, or later by FOR. */
    void until(long untilNs);
}
