package io.weir.cluster.disk;

import io.weir.operators.time.Clock;

/** Limits how long a thread that makes rows waits for a slow disk. One thread. */
public final class Patience {
    private static final long MS_NS = 1_000_000;
    private static final long MOST_NS = 1_000 * MS_NS;
    private static final int SHARE = 10;

    private final Clock clock;
    private final boolean endless;
    private long leftNs = MOST_NS;
    private long lastNs;

    private Patience(Clock clock, boolean endless) {
        this.clock = clock;
        this.endless = endless;
        this.lastNs = clock.nanos();
    }

    /** Waits without limit: packets of a file can wait, too. */
    public static Patience endless() {
        return new Patience(Clock.SYSTEM, true);
    }

    /**
     * Makes patience of a tenth of the time, and a second at once. This does not slow live packets
     * down.
     */
    public static Patience ofLivePackets(Clock clock) {
        return new Patience(clock, false);
    }

    /** Returns the clock that it counts by. */
    public Clock clock() {
        return clock;
    }

    /** Returns how long a wait that began then may still last; at most a second at once. */
    public long leftMs(long beganNs) {
        long nowNs = clock.nanos();
        long waitedNs = nowNs - beganNs;
        long earnedNs = (beganNs - lastNs) / SHARE;
        return endless
                ? MOST_NS / MS_NS
                : Math.max(0, Math.min(MOST_NS, leftNs + earnedNs) - waitedNs) / MS_NS;
    }

    /** Notes a wait that began then. */
    public void waited(long beganNs) {
        long nowNs = clock.nanos();
        leftNs = Math.min(MOST_NS, leftNs + (beganNs - lastNs) / SHARE) - (nowNs - beganNs);
        lastNs = nowNs;
    }
}
