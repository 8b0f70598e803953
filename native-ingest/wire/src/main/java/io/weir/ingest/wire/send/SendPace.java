package io.weir.ingest.wire.send;

/**
 * Tells when packets may go: so many in a second, or in the rhythm of their times; and when no more
 * may. One thread, but for {@link #release}.
 */
final class SendPace {
    private static final double NS_PER_S = 1e9;

    /** A delay beyond this is not made up for: the receiver would get it all at once. */
    private static final long MOST_BEHIND_NS = 5_000_000;

    private final double nsPerPacket;
    private final double nsPerNs;
    private final long most;
    private final long lengthNs;
    private long taken;
    private double dueNs;
    private long firstNs = Long.MIN_VALUE;
    private volatile boolean released;

    /**
     * @param perSecond packets; 0: as they come
     * @param speed times as fast as their times; 0: their times do not matter
     * @param most packets that may go
     * @param lengthNs the time for them
     */
    SendPace(double perSecond, double speed, long most, long lengthNs) {
        nsPerPacket = perSecond == 0 ? 0 : NS_PER_S / perSecond;
        nsPerNs = speed == 0 ? 0 : 1 / speed;
        this.most = most;
        this.lengthNs = lengthNs;
    }

    /** Takes packets that go now. The limit is reached with the last of them. */
    void take(int count) {
        taken += count;
        if (taken >= most) {
            released = true;
        }
    }

    /** Returns whether no more may go. */
    boolean isOver(long nowNs) {
        if (nowNs >= lengthNs) {
            released = true;
        }
        return released;
    }

    /**
     * Returns how long packets must wait.
     *
     * @param count of the packets
     * @param tsNs the time of the newest of them
     * @param nowNs since the start
     */
    long waitNs(int count, long tsNs, long nowNs) {
        if (isOver(nowNs)) {
            return 0;
        }
        if (nsPerNs > 0) {
            firstNs = firstNs == Long.MIN_VALUE ? tsNs : firstNs;
            dueNs = Math.max(dueNs, (tsNs - firstNs) * nsPerNs);
            return (long) dueNs - nowNs;
        }
        if (nsPerPacket == 0) {
            return 0;
        }
        double due = Math.max(dueNs, (double) (nowNs - MOST_BEHIND_NS));
        dueNs = due + count * nsPerPacket;
        return (long) due - nowNs;
    }

    /** Ends all waiting. Any thread. */
    void release() {
        released = true;
    }

    boolean isReleased() {
        return released;
    }
}
