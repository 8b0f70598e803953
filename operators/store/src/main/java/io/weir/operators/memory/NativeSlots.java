package io.weir.operators.memory;

/**
 * Places entries of hash tables in C, if there is {@link NativeCode}. It prefetches lines on the
 * way, which Java cannot. Stateless; any thread.
 */
public final class NativeSlots {
    private static final int MOST_BYTES = 32 * Long.BYTES;

    private NativeSlots() {}

    /** Returns whether there is C code for entries of so many bytes. */
    public static boolean has(int stride) {
        return NativeCode.LOADED && stride <= MOST_BYTES;
    }

    /**
     * Puts entries of a table that has grown into the first slots, from their homes on, that are
     * then empty. It takes them one after the other.
     *
     * @param from address of the first; until the last one's end they are a multiple of 64
     * @param slots of the grown table
     * @param oldSlots of the table before it grew
     */
    public static void place(
            long from,
            long until,
            int keyBytes,
            int stride,
            long table,
            long slots,
            long oldSlots) {
        NativeCode.place(from, until, keyBytes, stride, table, slots, oldSlots);
    }
}
