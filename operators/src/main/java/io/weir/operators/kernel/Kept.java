package io.weir.operators.kernel;

/**
 * Of a window of which only the heaviest groups stayed.
 *
 * @param leftOutMost what the figure by which groups are ranked may lack in any; {@link
 *     RowContext#UNKNOWN} where packets found no room at all
 * @param packetsLeftOut packets of groups that were taken out
 * @param packetsKept packets of the groups that stayed
 */
public record Kept(long leftOutMost, long packetsLeftOut, long packetsKept) {
    /** Of a query whose groups all stay. */
    public static final Kept ALL = new Kept(0, 0, 0);

    /** Of the packets that were for groups, the part that is in groups that stayed. */
    public double share() {
        return packetsLeftOut == 0 ? 1 : packetsKept / ((double) packetsKept + packetsLeftOut);
    }
}
