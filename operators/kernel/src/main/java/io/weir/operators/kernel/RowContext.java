package io.weir.operators.kernel;

import java.util.Optional;

/**
 * The facts about one window that its rows show beside their values.
 *
 * @param packetsLost packets that the window reports as lost; each is reported once
 * @param packetsMissing an estimate for the sources whose part has not come
 * @param packetsLate packets that LATENESS has left out; each is reported by one window
 * @param completeness processed / (processed + lost + missing + late), without what was estimated
 *     before
 * @param activeFromNs from when the query counted; {@link #ALWAYS} without WHEN: NULL in SQL
 * @param leftOutMost the most that any group may lack if only the heaviest stay; {@link #UNKNOWN}:
 *     NULL in SQL
 * @param isPartial whether a part of the window's time was not seen
 * @param bindings of a query that uses values of its upstream; each has its own activeFromNs, and
 *     its own isPartial
 * @param history of a query with OVER, if it needs rows of earlier windows
 */
public record RowContext(
        long packetsLost,
        long packetsMissing,
        long packetsLate,
        double completeness,
        long activeFromNs,
        long leftOutMost,
        boolean isPartial,
        Optional<BindingFeed> bindings,
        Optional<OverHistory> history) {
    public static final long ALWAYS = Long.MIN_VALUE;

    public static final long UNKNOWN = -1;

    /** The facts of a query without bindings. */
    public RowContext(
            long packetsLost,
            long packetsMissing,
            long packetsLate,
            double completeness,
            long activeFromNs,
            long leftOutMost,
            boolean isPartial) {
        this(
                packetsLost,
                packetsMissing,
                packetsLate,
                completeness,
                activeFromNs,
                leftOutMost,
                isPartial,
                Optional.empty(),
                Optional.empty());
    }

    /** Returns the facts for a query with these bindings. */
    public RowContext of(Optional<BindingFeed> feed) {
        return with(activeFromNs, isPartial, feed);
    }

    /** Returns the facts for a query that needs these rows of earlier windows. */
    public RowContext after(Optional<OverHistory> rows) {
        return new RowContext(
                packetsLost,
                packetsMissing,
                packetsLate,
                completeness,
                activeFromNs,
                leftOutMost,
                isPartial,
                bindings,
                rows);
    }

    /** Returns the facts for the rows of one binding's activation. */
    RowContext of(long id, long startNs, long endNs) {
        BindingFeed.Change one = bindings.orElseThrow().of(id);
        if (one == null) {
            return with(activeFromNs, true, Optional.empty()); // it ended long ago
        }
        boolean part = startNs < one.activeFromNs() || endNs > one.untilNs();
        return with(one.activeFromNs(), isPartial || part, Optional.empty());
    }

    private RowContext with(long fromNs, boolean partial, Optional<BindingFeed> feed) {
        return new RowContext(
                packetsLost,
                packetsMissing,
                packetsLate,
                completeness,
                fromNs,
                leftOutMost,
                partial,
                feed,
                history);
    }

    /** Nothing missing, nothing left out. */
    public RowContext(long packetsLost, double completeness, long activeFromNs) {
        this(packetsLost, 0, 0, completeness, activeFromNs, 0, false);
    }

    /** Nothing lost, always active. */
    public static final RowContext WHOLE = new RowContext(0, 1.0, ALWAYS);
}
