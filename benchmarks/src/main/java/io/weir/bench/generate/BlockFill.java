package io.weir.bench.generate;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;

/** Fills one zeroed block with GPVs, a segment for each run of a layout. One thread. */
final class BlockFill {
    /**
     * These bytes stay free, because kernels load ahead, and a mapped file ends with its last
     * block.
     */
    private static final int SPARE_BYTES = 2048;

    private final long address;
    private final int sequence;
    private int length = BlockLayout.HEADER_BYTES;
    private int packets;
    private int segments;
    private long watermarkNs;

    private GpvLayout layout;
    private long segment;
    private int segmentGpvs;
    private int segmentPackets;
    private int segmentBytes;

    BlockFill(long address, int sequence) {
        this.address = address;
        this.sequence = sequence;
    }

    /** Writes the burst. Returns false, with nothing written, when the block has no room for it. */
    boolean add(Burst burst, GpvLayout burstLayout) {
        boolean opens = layout == null || layout.id() != burstLayout.id();
        int start = opens ? BlockLayout.align(length) + BlockLayout.SEGMENT_HEADER_BYTES : length;
        int gpvBytes = burstLayout.gpvBytes(burst.count);
        if (start + gpvBytes > GpvTrace.BLOCK_BYTES - SPARE_BYTES) {
            return false;
        }
        if (opens) {
            finishSegment();
            layout = burstLayout;
            segment = address + BlockLayout.align(length);
            segments++;
        }
        GpvEncoder.write(burst, layout, address + start);
        length = start + gpvBytes;
        segmentGpvs++;
        segmentPackets += burst.count;
        segmentBytes += gpvBytes;
        watermarkNs = burst.startNs;
        return true;
    }

    void finish() {
        finishSegment();
        Memory.putInt(address + BlockLayout.LENGTH, length);
        Memory.putShort(address + BlockLayout.VERSION_OFFSET, (short) BlockLayout.VERSION);
        Memory.putLong(address + BlockLayout.SEQUENCE, sequence);
        Memory.putLong(address + BlockLayout.WATERMARK, watermarkNs);
        Memory.putInt(address + BlockLayout.PACKETS, packets);
        Memory.putInt(address + BlockLayout.SEGMENTS, segments);
    }

    private void finishSegment() {
        if (layout == null) {
            return;
        }
        Memory.putShort(segment + BlockLayout.SEGMENT_LAYOUT, (short) layout.id());
        Memory.putInt(segment + BlockLayout.SEGMENT_GPVS, segmentGpvs);
        Memory.putInt(segment + BlockLayout.SEGMENT_BYTES, segmentBytes);
        Memory.putInt(segment + BlockLayout.SEGMENT_PACKETS, segmentPackets);
        packets += segmentPackets;
        segmentGpvs = 0;
        segmentPackets = 0;
        segmentBytes = 0;
    }
}
