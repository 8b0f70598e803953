package io.weir.ingest.wire.gpv;

/** The faults of a datagram, in C's order (gpv/block.h). They are counted, not thrown. */
enum WireFault {
    NONE,
    /** Fewer bytes than a block's header. */
    CUT_HEADER,
    /** Bytes that do not begin as a block does. */
    FOREIGN,
    VERSION,
    /** An unknown layout. */
    LAYOUT,
    /** GPVs that do not fill the datagram, or one without a packet. */
    GPV,
    /** Counts of packets that do not add up. */
    COUNTS,
    /** A time before 1970 or after 2116. */
    TIMES,
    /** More bytes than {@link WireBlock#MOST_BYTES}. */
    TOO_LONG;

    static final WireFault[] ALL = values();
}
