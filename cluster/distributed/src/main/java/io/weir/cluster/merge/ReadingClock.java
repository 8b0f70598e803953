package io.weir.cluster.merge;

import java.util.function.LongSupplier;

/**
 * Counts the time in which a task of the merge could read. Its deadlines use this time. The clock
 * stands still while no worker is heard, because Kafka is away then. It also stands still while the
 * stream's thread does not come to the task, because messages wait unread. The stream's thread.
 */
final class ReadingClock {
    /** A longer pause between two looks says nothing about workers. */
    private static final long MOST_NS = 500_000_000L;

    private final LongSupplier heardNs;
    private long lookedNs;
    private long nowNs;

    /**
     * @param heardNs the time in which workers were heard
     */
    ReadingClock(LongSupplier heardNs) {
        this.heardNs = heardNs;
        this.lookedNs = heardNs.getAsLong();
    }

    /** Notes that the task could read until now. */
    void look() {
        long heard = heardNs.getAsLong();
        nowNs += Math.min(heard - lookedNs, MOST_NS);
        lookedNs = heard;
    }

    long nowNs() {
        return nowNs;
    }
}
