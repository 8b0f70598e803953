package io.weir.bench.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Inet;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureFileTest {
    private static final TrafficShape SHAPE = TrafficShape.of(30_000, 300, 13).withIpv6(25);

    @TempDir private Path directory;

    @Test
    void holdsThePacketsOfTheTraffic() throws Exception {
        Map<Inet, Long> expected = new HashMap<>();
        Traffic traffic = new Traffic(SHAPE);
        Burst burst = new Burst();
        while (traffic.next(burst)) {
            Inet source = new Inet(burst.family, burst.srcHigh, burst.srcLow);
            expected.merge(source, burst.totalBytes(), Long::sum);
        }
        Path file = directory.resolve("traffic.pcap");
        CaptureFile.write(SHAPE, CaptureFile.HEADERS_ONLY, file);
        assertEquals(expected, bytesBySource(ByteBuffer.wrap(Files.readAllBytes(file))));
    }

    /** A reader of its own: just what these frames need. */
    private static Map<Inet, Long> bytesBySource(ByteBuffer pcap) {
        Map<Inet, Long> bytes = new HashMap<>();
        long lastNs = 0;
        pcap.position(24);
        while (pcap.hasRemaining()) {
            long tsNs = pcap.getInt() * 1_000_000_000L + pcap.getInt();
            assertTrue(tsNs > lastNs);
            lastNs = tsNs;
            int kept = pcap.getInt();
            int wire = pcap.getInt();
            assertEquals(Math.min(wire, CaptureFile.HEADERS_ONLY), kept);
            int ip = pcap.position() + Frame.ETHERNET_BYTES;
            boolean isIpv4 = pcap.getShort(ip - 2) == 0x0800;
            Inet source =
                    isIpv4
                            ? Inet.v4(pcap.getInt(ip + 12))
                            : Inet.v6(pcap.getLong(ip + 8), pcap.getLong(ip + 16));
            int length = isIpv4 ? pcap.getShort(ip + 2) : pcap.getShort(ip + 4) + 40;
            assertEquals(wire - Frame.ETHERNET_BYTES, length);
            bytes.merge(source, (long) length, Long::sum);
            pcap.position(pcap.position() + kept);
        }
        return bytes;
    }

    @Test
    void theSameShapeIsTheSameFile() throws Exception {
        Path one = directory.resolve("one.pcap");
        Path other = directory.resolve("other.pcap");
        CaptureFile.write(SHAPE, 2000, one);
        CaptureFile.write(SHAPE, 2000, other);
        assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(other));
    }

    @Test
    void refusesToCutHeaders() {
        Path file = directory.resolve("short.pcap");
        assertThrows(IllegalArgumentException.class, () -> CaptureFile.write(SHAPE, 64, file));
    }
}
