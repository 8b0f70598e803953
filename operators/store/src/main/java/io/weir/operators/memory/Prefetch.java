package io.weir.operators.memory;

/**
 * Prefetches lines of memory that will be needed, without waiting. JDK 17 has no such instruction,
 * so a call of C does it for many lines at a time. Without {@link NativeCode} lines are loaded
 * instead, or nothing is done. It changes no result. Stateless; any thread.
 */
public final class Prefetch {
    /** True if lines can be prefetched. */
    public static final boolean NATIVE = NativeCode.LOADED;

    private static final int LINE_BYTES = 64;

    /** The distance ahead of a reader: far enough for memory to answer in time. */
    private static final int AHEAD_BYTES = 4096;

    /** The distance if lines are loaded: memory of blocks has so much, and a line, to spare. */
    private static final int LOADED_AHEAD_BYTES = 1024;

    private static final int LEAST_BYTES = 512;

    /** The most bytes of one prefetch. A reader that skips more has not read them. */
    private static final int MOST_BYTES = 4096;

    /** Keeps the results of loads, so that HotSpot does not remove the loads as useless. */
    static long touched;

    private Prefetch() {}

    /**
     * Notes that a reader has come from one address to another. It prefetches as much some way
     * ahead, if a call is worth it.
     *
     * @return up to where that is done
     */
    public static long lines(long from, long to) {
        if (to - from < LEAST_BYTES) {
            return from;
        }
        long first = last(from, to);
        if (NATIVE) {
            NativeCode.ask(first + AHEAD_BYTES, to + AHEAD_BYTES);
        } else {
            long seen = 0;
            for (long at = first; at < to; at += LINE_BYTES) {
                seen ^= Memory.getLong(at + LOADED_AHEAD_BYTES);
            }
            touched = seen;
        }
        return to;
    }

    /** Returns the number of lines to prefetch if so many bytes will be needed. */
    public static int lines(int bytes) {
        return bytes > LINE_BYTES / 2 ? 2 : 1;
    }

    /**
     * Computes the home slots of keys in a table and prefetches their lines for writing. On the way
     * it does the work of {@link #lines}. Only if {@link #NATIVE}.
     *
     * @param keys address of the first key; the word before each is given its slot's address
     * @param step bytes from one to the next
     * @param words of a key
     * @param zero the home of the all-zero key
     * @param oldSlots of the table before it grew, while it is split
     * @param unsplit the first old slot whose keys are still in the old place; MAX_VALUE if all are
     *     split
     * @param lines to prefetch of each slot; 0 for none
     */
    public static void homes(
            long keys,
            int step,
            int count,
            int words,
            long table,
            long slots,
            int stride,
            long zero,
            long oldSlots,
            long unsplit,
            int lines,
            long from,
            long to) {
        NativeCode.homes(
                keys,
                step,
                count,
                words,
                table,
                slots,
                stride,
                zero,
                oldSlots,
                unsplit,
                lines,
                last(from, to) + AHEAD_BYTES,
                to + AHEAD_BYTES);
    }

    /**
     * Returns the start of the last bytes to prefetch. It has no branch, because one would rarely
     * be taken.
     */
    private static long last(long from, long to) {
        long over = to - MOST_BYTES - from;
        return from + (over & ~(over >> Long.SIZE - 1));
    }
}
