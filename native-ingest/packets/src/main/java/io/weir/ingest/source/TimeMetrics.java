package io.weir.ingest.source;

import io.weir.operators.account.Counter;

/**
 * Counts packets that windows leave out for their time stamps, with their distance. The sources'
 * thread counts, any reads.
 */
public final class TimeMetrics {
    private final Counter late = new Counter();
    private final Counter future = new Counter();
    private final Counter futureOfLive = new Counter();
    private volatile long mostLateNs;
    private volatile long mostFutureNs;

    void late(long behindNs) {
        late.add(1);
        if (behindNs > mostLateNs) {
            mostLateNs = behindNs;
        }
    }

    /**
     * @param live whether it is ahead of this machine's clock
     */
    void future(long aheadNs, boolean live) {
        future.add(1);
        futureOfLive.add(live ? 1 : 0);
        if (aheadNs > mostFutureNs) {
            mostFutureNs = aheadNs;
        }
    }

    /** Returns the packets that were older than the newest by more than LATENESS. */
    public long late() {
        return late.value();
    }

    /** Returns the packets whose time stamps were from the future. */
    public long future() {
        return future.value();
    }

    /** Returns the part of these from live sources, which were ahead of this machine's clock. */
    public long futureOfLive() {
        return futureOfLive.value();
    }

    /** Returns how much older than the newest the oldest late packet was. */
    public long mostLateNs() {
        return mostLateNs;
    }

    /** Returns how much newer than the newest the packet furthest in the future was. */
    public long mostFutureNs() {
        return mostFutureNs;
    }

    /** Returns a LATENESS that is enough for all of them. */
    public long enoughNs(long latenessNs) {
        return future() == 0 ? mostLateNs : mostFutureNs + Math.max(latenessNs, mostLateNs);
    }
}
