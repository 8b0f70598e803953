package io.weir.ingest.fuzz;

import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;

/**
 * A block of GPVs of any bytes: it is refused, or all its GPVs lie in it and their packets are
 * those that it counts. For Jazzer.
 */
public final class FuzzBlocks {
    private static final int MOST_BYTES = 16_384;
    private static final long ROOM =
            new NativeAllocator(1 << 20).allocate(2 * MOST_BYTES, MemoryTag.SCRATCH);
    private static final List<GpvCursor> GPVS =
            GpvLayout.all().stream().map(GpvCursor::new).toList();

    private FuzzBlocks() {}

    /** Jazzer calls it. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length > MOST_BYTES) {
            return;
        }
        for (int i = 0; i < data.length; i++) {
            Memory.putByte(ROOM + i, data[i]);
        }
        for (int i = data.length; i < 2 * MOST_BYTES; i++) {
            Memory.putByte(ROOM + i, (byte) -1);
        }
        BlockCursor block = new BlockCursor(false);
        if (block.wrap(ROOM, data.length) != BlockFault.NONE) {
            return;
        }
        long packets = 0;
        while (block.nextSegment()) {
            packets += segment(block, ROOM + data.length);
        }
        if (packets != block.packets()) {
            throw new IllegalStateException(packets + " packets, and not " + block.packets());
        }
    }

    private static long segment(BlockCursor block, long end) {
        GpvCursor gpv = GPVS.get(block.layoutId());
        long packets = 0;
        long at = block.gpvsAddress();
        for (int i = 0; i < block.gpvs(); i++) {
            gpv.wrap(at);
            at += gpv.gpvBytes();
            if (at > end || gpv.count() < 1) {
                throw new IllegalStateException("a GPV is not in its block");
            }
            packets += gpv.count();
        }
        return packets;
    }
}
