package io.weir.operators.kernel;

/**
 * Of a window of which only the heaviest groups stayed.
 *
 * @param leftOutMost what the figure by which groups are ranked may lack in any; {@link
 *     RowContext#UNKNOWN} where packets found no room at all
 * @param packetsLeftOut packets of groups that were taken out
 * @param packetsWithoutRoom packets of groups that there was no memory for when they were put
 *     together
 * @param packetsKept packets of the groups that stayed
 */
public record Kept(
        long leftOutMost, long packetsLeftOut, long packetsWithoutRoom, long packetsKept) {
    /** Of a query whose groups all stay. */
    public static final Kept ALL = new Kept(0, 0, 0, 0);

    /** Of the packets that were for groups, the part that is in groups that stayed. */
    public double share() {
        return packetsLost() == 0 ? 1 : packetsKept / ((double) packetsKept + packetsLost());
    }

    /** Packets of groups that did not stay. */
    public long packetsLost() {
        return packetsLeftOut + packetsWithoutRoom;
    }
}
