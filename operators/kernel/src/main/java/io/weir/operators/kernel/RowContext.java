package io.weir.operators.kernel;

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
 */
public record RowContext(
        long packetsLost,
        long packetsMissing,
        long packetsLate,
        double completeness,
        long activeFromNs,
        long leftOutMost,
        boolean isPartial) {
    public static final long ALWAYS = Long.MIN_VALUE;

    public static final long UNKNOWN = -1;

    /** Nothing missing, nothing left out. */
    public RowContext(long packetsLost, double completeness, long activeFromNs) {
        this(packetsLost, 0, 0, completeness, activeFromNs, 0, false);
    }

    /** Nothing lost, always active. */
    public static final RowContext WHOLE = new RowContext(0, 1.0, ALWAYS);
}
