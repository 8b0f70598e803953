package io.weir.cluster.trigger;

import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.time.Clock;
import java.nio.charset.StandardCharsets;

/**
 * A trigger as a Kafka record. The topic keeps the latest of each kind for each query. So a reader
 * that begins a month later knows which queries are awake.
 *
 * @param isSettled whether it is of no query
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TriggerMessage(byte[] key, byte[] value, boolean isSettled) {
    static final int FORMAT = 1;

    /**
     * Makes the trigger of a wake: the query counts packets from {@code fromNs} on and before
     * {@code untilNs}.
     *
     * @param by the sender, for people
     */
    public static TriggerMessage wake(
            String by, String query, long version, long fromNs, long untilNs) {
        TriggerRecord.Builder record = begin(by, query, version);
        return of("wake", record.setWake(activity(fromNs, untilNs)).build());
    }

    /**
     * Makes the trigger of an end: the activation that began at {@code fromNs} ends at {@code
     * untilNs}.
     */
    public static TriggerMessage until(
            String by, String query, long version, long fromNs, long untilNs) {
        TriggerRecord.Builder record = begin(by, query, version);
        return of("until", record.setUntil(activity(fromNs, untilNs)).build());
    }

    static TriggerMessage settled(String by, long settledNs) {
        return of("settled", begin(by, "", 0).setSettledNs(settledNs).build());
    }

    /**
     * Makes a trigger without effect: readers have settled so far long ago. The topic keeps one for
     * each sender.
     */
    static TriggerMessage ready(String by) {
        TriggerRecord record = begin(by, "", 0).setSettledNs(Long.MIN_VALUE).build();
        byte[] key = ("ready " + by).getBytes(StandardCharsets.UTF_8);
        return new TriggerMessage(key, record.toByteArray(), true);
    }

    private static TriggerRecord.Builder begin(String by, String query, long version) {
        return TriggerRecord.newBuilder()
                .setFormat(FORMAT)
                .setQuery(query)
                .setVersion(version)
                .setBy(by)
                .setMadeMs(Clock.SYSTEM.millis());
    }

    private static Activity activity(long fromNs, long untilNs) {
        return Activity.newBuilder().setFromNs(fromNs).setUntilNs(untilNs).build();
    }

    private static TriggerMessage of(String kind, TriggerRecord record) {
        byte[] key = (kind + " " + record.getQuery()).getBytes(StandardCharsets.UTF_8);
        return new TriggerMessage(key, record.toByteArray(), record.hasSettledNs());
    }
}
