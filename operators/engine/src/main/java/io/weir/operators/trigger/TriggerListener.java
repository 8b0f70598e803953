package io.weir.operators.trigger;

import io.weir.operators.rows.RowBatch;

/** Is told when the condition of a query with WHEN is met. The results' thread. */
public interface TriggerListener {
    /**
     * Is told that the query wakes again. It counts packets from {@code fromNs} on and before
     * {@code untilNs}.
     *
     * @param untilNs {@link Long#MAX_VALUE} when no end is known yet
     * @param row of the batch: the one that met the condition
     */
    void woken(long fromNs, long untilNs, RowBatch batch, int row);

    /** Is told the new end of the latest activation: earlier by UNTIL, or later by FOR. */
    void until(long untilNs);
}
