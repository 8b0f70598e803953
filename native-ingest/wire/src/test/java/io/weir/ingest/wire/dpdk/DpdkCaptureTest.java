package io.weir.ingest.wire.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.source.RandomCapture;
import io.weir.ingest.source.SourceConfig;
import io.weir.operators.memory.Memory;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** DPDK's net_pcap gives the packets of the capture that it reads, with times cut to 1 µs. */
@Timeout(120)
class DpdkCaptureTest {
    static final Path DEMO = Path.of("..", "..", "demo", "capture.pcap");

    @TempDir Path folder;

    @BeforeAll
    static void needsDpdk() {
        assumeTrue(DpdkLibrary.isLoaded(), "DPDK is not installed: dpdk: is not tested");
    }

    @Test
    void randomCapturesAreAsTheirFiles() {
        long seed = Long.getLong("weir.seed", 5);
        Random random = new Random(seed);
        for (int i = 0; i < 12; i++) {
            Path whole = RandomCapture.pcap(random, folder, "c" + i, random.nextInt(3000));
            SourceConfig config = DpdkRun.config(random.nextInt(3) * 700_000_000L);
            compare(whole, config, random, "seed " + seed + ", capture " + i);
        }
    }

    @Test
    void theDemosCaptureIsAsItsFile() {
        assumeTrue(Files.exists(DEMO), "the demo's capture is not there");
        int packets = compare(DEMO, SourceConfig.DEFAULT, new Random(1), "demo");
        assertTrue(packets > 10_000, packets + " packets");
    }

    /** Returns the packets. */
    private int compare(Path capture, SourceConfig config, Random random, String at) {
        Path fine = copy(capture, CaptureBytes.NANOSECONDS, random);
        Path cut = copy(capture, CaptureBytes.MICROSECONDS, random);
        try (DpdkRun expected = new DpdkRun();
                DpdkRun actual = new DpdkRun()) {
            List<String> rows = expected.readCapture(cut, config);
            assertEquals(rows, actual.read("dpdk:net_pcap0?rx_pcap=" + fine, config), at);
            var file = expected.account.snapshot().get(0);
            var device = actual.account.snapshot().get(0);
            assertEquals(file.offered(), device.offered(), at);
            assertEquals(file.processed(), device.processed(), at);
            assertEquals(file.excluded(), device.excluded(), at);
            assertTrue(actual.account.isBalanced(), at);
            assertTrue(actual.outlet.ended, at);
            return rows.size();
        }
    }

    /** Writes whole frames: net_pcap does not tell the length of one that was cut. */
    private Path copy(Path capture, int magic, Random random) {
        boolean micro = magic == CaptureBytes.MICROSECONDS;
        CaptureBytes copy = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcap(magic, 262_144, 1);
        try (CaptureFile file = Captures.open(capture)) {
            while (file.next()) {
                byte[] frame = new byte[file.capLen()];
                for (int i = 0; i < frame.length; i++) {
                    frame[i] = Memory.getByte(file.address() + i);
                }
                long micros = Math.floorDiv(file.tsNs(), 1000);
                int fraction = (int) (micros % 1_000_000);
                int nanos = random.nextInt(1000);
                copy.record(
                        micros / 1_000_000,
                        micro ? fraction : fraction * 1000 + nanos,
                        frame,
                        frame.length);
            }
        }
        return copy.in(folder, (micro ? "micro" : "nano") + random.nextInt());
    }

    @Test
    void aRepeatedCaptureNeverEndsAndOverloadIsCounted() {
        Path file = RandomCapture.pcap(new Random(7), folder, "repeated", 500);
        try (DpdkRun run = new DpdkRun()) {
            run.outlet.mayLose = Long.MAX_VALUE;
            try (var source = run.open("dpdk:net_pcap0?rx_pcap=" + file + "&infinite_rx=1")) {
                run.overload(source, 300_000);
            }
            var capture = run.account.snapshot().get(0);
            assertTrue(run.account.isBalanced());
            assertTrue(run.outlet.lost > 0, "nothing lost");
            assertEquals(capture.processed(), run.outlet.rows.size() + run.outlet.lost);
        }
    }
}
