package io.weir.operators.kernel;

/**
 * What the rows of one window say of themselves besides their values.
 *
 * @param packetsLost packets of which the window has told that they are lost, each once
 * @param packetsMissing an estimate of those of sources whose part has not come
 * @param packetsLate packets that LATENESS has left out, each told by one window
 * @param completeness processed / (processed + lost + missing + late), without what was estimated
 *     before
 * @param activeFromNs from when the query counted; {@link #ALWAYS} without WHEN: NULL in SQL
 * @param leftOutMost where only the heaviest groups stay, what any group may lack; {@link
 *     #UNKNOWN}: NULL in SQL
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
