package io.weir.operators.kernel;

/**
 * What the rows of one window say of themselves besides their values.
 *
 * @param packetsLost packets known lost in the window
 * @param completeness processed / (processed + lost)
 * @param activeFromNs from when the query counted; {@link #ALWAYS} without WHEN: NULL in SQL
 */
public record RowContext(long packetsLost, double completeness, long activeFromNs) {
    public static final long ALWAYS = Long.MIN_VALUE;

    /** Nothing lost, always active. */
    public static final RowContext WHOLE = new RowContext(0, 1.0, ALWAYS);
}
