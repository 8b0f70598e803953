package io.weir.cluster.worker;

import io.weir.cluster.trigger.TriggerMessage;
import io.weir.cluster.trigger.Wakes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sends the triggers that the rows of a turn have fired. They go first into the outbox, with the
 * rows: the next process sends them if this one does not. Then they are sent at once, which takes
 * milliseconds. A reader ignores the second copy. The results' thread.
 */
final class FiredTriggers implements Wakes {
    private final String by;
    private final FiredRows rows;
    private final Consumer<TriggerMessage> atOnce;

    /** In order; of several ends of one activation the last counts. */
    private final Map<What, TriggerMessage> messages = new LinkedHashMap<>();

    private record What(boolean wakes, String query, long version, long fromNs) {}

    /**
     * @param by the sender, for people
     * @param atOnce sends to others
     */
    FiredTriggers(String by, FiredRows rows, Consumer<TriggerMessage> atOnce) {
        this.by = by;
        this.rows = rows;
        this.atOnce = atOnce;
    }

    /** Notes that the last rows have fired triggers, which follow. */
    void fired() {
        rows.fired();
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs) {
        messages.put(
                new What(true, query, version, fromNs),
                TriggerMessage.wake(by, query, version, fromNs, untilNs));
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs) {
        messages.put(
                new What(false, query, version, fromNs),
                TriggerMessage.until(by, query, version, fromNs, untilNs));
    }

    /** Sends at the end of the turn. */
    void tell() {
        messages.values().forEach(rows::add);
        rows.end();
        messages.values().forEach(atOnce);
        messages.clear();
    }
}
