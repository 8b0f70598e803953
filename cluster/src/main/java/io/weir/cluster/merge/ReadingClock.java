package io.weir.cluster.merge;

import java.util.function.LongSupplier;

/**
 * How long a task of the merge could read, which is what its deadlines are counted in: no time
 * passes while no worker is heard, for then Kafka is away, and none while the stream's thread does
 * not come to it, for then what workers have sent waits unread. The stream's thread.
 */
final class ReadingClock {
    /** Longer between two looks is a pause that says nothing of workers. */
    private static final long MOST_NS = 500_000_000L;

    private final LongSupplier heardNs;
    private long lookedNs;
    private long nowNs;

    /**
     * @param heardNs how long workers were heard
     */
    ReadingClock(LongSupplier heardNs) {
        this.heardNs = heardNs;
        this.lookedNs = heardNs.getAsLong();
    }

    /** It could read until now. */
    void look() {
        long heard = heardNs.getAsLong();
        nowNs += Math.min(heard - lookedNs, MOST_NS);
        lookedNs = heard;
    }

    long nowNs() {
        return nowNs;
    }
}
