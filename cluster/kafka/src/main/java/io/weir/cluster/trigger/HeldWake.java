package io.weir.cluster.trigger;

/**
 * Holds a query's wake back until all rows of its time have been tested. Rows of one window can
 * wake a query, end it and wake it again. A reader of two wakes at one time would take the second
 * for a repetition of the first. The thread that tests the rows.
 */
public final class HeldWake {
    private final Wakes told;
    private final String query;
    private final long version;
    private boolean holds;
    private long fromNs;
    private long untilNs;

    /**
     * @param told passes it on
     */
    public HeldWake(Wakes told, String query, long version) {
        this.told = told;
        this.query = query;
        this.version = version;
    }

    /** Notes that the query counts packets from {@code beginNs} on and before {@code endNs}. */
    public void woken(long beginNs, long endNs) {
        tell();
        holds = true;
        fromNs = beginNs;
        untilNs = endNs;
    }

    /** Notes that the activation that began at {@code beginNs} ends at {@code endNs}. */
    public void until(long beginNs, long endNs) {
        if (holds) {
            untilNs = endNs;
            holds = endNs > fromNs; // otherwise it never counted
        } else {
            told.until(query, version, beginNs, endNs);
        }
    }

    /** Passes the wake on, after the rows have been tested. */
    public void tell() {
        if (holds) {
            holds = false;
            told.wake(query, version, fromNs, untilNs);
        }
    }
}
