package io.weir.operators.map;

/**
 * The layout of a call that reads GPVs into a batch: its arguments and its results, in words of
 * eight bytes.
 *
 * <pre>
 *    0 next (address of the next GPV)     8 left (GPVs that are not read yet)
 *   16 entry (address of the next)       24 end (there is room up to here)
 *   32 from                              40 until (ns: GPVs that are not within end the call)
 *   48 count (packets, without entries)  56 four sums (without entries)
 *   88 four values that fields must have
 *  120 bits of a packet's field         128 what they must be for it to count
 *  136 how many tables                  144 1 where a word of four bytes has come to 2^31
 *  152 the tables, two at most, 96 bytes each:
 *      0 table 8   8 slots 8   16 stride 8   24 bytes from an entry to its key 8
 *     32 words of a key 8     40 old slots 8   48 unsplit 8   56 slot of the all-zero key 8
 *     64 bytes of a key 8     72 room (so many more entries may be made) 8
 *     80 1 where many keys were new of late 8   88 inserted (entries that were made) 8
 * </pre>
 *
 * The C code {@code gather.c} has the same layout.
 */
public final class GatherCall {
    public static final int NEXT = 0;
    public static final int LEFT = 8;
    public static final int ENTRY = 16;
    public static final int END = 24;
    public static final int FROM_NS = 32;
    public static final int UNTIL_NS = 40;
    public static final int COUNT = 48;
    public static final int SUMS = 56;
    public static final int VALUES = 88;
    public static final int MASK = 120;
    public static final int WANTED = 128;
    public static final int TABLES = 136;
    public static final int HIGH = 144;

    public static final int MOST_TABLES = 2;

    static final int TABLE = 152;
    static final int TABLE_BYTES = 96;
    static final int ZERO = 56;
    static final int ROOM = 72;
    static final int CLAIMS = 80;
    static final int INSERTED = 88;
    static final int BYTES = TABLE + MOST_TABLES * TABLE_BYTES;

    private GatherCall() {}
}
