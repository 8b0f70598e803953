package io.weir.operators.result;

/**
 * Counts a source's packets that no row of one activation has reported yet. A window reports those
 * since the last window with rows. It does not matter which pipeline saw which packet when, so rows
 * are the same for any number of pipelines. The results' thread.
 */
public final class UnreportedPackets {
    private final SourceCounts counts;
    private long inTimeTold;
    private long lateTold;

    /**
     * @param fromNs from when the query counts; {@link Long#MIN_VALUE}: from the first packet on
     */
    public UnreportedPackets(SourceCounts counts, long fromNs) {
        this.counts = counts;
        told(fromNs);
    }

    /** Returns the late packets that came before this time. */
    long late(long endNs) {
        return Math.max(0, counts.lateBefore(endNs) - lateTold);
    }

    /** Returns the packets in time before this time. It is at least 1, because there is a row. */
    long inTime(long endNs) {
        return Math.max(1, counts.before(endNs) - inTimeTold);
    }

    /** Notes that a row has reported all packets before this time. */
    void told(long endNs) {
        inTimeTold = counts.before(endNs);
        lateTold = counts.lateBefore(endNs);
    }
}
