package io.weir.cluster.worker;

import io.weir.cluster.trigger.TriggerMessage;
import io.weir.cluster.trigger.Wakes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What the rows of a turn have fired: first into the outbox, with the rows, so that it is told by
 * the next process if not by this one; then at once, for that takes milliseconds. Who hears it
 * twice does nothing the second time. The results' thread.
 */
final class Fired implements Wakes {
    private final String by;
    private final FiredRows rows;
    private final Consumer<TriggerMessage> atOnce;

    /** In order; of several ends of one activation the last counts. */
    private final Map<What, TriggerMessage> messages = new LinkedHashMap<>();

    private record What(boolean wakes, String query, long version, long fromNs) {}

    /**
     * @param by who tells, for people
     * @param atOnce tells others
     */
    Fired(String by, FiredRows rows, Consumer<TriggerMessage> atOnce) {
        this.by = by;
        this.rows = rows;
        this.atOnce = atOnce;
    }

    /** The rows that came last have fired something, which will be said. */
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

    /** So ends the turn. */
    void tell() {
        messages.values().forEach(rows::add);
        rows.end();
        messages.values().forEach(atOnce);
        messages.clear();
    }
}
