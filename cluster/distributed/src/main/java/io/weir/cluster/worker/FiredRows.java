package io.weir.cluster.worker;

import io.weir.cluster.kafka.results.ResultEntries;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.trigger.TriggerMessage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes rows into the outbox, and the triggers that they fire. From the first batch that fires
 * one, the outbox gets all of a turn, its triggers last, or nothing if the process ends in between.
 * So a sent row has woken the queries that wait for it, through this process or the next. The state
 * of a condition is known after the last row. The results' thread; {@link #triggers} is for any.
 */
final class FiredRows {
    private final Outbox outbox;
    private final Conditions conditions;
    private final LossLedger told;
    private final AtomicLong triggers = new AtomicLong();

    /** The last entry. The next one shows whether others belong to it. */
    private byte[] held;

    private boolean more;
    private boolean fired;

    /**
     * @param conditions their state is stored with the rows
     * @param told the packets in rows are stored with the rows
     */
    FiredRows(Outbox outbox, Conditions conditions, LossLedger told) {
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

    /** Notes that the last rows, or none, are all of a query's window. */
    void window(String query, long version, long endNs) {
        told.window(query, version, endNs);
    }

    /** Notes that the last rows have fired triggers, which come at the end of the turn. */
    void fired() {
        fired = true;
    }

    void add(TriggerMessage trigger) {
        triggers.incrementAndGet();
        fired = true;
        add(ResultEntries.trigger(trigger.key(), trigger.value()), false);
    }

    /** Ends a turn. */
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

    /** Returns the number of triggers added. */
    long triggers() {
        return triggers.get();
    }
}
