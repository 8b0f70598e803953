package io.weir.operators.gpv;

/** The faults of a block's bytes. They are counted, not thrown. */
public enum BlockFault {
    NONE,
    /** Fewer bytes than a block's header. */
    CUT_HEADER,
    VERSION,
    /** The block says it is shorter than its header, or longer than its bytes. */
    LENGTH,
    /** A segment's header or bytes lie outside the block, or its counts are negative. */
    SEGMENT,
    /** An unknown layout. */
    LAYOUT,
    /** GPVs that do not fill their segment exactly, or one without a packet. */
    GPV,
    /** Counts of packets or segments that do not add up. */
    COUNTS
}
