package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.decode.Frames;
import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sections of a pcapng file are sources of their own, whatever their order. */
final class SectionsTest {
    private static final int MICROSECONDS = 6;
    private static final long START_US = 1_700_000_000_000_000L;

    private final long seed = Long.getLong("weir.seed", 5);

    @TempDir private Path folder;

    private static byte[] packet(int port) {
        return new Frames().ethernet(0x0800).ipv4(17, 1, 2, 28, 0).udp(port, 2, 8).array();
    }

    /** Returns how many packets were late. */
    private long late(Path file, int packets) {
        try (NativeAllocator allocator = new NativeAllocator(1 << 26);
                Outlet outlet = new Outlet(allocator, 0, 64 * 1024);
                CaptureSource source =
                        new CaptureSource(
                                List.of(SourceSpec.pcap("node", file)),
                                new SourceContext(
                                        SourceConfig.DEFAULT,
                                        List.of(outlet.writer),
                                        allocator,
                                        new Account(),
                                        Outlet.UNHELD))) {
            outlet.read(source);
            assertEquals(packets, outlet.rows.size(), "-Dweir.seed=" + seed);
            return outlet.latePackets;
        }
    }

    /** Each is in order by itself; all begin anywhere, some have no packet. */
    @Test
    void noPacketIsLateForAnotherSection() {
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            CaptureBytes bytes = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
            int packets = 0;
            for (int s = 1 + random.nextInt(12); s > 0; s--) {
                bytes.section().networkInterface(1, MICROSECONDS, 0);
                long us = START_US + random.nextLong(100_000_000L);
                for (int p = random.nextInt(20); p > 0; p--) {
                    us += random.nextInt(2_000_000);
                    bytes.enhanced(0, us, packet(1 + random.nextInt(9)), 42);
                    packets++;
                }
            }
            Path file = bytes.in(folder, "sections" + round);
            assertEquals(0, late(file, packets), "-Dweir.seed=" + seed + ", round " + round);
        }
    }

    @Test
    void aSectionKnowsWhereItsPacketsAre() {
        CaptureBytes bytes = new CaptureBytes(ByteOrder.BIG_ENDIAN);
        for (int s = 0; s < 3; s++) {
            bytes.section().networkInterface(1, MICROSECONDS, 0);
            bytes.enhanced(0, START_US - s, packet(1), 42).enhanced(0, START_US, packet(2), 42);
        }
        Path file = bytes.in(folder, "three");
        List<Long> packets = new ArrayList<>();
        for (var section : Captures.sections(file)) {
            assertEquals((START_US - packets.size()) * 1_000, section.earliestNs());
            try (CaptureFile part = Captures.open(file, section)) {
                while (part.next()) {}
                packets.add(part.packets());
            }
        }
        assertEquals(List.of(2L, 4L, 6L), packets);
    }
}
