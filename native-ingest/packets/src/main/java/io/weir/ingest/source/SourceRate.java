package io.weir.ingest.source;

import java.util.function.LongSupplier;

/** The rate of a count over the last second or so. Any thread. */
final class SourceRate {
    private static final long SECOND_NS = 1_000_000_000L;

    private boolean begun;
    private long atNs;
    private long count;
    private double perSecond;

    /** Reads the count once a second. */
    synchronized void tick(long nowNs, LongSupplier counts) {
        if (begun && nowNs - atNs < SECOND_NS) {
            return;
        }
        long now = counts.getAsLong();
        perSecond = begun ? (now - count) * (double) SECOND_NS / (nowNs - atNs) : 0;
        begun = true;
        atNs = nowNs;
        count = now;
    }

    synchronized double perSecond() {
        return perSecond;
    }
}
