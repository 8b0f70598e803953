package io.weir.operators.graph;

/**
 * The rows of a partition that a function of OVER reads, counted from the current row.
 *
 * @param fromRows below 0 for rows before it; {@link #FIRST} for all before it
 * @param toRows above 0 for rows after it; {@link #LAST} for all after it
 * @param peers whether the rows that equal the last one in their order belong to it too
 */
public record OverFrame(long fromRows, long toRows, boolean peers) {
    public static final long FIRST = Long.MIN_VALUE;
    public static final long LAST = Long.MAX_VALUE;

    /** The whole partition. */
    public static final OverFrame WHOLE = new OverFrame(FIRST, LAST, false);

    /** The rows up to the current one, and those that ORDER BY leaves equal to it. */
    public static final OverFrame UP_TO_PEERS = new OverFrame(FIRST, 0, true);
}
