package io.weir.operators.gpv;

import io.weir.operators.memory.Memory;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Checks a block's bytes before any length in them is used. Stateless and free of allocation; any
 * thread.
 */
final class BlockCheck {
    private static final GpvLayout[] LAYOUTS = GpvLayout.all().toArray(GpvLayout[]::new);
    private static final int[] COUNT_OFFSETS = countOffsets(GpvLayout.all());

    private BlockCheck() {}

    private static int[] countOffsets(List<GpvLayout> layouts) {
        int[] offsets = new int[layouts.size()];
        for (int l = 0; l < offsets.length; l++) {
            offsets[l] = layouts.get(l).field(GpvLayout.COUNT).orElseThrow().offset();
        }
        return offsets;
    }

    /**
     * @param length the number of bytes
     * @param gpvs whether to walk the GPVs too, which is necessary for bytes from outside the
     *     process
     */
    static BlockFault fault(long block, int length, boolean gpvs) {
        if (length < BlockLayout.HEADER_BYTES) {
            return BlockFault.CUT_HEADER;
        }
        if (Memory.getShort(block + BlockLayout.VERSION_OFFSET) != BlockLayout.VERSION) {
            return BlockFault.VERSION;
        }
        int blockBytes = Memory.getInt(block + BlockLayout.LENGTH);
        if (blockBytes < BlockLayout.HEADER_BYTES || blockBytes > length) {
            return BlockFault.LENGTH;
        }
        if (Memory.getInt(block + BlockLayout.LOST) < 0) {
            return BlockFault.COUNTS;
        }
        return segments(block, blockBytes, gpvs);
    }

    private static BlockFault segments(long block, int blockBytes, boolean gpvs) {
        long packets = 0;
        long offset = BlockLayout.HEADER_BYTES;
        int segments = Memory.getInt(block + BlockLayout.SEGMENTS);
        for (int i = 0; i < segments; i++) {
            if (offset + BlockLayout.SEGMENT_HEADER_BYTES > blockBytes) {
                return BlockFault.SEGMENT;
            }
            int header = headerBytes(block + offset);
            long left = blockBytes - offset - header;
            BlockFault fault = segment(block + offset, left, gpvs);
            if (fault != BlockFault.NONE) {
                return fault;
            }
            packets += Memory.getInt(block + offset + BlockLayout.SEGMENT_PACKETS);
            int bytes = Memory.getInt(block + offset + BlockLayout.SEGMENT_BYTES);
            offset = BlockLayout.align(offset + header + bytes);
        }
        boolean whole = BlockLayout.align(blockBytes) == offset && segments >= 0;
        return whole && packets == Memory.getInt(block + BlockLayout.PACKETS)
                ? BlockFault.NONE
                : BlockFault.COUNTS;
    }

    private static int headerBytes(long segment) {
        return BlockLayout.segmentHeaderBytes(Memory.getShort(segment + BlockLayout.SEGMENT_FLAGS));
    }

    private static BlockFault segment(long segment, long left, boolean walk) {
        int layoutId = Memory.getShort(segment + BlockLayout.SEGMENT_LAYOUT);
        if (layoutId < 0 || layoutId >= LAYOUTS.length) {
            return BlockFault.LAYOUT;
        }
        int gpvs = Memory.getInt(segment + BlockLayout.SEGMENT_GPVS);
        int bytes = Memory.getInt(segment + BlockLayout.SEGMENT_BYTES);
        int packets = Memory.getInt(segment + BlockLayout.SEGMENT_PACKETS);
        if (gpvs < 0 || bytes < 0 || packets < 0 || bytes > left) {
            return BlockFault.SEGMENT;
        }
        return walk ? gpvs(segment, layoutId, bytes) : BlockFault.NONE;
    }

    private static BlockFault gpvs(long segment, int layoutId, int bytes) {
        GpvLayout layout = LAYOUTS[layoutId];
        int countOffset = COUNT_OFFSETS[layoutId];
        boolean big = layout.order() == ByteOrder.BIG_ENDIAN;
        long gpv = segment + headerBytes(segment);
        long end = gpv + bytes;
        long packets = 0;
        int gpvs = Memory.getInt(segment + BlockLayout.SEGMENT_GPVS);
        for (int i = 0; i < gpvs; i++) {
            if (gpv + layout.headerBytes() > end) {
                return BlockFault.GPV;
            }
            long at = gpv + countOffset;
            int count = 0xFFFF & (big ? Memory.getShortBigEndian(at) : Memory.getShort(at));
            gpv += layout.gpvBytes(count);
            packets += count;
            if (count == 0 || gpv > end) {
                return BlockFault.GPV;
            }
        }
        boolean counted = packets == Memory.getInt(segment + BlockLayout.SEGMENT_PACKETS);
        return gpv == end ? counted ? BlockFault.NONE : BlockFault.COUNTS : BlockFault.GPV;
    }
}
