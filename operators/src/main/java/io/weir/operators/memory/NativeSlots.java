package io.weir.operators.memory;

/**
 * What C does for hash tables of entries that lie one behind the other, where there is {@link
 * NativeCode}: it asks for lines on the way, which Java cannot. Stateless; any thread.
 */
public final class NativeSlots {
    private static final int MOST_BYTES = 32 * Long.BYTES;

    private NativeSlots() {}

    /** Whether there is C for entries of so many bytes. */
    public static boolean has(int stride) {
        return NativeCode.LOADED && stride <= MOST_BYTES;
    }

    /**
     * Puts entries of a table that has grown, one after the other, into the first slot from their
     * homes on that is empty then.
     *
     * @param from address of the first; until the last one's end they are a multiple of 64
     * @param slots of the grown table
     * @param oldSlots of the table that it was
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
