package io.weir.operators.memory;

/**
 * Asks for lines of memory that will be needed, without waiting for them: JDK 17 has no such
 * instruction, so a call of C makes it, for many lines at a time. Where there is no {@link
 * NativeCode}, lines are loaded instead, or not asked for. Changes no result. Stateless; any
 * thread.
 */
public final class Prefetch {
    /** Whether lines can be asked for. */
    public static final boolean NATIVE = NativeCode.LOADED;

    private static final int LINE_BYTES = 64;

    /** How far ahead of a reader: far enough for memory to answer in time. */
    private static final int AHEAD_BYTES = 4096;

    /** How far where lines are loaded: memory of blocks has so much, and a line, to spare. */
    private static final int LOADED_AHEAD_BYTES = 1024;

    private static final int LEAST_BYTES = 512;

    /** Most that is asked for at a time: a reader who skips more has not read it. */
    private static final int MOST_BYTES = 4096;

    /** What loads have read, so that they are not left out as useless. */
    static long touched;

    private Prefetch() {}

    /**
     * A reader has come from one address to another: as much is asked for some way ahead, where it
     * is worth a call.
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

    /** How many lines to ask for where so many bytes will be needed. */
    public static int lines(int bytes) {
        return bytes > LINE_BYTES / 2 ? 2 : 1;
    }

    /**
     * Works out the slots of a table where keys are to be looked for, and asks for their lines, to
     * write to them; and on the way for {@link #lines}. Only where it is {@link #NATIVE}.
     *
     * @param keys address of the first key; the word before each is given its slot's address
     * @param step bytes from one to the next
     * @param words of a key
     * @param zero where the all-zero key is looked for
     * @param oldSlots of the table before it grew, while it is split
     * @param unsplit what comes of old slots from this one on is there still; MAX_VALUE where all
     *     are split
     * @param lines to ask for of each slot; 0 where none
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
     * Where the last of those bytes begin that are asked for; no branch that is hardly ever taken.
     */
    private static long last(long from, long to) {
        long over = to - MOST_BYTES - from;
        return from + (over & ~(over >> Long.SIZE - 1));
    }
}
