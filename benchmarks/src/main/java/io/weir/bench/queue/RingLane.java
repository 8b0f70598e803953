package io.weir.bench.queue;

import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.BlockRing;
import io.weir.operators.ring.BlockWriter;

/**
 * Weir's ring. A number is a whole GPV of two packets (flow32, 32 bytes), written and read in
 * place. It uses full blocks, or blocks with one GPV each to compare it with queues of messages.
 */
final class RingLane extends Lane {
    static final int BLOCK_BYTES = BlockWriter.DEFAULT_BLOCK_BYTES;

    /** A block that one GPV fills. */
    static final int ONE_GPV_BYTES = 112;

    private static final GpvLayout LAYOUT = GpvLayout.FLOW32_V4;
    private static final int PACKETS = 2;
    private static final int NUMBER = 16;
    private static final int RING_BYTES = 1 << 20;

    private final NativeAllocator allocator = new NativeAllocator(1 << 24);
    private final BlockRing ring = new BlockRing(allocator, RING_BYTES);
    private final BlockCursor cursor = new BlockCursor(true);
    private final BlockWriter writer;
    private final boolean single;
    private int received;
    private long sum;

    RingLane(boolean yields, int blockBytes) {
        super(yields);
        single = blockBytes == ONE_GPV_BYTES;
        writer = new BlockWriter(ring, 0, blockBytes, this::idle);
    }

    @Override
    void send(int count) {
        for (int i = 0; i < count; i++) {
            long gpv = writer.claim(LAYOUT, PACKETS);
            Memory.putLong(gpv, 0);
            Memory.putInt(gpv + 8, 0);
            Memory.putShort(gpv + 12, (short) 0);
            Memory.putShortBigEndian(gpv + 14, (short) PACKETS);
            Memory.putLong(gpv + NUMBER, item(i));
            Memory.putLong(gpv + 24, 0);
            if (single) {
                writer.flush(i);
            }
        }
        writer.flush(count);
    }

    @Override
    long receive(int count) {
        received = 0;
        sum = 0;
        while (received < count) {
            if (ring.read(this::block, 64) == 0) {
                idle();
            }
        }
        return sum;
    }

    private void block(long address, int length) {
        cursor.wrap(address, length);
        while (cursor.nextSegment()) {
            long gpv = cursor.gpvsAddress();
            int gpvs = cursor.gpvs();
            int bytes = LAYOUT.gpvBytes(PACKETS);
            long segmentSum = 0;
            for (int i = 0; i < gpvs; i++) {
                segmentSum += Memory.getLong(gpv + NUMBER);
                gpv += bytes;
            }
            sum += segmentSum;
            received += gpvs;
        }
    }

    @Override
    public void close() {
        ring.close();
        allocator.close();
    }
}
