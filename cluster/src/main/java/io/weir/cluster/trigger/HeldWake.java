package io.weir.cluster.trigger;

/**
 * A query's wake that is told when all rows of its time have been tested. Rows of one window can
 * wake a query, end it and wake it again; who hears of two wakes of one time takes the second for
 * the first, that came again. The thread that tests the rows.
 */
public final class HeldWake {
    private final Wakes told;
    private final String query;
    private final long version;
    private boolean holds;
    private long fromNs;
    private long untilNs;

    /**
     * @param told who passes it on
     */
    public HeldWake(Wakes told, String query, long version) {
        this.told = told;
        this.query = query;
        this.version = version;
    }

    /** The query counts packets from then on and before {@code endNs}. */
    public void woken(long beginNs, long endNs) {
        tell();
        holds = true;
        fromNs = beginNs;
        untilNs = endNs;
    }

    /** The activation that began at {@code beginNs} ends then. */
    public void until(long beginNs, long endNs) {
        if (holds) {
            untilNs = endNs;
            holds = endNs > fromNs; // else it never counted
        } else {
            told.until(query, version, beginNs, endNs);
        }
    }

    /** The rows have been tested. */
    public void tell() {
        if (holds) {
            holds = false;
            told.wake(query, version, fromNs, untilNs);
        }
    }
}
