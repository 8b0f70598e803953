package io.weir.operators.kernel;

/**
 * The account of a window that kept only its heaviest groups.
 *
 * @param leftOutMost the most that the ranking figure of any group may lack; {@link
 *     RowContext#UNKNOWN} if packets found no room at all
 * @param packetsLeftOut packets of groups that were taken out
 * @param packetsWithoutRoom packets of groups that found no memory when parts were merged
 * @param packetsKept packets of the groups that stayed
 */
public record TopKAccount(
        long leftOutMost, long packetsLeftOut, long packetsWithoutRoom, long packetsKept) {
    /** The account of a query that keeps all groups. */
    public static final TopKAccount ALL = new TopKAccount(0, 0, 0, 0);

    /** Returns the fraction of the packets whose groups stayed. */
    public double share() {
        return packetsLost() == 0 ? 1 : packetsKept / ((double) packetsKept + packetsLost());
    }

    /** Packets of groups that did not stay. */
    public long packetsLost() {
        return packetsLeftOut + packetsWithoutRoom;
    }
}
