package io.weir.bench.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Inet;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpvTraceTest {
    private static final TrafficShape SHAPE = TrafficShape.of(50_000, 500, 11).withIpv6(20);

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"flow32", "full"})
    void theProductsCursorsReadTheBursts(String layoutName) throws Exception {
        Path file = directory.resolve("trace");
        GpvTrace.write(SHAPE, layoutName, file);
        GpvTrace trace = GpvTrace.open(file);
        Traffic traffic = new Traffic(SHAPE);
        Burst burst = new Burst();
        BlockCursor cursor = new BlockCursor(false);
        for (int block = 0; block < trace.blocks(); block++) {
            BlockFault fault = cursor.wrap(trace.blockAddress(block), trace.blockLength(block));
            assertEquals(BlockFault.NONE, fault);
            assertEquals(block, cursor.sequence());
            while (cursor.nextSegment()) {
                compareSegment(cursor, traffic, burst);
            }
        }
        assertEquals(SHAPE.packets(), trace.packets());
        assertFalse(traffic.next(burst));
    }

    private static void compareSegment(BlockCursor cursor, Traffic traffic, Burst burst) {
        GpvCursor gpv = new GpvCursor(GpvLayout.all().get(cursor.layoutId()));
        long address = cursor.gpvsAddress();
        for (int g = 0; g < cursor.gpvs(); g++) {
            assertTrue(traffic.next(burst));
            gpv.wrap(address);
            assertEquals(burst.count, gpv.count());
            for (int i = 0; i < burst.count; i++) {
                compare(burst, gpv, i);
            }
            address += gpv.gpvBytes();
        }
        assertEquals(cursor.gpvsAddress() + cursor.gpvsBytes(), address);
    }

    private static void compare(Burst burst, GpvCursor gpv, int i) {
        Inet source = new Inet(burst.family, burst.srcHigh, burst.srcLow);
        Inet destination = new Inet(burst.family, burst.dstHigh, burst.dstLow);
        assertEquals(source, gpv.value("src_addr", i, 0));
        assertEquals(destination, gpv.value("dst_addr", i, 0));
        assertEquals((long) burst.srcPort, gpv.value("src_port", i, 0));
        assertEquals((long) burst.dstPort, gpv.value("dst_port", i, 0));
        assertEquals((long) burst.proto, gpv.value("proto", i, 0));
        assertEquals((long) burst.bytes[i], gpv.value("bytes", i, 0));
        assertEquals(burst.startNs + burst.deltaMicros[i] * 1000L, gpv.tsNs(i));
        if (gpv.layout().name().equals("full")) {
            assertEquals(burst.bytes[i] + 14L, gpv.value("frame_bytes", i, 0));
            assertEquals((long) burst.tcpFlags[i], gpv.value("tcp_flags", i, 0));
            assertEquals(Frame.SRC_MAC, gpv.value("src_mac", i, 0));
            assertEquals((long) Frame.etype(burst.family), gpv.value("etype", i, 0));
            assertEquals((long) burst.ttl, gpv.value("ip_ttl", i, 0));
            assertEquals(burst.tcpSeq[i] & 0xffff_ffffL, gpv.value("tcp_seq", i, 0));
            assertEquals((long) burst.payloadBytes(i), gpv.value("payload_bytes", i, 0));
        }
    }
}
