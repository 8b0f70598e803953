package io.weir.cluster.trigger;

import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.TriggerRecord;
import java.nio.charset.StandardCharsets;

/**
 * A trigger as it is in Kafka. The topic keeps the latest of each kind for each query, so that who
 * begins a month later knows what is awake.
 *
 * @param isSettled whether it is of no query
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record TriggerMessage(byte[] key, byte[] value, boolean isSettled) {
    static final int FORMAT = 1;

    /**
     * The query counts packets from then on and before {@code untilNs}.
     *
     * @param by who says so, for people
     */
    public static TriggerMessage wake(
            String by, String query, long version, long fromNs, long untilNs) {
        TriggerRecord.Builder record = begin(by, query, version);
        return of("wake", record.setWake(activity(fromNs, untilNs)).build());
    }

    /** The activation that began at {@code fromNs} ends then. */
    public static TriggerMessage until(
            String by, String query, long version, long fromNs, long untilNs) {
        TriggerRecord.Builder record = begin(by, query, version);
        return of("until", record.setUntil(activity(fromNs, untilNs)).build());
    }

    static TriggerMessage settled(String by, long settledNs) {
        return of("settled", begin(by, "", 0).setSettledNs(settledNs).build());
    }

    /** Says nothing: readers have settled so far long ago. Of each sender the topic keeps one. */
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
                .setMadeMs(System.currentTimeMillis());
    }

    private static Activity activity(long fromNs, long untilNs) {
        return Activity.newBuilder().setFromNs(fromNs).setUntilNs(untilNs).build();
    }

    private static TriggerMessage of(String kind, TriggerRecord record) {
        byte[] key = (kind + " " + record.getQuery()).getBytes(StandardCharsets.UTF_8);
        return new TriggerMessage(key, record.toByteArray(), record.hasSettledNs());
    }
}
