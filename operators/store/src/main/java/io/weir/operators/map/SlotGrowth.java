package io.weir.operators.map;

/**
 * The rule by which a {@link SlotTable} grows: how full it becomes before, and how large it begins.
 * Stateless.
 */
final class SlotGrowth {
    /** The first size of a table of which nothing is known. */
    static final int FIRST_SLOTS = 64;

    /**
     * The bound of tables that grow at a load of 7/16, or 9/16 if entries are large. Larger tables
     * grow at 11/16. In a fuller table the CPU mispredicts the end of a probe more often, which
     * costs more than a hidden cache miss. But a table that has just grown shall have at most 4
     * times the bytes of its keys and values. A table of ten million shall have less.
     */
    private static final long ROOMY_BYTES = 255L << 20;

    private static final int SMALL_ENTRY_BYTES = 16;

    /**
     * Tables up to this size grow at 2/16. They stay in the nearest cache however empty they are.
     */
    private static final int NEAREST_BYTES = 32 << 10;

    /** A smaller table is soon too small again, so it grows by four. */
    private static final int QUICK_BYTES = 16 << 10;

    /** A table with many new keys also grows by four, up to 32 MiB and the special slots. */
    private static final int FILLING_BYTES = 33 << 20;

    /** The slots behind the last one that belong to no hash. */
    private static final int SPECIAL_SLOTS = 3;

    private SlotGrowth() {}

    /** Returns the bytes of a table with so many slots. */
    static long bytes(int strideBytes, long slots) {
        return (slots + SPECIAL_SLOTS) * strideBytes;
    }

    /**
     * Returns the first number of slots for a table that shall not grow before it has so many
     * entries.
     */
    static long slotsFor(int entries, EntryLayout layout, long mostBytes) {
        int stride = layout.strideBytes();
        long slots = FIRST_SLOTS;
        while (!layout.isDirect()
                && growAt(slots, stride, false) < entries
                && bytes(stride, 2 * slots) <= mostBytes) {
            slots *= 2;
        }
        return slots;
    }

    /**
     * Returns the number of entries at which a table grows.
     *
     * @param direct whether keys are numbers of slots. Entries are not counted as they come then,
     *     and the table grows by keys
     */
    static int growAt(long slots, int stride, boolean direct) {
        return (int) (slots / 16 * (direct ? 16 : sixteenths(slots * stride, stride)));
    }

    private static int sixteenths(long bytes, int stride) {
        if (bytes <= NEAREST_BYTES) {
            return 2;
        }
        return bytes > ROOMY_BYTES ? 11 : stride <= SMALL_ENTRY_BYTES ? 7 : 9;
    }

    /**
     * Returns whether a table grows by four, not by two.
     *
     * @param filling whether a large part of the keys was new recently
     */
    static boolean isQuick(long tableBytes, boolean filling) {
        return tableBytes < QUICK_BYTES || filling && 4 * tableBytes < FILLING_BYTES;
    }
}
