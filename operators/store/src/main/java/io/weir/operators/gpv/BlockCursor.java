package io.weir.operators.gpv;

import io.weir.operators.memory.Memory;

/**
 * Walks the segments of a block in place. {@link #wrap} checks the whole block first. A faulty
 * block is not walked at all. One thread; no allocation.
 */
public final class BlockCursor {
    private final boolean walksGpvs;
    private long block;
    private long segment;
    private int segmentsLeft;

    /**
     * @param trusted whether the blocks come from this process's own writers. The GPVs' counts are
     *     then not checked; every kernel reads them anyway
     */
    public BlockCursor(boolean trusted) {
        this.walksGpvs = !trusted;
    }

    /**
     * Moves to a block, before its first segment. Returns NONE if its bytes are sound.
     *
     * @param length the number of bytes at the address; the block may be shorter
     */
    public BlockFault wrap(long address, int length) {
        block = address;
        segment = 0;
        BlockFault fault = BlockCheck.fault(address, length, walksGpvs);
        segmentsLeft = fault == BlockFault.NONE ? Memory.getInt(block + BlockLayout.SEGMENTS) : 0;
        return fault;
    }

    public int partition() {
        return Memory.getInt(block + BlockLayout.PARTITION);
    }

    public long sequence() {
        return Memory.getLong(block + BlockLayout.SEQUENCE);
    }

    public long watermarkNs() {
        return Memory.getLong(block + BlockLayout.WATERMARK);
    }

    /** Packets of the whole block. */
    public int packets() {
        return Memory.getInt(block + BlockLayout.PACKETS);
    }

    public int nodeSymbol() {
        return Memory.getInt(block + BlockLayout.NODE);
    }

    public int lost() {
        return Memory.getInt(block + BlockLayout.LOST);
    }

    /** When the lost packets were; MIN_VALUE where that is not known. */
    public long lostNs() {
        return Memory.getLong(block + BlockLayout.LOST_AT);
    }

    /** Returns whether windows would have left the lost packets out. */
    public boolean isLostLate() {
        return has(BlockLayout.FLAG_LOST_LATE);
    }

    public boolean isEnd() {
        return has(BlockLayout.FLAG_END);
    }

    private boolean has(int flag) {
        return (Memory.getShort(block + BlockLayout.FLAGS) & flag) != 0;
    }

    /** Moves to the next segment; false after the last. */
    public boolean nextSegment() {
        if (segmentsLeft == 0) {
            return false;
        }
        segmentsLeft--;
        segment =
                segment == 0
                        ? block + BlockLayout.HEADER_BYTES
                        : block + BlockLayout.align(gpvsAddress() + gpvsBytes() - block);
        return true;
    }

    public int layoutId() {
        return Memory.getShort(segment + BlockLayout.SEGMENT_LAYOUT);
    }

    public int segmentFlags() {
        return Memory.getShort(segment + BlockLayout.SEGMENT_FLAGS);
    }

    /** GPVs of this segment. */
    public int gpvs() {
        return Memory.getInt(segment + BlockLayout.SEGMENT_GPVS);
    }

    public int gpvsBytes() {
        return Memory.getInt(segment + BlockLayout.SEGMENT_BYTES);
    }

    /** Packets of this segment. */
    public int segmentPackets() {
        return Memory.getInt(segment + BlockLayout.SEGMENT_PACKETS);
    }

    public long gpvsAddress() {
        return segment + BlockLayout.segmentHeaderBytes(segmentFlags());
    }

    /**
     * Returns the source's newest time when this late segment's packets came; MIN_VALUE for other
     * segments.
     */
    public long cameNs() {
        return (segmentFlags() & BlockLayout.SEGMENT_FLAG_LATE) == 0
                ? Long.MIN_VALUE
                : Memory.getLong(segment + BlockLayout.SEGMENT_CAME);
    }
}
