package io.weir.ingest.cache;

import io.weir.operators.gpv.GpvLayout;

/**
 * One slot of the cache. Its header is that of the {@code full} layout, with count left 0. So a
 * packet is compared with the flow word by word, and an IPv4 flow with the first line alone.
 *
 * <pre>
 *  0 count 2   2 family 1 (0: free)   3 refused a wide buffer 1   4 wide buffer 4 (-1: none)
 *  8 last 8 (ns: of the newest packet)
 * 16 header of full, IPv4 (56 bytes) or IPv6 (80 bytes)
 * 96 narrow tuples of 48 bytes
 * </pre>
 */
final class SlotLayout {
    static final int COUNT = 0;
    static final int FAMILY = 2;
    static final int REFUSED = 3;
    static final int WIDE = 4;
    static final int LAST = 8;
    static final int HEADER = 16;
    static final int TUPLES = 96;

    static final int TUPLE_BYTES = GpvLayout.FULL_V4.tupleBytes();
    static final int NO_WIDE = -1;

    /** Words of the header in an IPv4 slot, from the slot's start. */
    static final int V4_ADDRESSES = HEADER;

    static final int V4_PORTS = HEADER + 8;
    static final int V4_START = HEADER + 16;
    static final int V4_SRC_MAC = HEADER + 24;
    static final int V4_DST_MAC = HEADER + 32;
    static final int V4_LINK = HEADER + 40;

    static final int V6_SRC = HEADER;
    static final int V6_DST = HEADER + 16;

    /** The extra offset, in an IPv6 slot, of the part after the addresses. */
    static final int V6_SHIFT = 24;

    /** The place of the count within the word of ports. */
    static final int COUNT_IN_PORTS = 6;

    private static final int LINE_BYTES = 64;

    private SlotLayout() {}

    /** Bytes from slot to slot: whole cache lines. */
    static int strideBytes(int narrowTuples) {
        return TUPLES + narrowTuples * TUPLE_BYTES + LINE_BYTES - 1 & -LINE_BYTES;
    }
}
