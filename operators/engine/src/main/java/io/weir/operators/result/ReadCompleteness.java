package io.weir.operators.result;

import io.weir.operators.rows.RowBatch;

/**
 * The completeness of the rows that a query over another query's rows has read. A query over
 * packets reads none. The results' thread.
 */
final class ReadCompleteness {
    private final boolean reads;

    /**
     * True if each table replaces all that was read before, and so stays as incomplete as it is.
     */
    private final boolean stays;

    /**
     * The least completeness of the rows read since the last window. The next rows cannot be more
     * complete.
     */
    private double least = 1;

    /** True if a window read since the last one was seen in part. */
    private boolean partial;

    private long lacksUntilNs = Long.MIN_VALUE;

    private ReadCompleteness(boolean reads, boolean stays) {
        this.reads = reads;
        this.stays = stays;
    }

    /** Makes that of a query over packets. */
    static ReadCompleteness none() {
        return new ReadCompleteness(false, false);
    }

    /** Makes that of a query over rows, which are perhaps whole tables. */
    static ReadCompleteness ofRows(boolean tables) {
        return new ReadCompleteness(true, tables);
    }

    /** Notes rows that were read. */
    void read(RowBatch batch) {
        atMost(batch.completeness());
        partial |= batch.partial();
    }

    /** Notes that rows were read which are at most so complete. */
    void atMost(double completeness) {
        least = Math.min(least, completeness);
    }

    /** Notes that rows were lost of which nobody knows how many packets they had. */
    void unmade() {
        least = reads ? 0 : least;
    }

    /** Notes that windows with an end up to this time lack rows; nobody knows how many. */
    void lacks(long untilNs) {
        lacksUntilNs = Math.max(lacksUntilNs, untilNs);
    }

    /** Returns whether a window read since the last one was seen in part. */
    boolean isPartial() {
        return partial;
    }

    /** Returns the least completeness of the rows read since the last window. */
    double least() {
        return least;
    }

    /** Returns the most that rows up to this end can be complete, and begins the next window. */
    double take(long endNs) {
        double most = endNs <= lacksUntilNs ? 0 : least;
        partial = false;
        least = stays ? least : 1;
        return most;
    }

    /** Restores what a predecessor knew. */
    void resume(double completeness) {
        least = completeness;
    }
}
