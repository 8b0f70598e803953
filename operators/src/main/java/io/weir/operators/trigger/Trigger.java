package io.weir.operators.trigger;

import io.weir.operators.graph.WindowEnds;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.result.RowBatch;
import io.weir.operators.result.RowSink;

/**
 * WHEN condition [UNTIL condition | FOR interval] of one query, uncorrelated, with one upstream: a
 * plain state machine that sees each emitted row of the upstream once, in order.
 *
 * <p>A row of a window that ends at E acts at E + delay, or that much after it is known, where rows
 * are read that come later than their windows end. Asleep, a row that meets the condition wakes the
 * query from then on. Awake, a row that meets UNTIL ends it as of then, and a row that meets the
 * condition renews FOR, unless that had run out by then: then it wakes the query afresh. FOR ends
 * at the latest of all renewals. A row is tested for one thing only: the one that wakes does not
 * end, nor the other way round.
 */
public final class Trigger implements RowSink {
    private final RowPredicate condition;
    private final RowPredicate until;
    private final long forNs;
    private final long delayNs;
    private final TriggerListener listener;
    private boolean awake;
    private long endNs;

    /**
     * @param until null without UNTIL
     * @param forNs 0 without FOR
     * @param delayNs lateness and the cache's time-out: what it takes until no packet of before E
     *     can come
     */
    public Trigger(
            RowPredicate condition,
            RowPredicate until,
            long forNs,
            long delayNs,
            TriggerListener listener) {
        this.condition = condition;
        this.until = until;
        this.forNs = forNs;
        this.delayNs = delayNs;
        this.listener = listener;
    }

    @Override
    public void rows(RowBatch batch) {
        if (batch.windowEndNs() == Long.MAX_VALUE) {
            return; // The last totals of all: no packet can follow them.
        }
        long actsAtNs = WindowEnds.plus(batch.knownNs(), delayNs);
        for (int row = 0; row < batch.rows(); row++) {
            if (awake && forNs > 0 && actsAtNs > endNs) {
                awake = false;
            }
            if (awake) {
                renewOrEnd(batch, row, actsAtNs);
            } else if (condition.test(batch, row)) {
                awake = true;
                endNs = forNs > 0 ? WindowEnds.plus(actsAtNs, forNs) : Long.MAX_VALUE;
                listener.woken(actsAtNs, endNs, batch, row);
            }
        }
    }

    /** Whether the query is awake, as far as rows have said. */
    public boolean isAwake() {
        return awake;
    }

    /** When the latest activation ends; of use only while it is awake. */
    public long endNs() {
        return endNs;
    }

    /** Goes on where another has left off. */
    public void resume(boolean wasAwake, long endsNs) {
        awake = wasAwake;
        endNs = endsNs;
    }

    /** Whether no row can change anything any more: awake, and for good. */
    public boolean isSettled() {
        return awake && until == null && forNs == 0;
    }

    private void renewOrEnd(RowBatch batch, int row, long actsAtNs) {
        if (until != null) {
            if (until.test(batch, row)) {
                awake = false;
                listener.until(actsAtNs);
            }
        } else if (forNs > 0 && condition.test(batch, row)) {
            renew(WindowEnds.plus(actsAtNs, forNs));
        }
    }

    /** Rows of longer windows come before rows of earlier ones: these renew nothing. */
    private void renew(long untilNs) {
        if (untilNs > endNs) {
            endNs = untilNs;
            listener.until(endNs);
        }
    }
}
