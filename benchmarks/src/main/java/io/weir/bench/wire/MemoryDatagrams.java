package io.weir.bench.wire;

import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.wire.SocketLibrary;
import io.weir.ingest.wire.gpv.BlockSource;
import io.weir.ingest.wire.gpv.ReceivedBlock;
import io.weir.ingest.wire.gpv.WireBlock;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.SplittableRandom;

/**
 * Datagrams of one GPV of 8 packets each, as a switch sends them (layout flow32), from memory:
 * again and again, with the next numbers. One thread.
 */
final class MemoryDatagrams extends BlockSource {
    static final int PACKETS = 8;

    private static final int DATAGRAMS = 1 << 17;
    private static final int SOURCES = 60_000;
    private static final int BURST = 64;
    private static final int GPV = WireBlock.HEADER_BYTES;
    private static final int BYTES = GPV + 24 + 4 * PACKETS;
    private static final int STRIDE = 128;

    private final NativeAllocator allocator;
    private final ReceivedBlock block = new ReceivedBlock();
    private final long datagrams;
    private final long blocks;
    private final int[] sources = new int[DATAGRAMS];
    private final long[] bytes = new long[DATAGRAMS];
    private long sent;

    MemoryDatagrams(SourceContext context, SourceSpec spec) {
        super(context, spec, 1);
        SocketLibrary.require("gpv-udp"); // it checks them
        allocator = context.allocator();
        datagrams = allocator.allocate((long) DATAGRAMS * STRIDE, MemoryTag.SCRATCH);
        blocks = allocator.allocate((long) BURST * ReceivedBlock.BYTES, MemoryTag.SCRATCH);
        Memory.zero(datagrams, (long) DATAGRAMS * STRIDE);
        Memory.zero(blocks, (long) BURST * ReceivedBlock.BYTES);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < DATAGRAMS; i++) {
            write(i, random, context.wallNs().getAsLong());
        }
    }

    private void write(int index, SplittableRandom random, long startNs) {
        long at = datagrams + (long) index * STRIDE;
        sources[index] = 0x0A000000 + random.nextInt(SOURCES);
        Memory.putIntBigEndian(at + WireBlock.AT_MAGIC, WireBlock.MAGIC);
        Memory.putByte(at + WireBlock.AT_VERSION, (byte) WireBlock.VERSION);
        Memory.putShortBigEndian(at + WireBlock.AT_GPVS, (short) 1);
        Memory.putShortBigEndian(at + WireBlock.AT_PACKETS, (short) PACKETS);
        Memory.putIntBigEndian(at + GPV, sources[index]);
        Memory.putIntBigEndian(at + GPV + 4, 0x0B000000 + random.nextInt(1000));
        Memory.putByte(at + GPV + 12, (byte) 6);
        Memory.putShortBigEndian(at + GPV + 14, (short) PACKETS);
        Memory.putLongBigEndian(at + GPV + 16, startNs);
        for (int i = 0; i < PACKETS; i++) {
            int length = 40 + random.nextInt(1400);
            bytes[index] += length;
            Memory.putIntBigEndian(at + GPV + 24 + 4L * i, 10 * i << 12 | length << 1);
        }
    }

    @Override
    protected int receive() {
        for (int i = 0; i < BURST; i++) {
            long at = datagrams + sent % DATAGRAMS * STRIDE;
            Memory.putIntBigEndian(at + WireBlock.AT_SEQUENCE, (int) sent);
            Memory.putLongBigEndian(at + WireBlock.AT_TOTAL, sent * PACKETS);
            check(at, BYTES, blocks + (long) i * ReceivedBlock.BYTES);
            sent++;
        }
        return BURST;
    }

    @Override
    protected ReceivedBlock block(int index) {
        return block.wrap(blocks + (long) index * ReceivedBlock.BYTES);
    }

    @Override
    protected void count() {}

    long sent() {
        return sent;
    }

    RepeatedTotals totals() {
        return new RepeatedTotals(sources, bytes, PACKETS);
    }

    @Override
    public void close() {
        allocator.free(datagrams, (long) DATAGRAMS * STRIDE, MemoryTag.SCRATCH);
        allocator.free(blocks, (long) BURST * ReceivedBlock.BYTES, MemoryTag.SCRATCH);
    }
}
