package io.weir.cluster.kafka.heartbeat;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.util.OptionalLong;

/**
 * The time in which heartbeats were heard at all. A long silence of everybody is Kafka's, or the
 * listener's. One thread at a time: its owner guards it.
 */
final class HeardTime {
    /** The silence of everybody that counts as an outage. */
    static final long OUTAGE_MS = 2_000;

    private static final long OUTAGE_NS = MILLISECONDS.toNanos(OUTAGE_MS);
    private static final long NEVER = Long.MIN_VALUE;

    private long atNs = NEVER;
    private long forNs;

    /**
     * Notes a heartbeat.
     *
     * @return the time of the one before, if an outage has ended with this one
     */
    OptionalLong heard(long now) {
        OptionalLong before = isOver(now) ? OptionalLong.of(atNs) : OptionalLong.empty();
        forNs += sinceNs(now);
        atNs = now;
        return before;
    }

    private boolean isOver(long now) {
        return atNs != NEVER && now - atNs > OUTAGE_NS;
    }

    /** Returns the time by which to judge who lives: the begin of the present outage, or now. */
    long judgedNs(long now) {
        return now - atNs > OUTAGE_NS ? atNs : now;
    }

    /** Returns how long heartbeats were heard in all, without outages. */
    long forNs(long now) {
        return forNs + sinceNs(now);
    }

    private long sinceNs(long now) {
        return atNs == NEVER ? 0 : Math.min(now - atNs, OUTAGE_NS);
    }
}
