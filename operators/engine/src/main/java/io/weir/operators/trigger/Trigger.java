package io.weir.operators.trigger;

import io.weir.operators.graph.WindowEnds;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;

/**
 * The state of WHEN condition [UNTIL condition | FOR interval] of one query, uncorrelated, with one
 * upstream. It is a plain state machine that sees each emitted row of the upstream once, in order.
 *
 * <p>A row of a window that ends at E acts at E + delay. If rows are known later than their windows
 * end, it acts that much after they are known. While the query sleeps, a row that meets the
 * condition wakes it from then on. While it is awake, a row that meets UNTIL ends it as of then. A
 * row that meets the condition renews FOR. If FOR had run out by then, the row wakes the query
 * again. FOR ends at the latest of all renewals. A row is tested for one thing only: a row that
 * wakes does not end, and a row that ends does not wake.
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
     * @param delayNs lateness and the cache's time-out: the time until no packet of before E can
     *     come
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
            return; // These are the last totals: no packet can follow them.
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

    /** Returns whether the query is awake, as far as rows have shown. */
    public boolean isAwake() {
        return awake;
    }

    /** Returns the end of the latest activation. It has no meaning while the query sleeps. */
    public long endNs() {
        return endNs;
    }

    /** Takes over the state of another trigger. */
    public void resume(boolean wasAwake, long endsNs) {
        awake = wasAwake;
        endNs = endsNs;
    }

    /** Returns whether no row can change anything any more: the query is awake for good. */
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

    /** Rows of longer windows come before rows of earlier ones. These renew nothing. */
    private void renew(long untilNs) {
        if (untilNs > endNs) {
            endNs = untilNs;
            listener.until(endNs);
        }
    }
}
