package io.weir.cluster.worker;

import io.weir.cluster.kafka.results.ResultEntries;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.trigger.TriggerMessage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Rows into the outbox, and the triggers that they fire: from the batch on that fires one, the
 * outbox has all of a turn of the results, its triggers the last, or nothing of it should the
 * process end in between. So a row that is sent has woken what waits for it, in this life of the
 * worker or the next, and what a condition has come to is known after the last row that is there.
 * The results' thread; {@link #triggers} is for any.
 */
final class FiredRows {
    private final Outbox outbox;
    private final Conditions conditions;
    private final RowsTold told;
    private final AtomicLong triggers = new AtomicLong();

    /** The last entry: whether others belong to it is known with the next. */
    private byte[] held;

    private boolean more;
    private boolean fired;

    /**
     * @param conditions what rows have done to them is kept with the rows
     * @param told and which packets are in them
     */
    FiredRows(Outbox outbox, Conditions conditions, RowsTold told) {
        this.outbox = outbox;
        this.conditions = conditions;
        this.told = told;
    }

    /**
     * Adds a row.
     *
     * @param isMore whether the next belongs to it
     */
    void add(byte[] row, boolean isMore) {
        append(more || fired);
        held = row;
        more = isMore;
    }

    /** The rows that came last, or none, are all of a query's window. */
    void window(String query, long version, long endNs) {
        told.window(query, version, endNs);
    }

    /** The rows that came last have fired something, which is known at the end of the turn. */
    void fired() {
        fired = true;
    }

    void add(TriggerMessage trigger) {
        triggers.incrementAndGet();
        fired = true;
        add(ResultEntries.trigger(trigger.key(), trigger.value()), false);
    }

    /** So ends a turn. */
    void end() {
        long last = outbox.next() - (held == null ? 1 : 0);
        boolean kept = conditions.keep(last);
        append(false);
        told.keep(outbox.next() - 1);
        if (kept && outbox.next() <= last) {
            conditions.keepAgain(outbox.next() - 1);
        }
        more = false;
        fired = false;
    }

    private void append(boolean isMore) {
        if (held != null) {
            long entry = outbox.next();
            boolean kept = !isMore && told.keep(entry);
            outbox.append(held, isMore);
            held = null;
            if (kept && outbox.next() == entry) {
                told.keepAgain(entry - 1);
            }
        }
    }

    /** So many were added. */
    long triggers() {
        return triggers.get();
    }
}
