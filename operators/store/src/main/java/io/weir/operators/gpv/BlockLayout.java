package io.weir.operators.gpv;

/**
 * A block of GPVs: one ring record, one UDP datagram. Little endian.
 *
 * <pre>
 *   0 length 4 (bytes of the block, this header included)
 *   4 version 2            6 flags 2
 *   8 source 4            12 partition 4
 *  16 sequence 8 (from 0, one up for each block of the partition: a gap is a counted loss)
 *  24 watermark 8 (ns: no later block of this partition has an older packet that is not late)
 *  32 packets 4           36 segments 4
 *  40 node 4 (symbol of the source's node_id)
 *  44 lost 4 (packets that are lost since the block before)
 *  48 lost at 8 (ns: when these packets were; MIN_VALUE where that is not known)
 *  56 segments, each at a multiple of 8 from the block's start:
 *       0 layout 2   2 flags 2   4 GPVs 4   8 bytes of them 4   12 packets 4
 *      16 came 8 (ns: the source's newest time when its packets came; only of late segments)
 *      16 or 24 the GPVs, back to back, all of this layout
 * </pre>
 *
 * A segment is a run of GPVs of one layout, one family and one lateness. The order of the stream is
 * kept across families, and a kernel reads each run with one call. (ADR 0003.)
 */
public final class BlockLayout {
    public static final int VERSION = 1;

    public static final int LENGTH = 0;
    public static final int VERSION_OFFSET = 4;
    public static final int FLAGS = 6;
    public static final int SOURCE = 8;
    public static final int PARTITION = 12;
    public static final int SEQUENCE = 16;
    public static final int WATERMARK = 24;
    public static final int PACKETS = 32;
    public static final int SEGMENTS = 36;
    public static final int NODE = 40;
    public static final int LOST = 44;
    public static final int LOST_AT = 48;
    public static final int HEADER_BYTES = 56;

    /** Marks the source's last block: whatever its watermark, no packet comes after it. */
    public static final int FLAG_END = 1;

    /** The packets that are lost were late: windows would have left them out. */
    public static final int FLAG_LOST_LATE = 2;

    public static final int SEGMENT_LAYOUT = 0;
    public static final int SEGMENT_FLAGS = 2;
    public static final int SEGMENT_GPVS = 4;
    public static final int SEGMENT_BYTES = 8;
    public static final int SEGMENT_PACKETS = 12;
    public static final int SEGMENT_HEADER_BYTES = 16;

    /** The place of the time before the GPVs of a late segment. */
    public static final int SEGMENT_CAME = 16;

    /** Marks a late segment: running totals count its packets, windows do not. */
    public static final int SEGMENT_FLAG_LATE = 1;

    /** Marks a late segment whose packets are not too old, but from the future. */
    public static final int SEGMENT_FLAG_FUTURE = 2;

    public static final int ALIGNMENT = 8;

    private BlockLayout() {}

    /** Returns the bytes of a segment's header. */
    public static int segmentHeaderBytes(int flags) {
        boolean late = (flags & SEGMENT_FLAG_LATE) != 0;
        return late ? SEGMENT_HEADER_BYTES + Long.BYTES : SEGMENT_HEADER_BYTES;
    }

    /** Rounds up to a multiple of {@link #ALIGNMENT}. */
    public static int align(int length) {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** Rounds up to a multiple of {@link #ALIGNMENT}. */
    public static long align(long length) {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }
}
