package io.weir.operators.result;

/**
 * The packets of a counted source that no row of one activation has told of yet. A window tells of
 * those since the window before that had rows, whatever pipelines saw when: so its rows are the
 * same for any number of them. The results' thread.
 */
public final class UntoldPackets {
    private final SourceCounts counts;
    private long inTimeTold;
    private long lateTold;

    /**
     * @param fromNs from when the query counts; {@link Long#MIN_VALUE}: from the first packet on
     */
    public UntoldPackets(SourceCounts counts, long fromNs) {
        this.counts = counts;
        told(fromNs);
    }

    /** Late packets that came before this time. */
    long late(long endNs) {
        return Math.max(0, counts.lateBefore(endNs) - lateTold);
    }

    /** Packets in time of before this time; at least 1, for there is a row to tell of them. */
    long inTime(long endNs) {
        return Math.max(1, counts.before(endNs) - inTimeTold);
    }

    /** A row has told of all before this time. */
    void told(long endNs) {
        inTimeTold = counts.before(endNs);
        lateTold = counts.lateBefore(endNs);
    }
}
