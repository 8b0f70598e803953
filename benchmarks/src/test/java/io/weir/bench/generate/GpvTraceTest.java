package io.weir.bench.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpvTraceTest {
    private static final TrafficShape SHAPE = TrafficShape.of(50_000, 500, 11).withIpv6(20);

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"flow32", "full"})
    void blocksHoldWhatTheirHeadersSay(String layoutName) {
        try (NativeAllocator allocator = new NativeAllocator(1L << 30);
                GpvTrace trace = GpvTrace.generate(SHAPE, layoutName, allocator)) {
            long packets = 0;
            long gpvs = 0;
            for (int block = 0; block < trace.blocks(); block++) {
                long address = trace.blockAddress(block);
                assertEquals(block, Memory.getLong(address + BlockLayout.SEQUENCE));
                long end = address + BlockLayout.HEADER_BYTES;
                int segments = Memory.getInt(address + BlockLayout.SEGMENTS);
                for (int s = 0; s < segments; s++) {
                    long segment = address + BlockLayout.align((int) (end - address));
                    gpvs += Memory.getInt(segment + BlockLayout.SEGMENT_GPVS);
                    packets += packetsOf(segment);
                    end = segment + BlockLayout.SEGMENT_HEADER_BYTES;
                    end += Memory.getInt(segment + BlockLayout.SEGMENT_BYTES);
                }
                assertEquals(trace.blockLength(block), end - address);
            }
            assertEquals(SHAPE.packets(), packets);
            assertEquals(trace.packets(), packets);
            assertEquals(trace.gpvs(), gpvs);
        }
    }

    /** Walks the segment's GPVs by their counts, and checks that they end where it ends. */
    private static int packetsOf(long segment) {
        GpvLayout layout =
                GpvLayout.all().get(Memory.getShort(segment + BlockLayout.SEGMENT_LAYOUT));
        long gpv = segment + BlockLayout.SEGMENT_HEADER_BYTES;
        long end = gpv + Memory.getInt(segment + BlockLayout.SEGMENT_BYTES);
        int offset = layout.field(GpvLayout.COUNT).orElseThrow().offset();
        boolean big = layout.order() == java.nio.ByteOrder.BIG_ENDIAN;
        int packets = 0;
        while (gpv < end) {
            int count =
                    big ? Memory.getShortBigEndian(gpv + offset) : Memory.getShort(gpv + offset);
            assertTrue(count >= 1 && count <= 8);
            packets += count;
            gpv += layout.gpvBytes(count);
        }
        assertEquals(end, gpv);
        assertEquals(Memory.getInt(segment + BlockLayout.SEGMENT_PACKETS), packets);
        return packets;
    }

    @Test
    void dumpsWholeBlocks() throws Exception {
        Path file = directory.resolve("trace");
        try (NativeAllocator allocator = new NativeAllocator(1L << 30);
                GpvTrace trace = GpvTrace.generate(SHAPE, "flow32", allocator)) {
            trace.writeTo(file);
            assertEquals((long) trace.blocks() * GpvTrace.BLOCK_BYTES, Files.size(file));
        }
    }
}
