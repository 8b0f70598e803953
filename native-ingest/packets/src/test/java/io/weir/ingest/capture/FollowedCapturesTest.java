package io.weir.ingest.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Stage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A capture that goes on, against a writer that plays tcpdump's and dumpcap's rings. */
@Timeout(120)
final class FollowedCapturesTest {
    private static final long WAIT_NS = 2_000_000_000L;

    @TempDir private Path folder;

    private final Stage files = new Stage("files");
    private final List<Long> read = new ArrayList<>();
    private long second;

    private static byte[] header() {
        return new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
                .pcap(CaptureBytes.MICROSECONDS, 65535, 1)
                .array();
    }

    private byte[] record() {
        byte[] frame = new byte[60];
        return new CaptureBytes(ByteOrder.LITTLE_ENDIAN).record(++second, 0, frame, 60).array();
    }

    /** Begins a file anew, as tcpdump does: in the same place if it is there. */
    private Path begin(String name) throws IOException {
        return Files.write(folder.resolve(name), header());
    }

    private static void append(Path file, byte[] bytes, int from, int to) throws IOException {
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.APPEND)) {
            out.write(bytes, from, to - from);
        }
    }

    private void append(Path file) throws IOException {
        byte[] record = record();
        append(file, record, 0, record.length);
    }

    /** Reads until so many packets are there. */
    private void read(FollowedCaptures captures, int packets) {
        long until = System.nanoTime() + 10 * WAIT_NS;
        while (read.size() < packets && System.nanoTime() < until) {
            if (captures.next()) {
                read.add(captures.tsNs() / 1_000_000_000L);
            } else {
                captures.await(WAIT_NS);
            }
        }
        assertEquals(packets, read.size());
    }

    private void assertAllRead() {
        for (int i = 0; i < read.size(); i++) {
            assertEquals(i + 1L, read.get(i));
        }
    }

    /** Rings of any size, and records that come in pieces. */
    @Test
    void everyPacketOfARingIsReadOnce() throws IOException {
        long seed = Long.getLong("weir.seed", 33);
        Random random = new Random(seed);
        int ring = 2 + random.nextInt(4);
        Path file = begin("eth0.pcap0");
        append(file);
        try (FollowedCaptures captures = new FollowedCaptures(folder, files)) {
            for (int i = 1; i < 40; i++) {
                for (int packets = random.nextInt(5); packets >= 0; packets--) {
                    byte[] record = record();
                    int cut = random.nextInt(record.length);
                    append(file, record, 0, cut);
                    captures.await(1);
                    append(file, record, cut, record.length);
                }
                if (random.nextInt(3) > 0) {
                    read(captures, (int) second);
                    file = begin("eth0.pcap" + i % ring);
                    append(file);
                }
            }
            read(captures, (int) second);
            assertEquals(0, captures.gaps(), "seed " + seed + captures.notes());
        }
        assertAllRead();
        assertTrue(files.snapshot().isBalanced());
        assertEquals(0, files.snapshot().lostInAll(), "seed " + seed);
    }

    @Test
    void aFileThatIsOverwrittenUnreadIsTold() throws IOException {
        Path one = begin("a.pcap0");
        append(one);
        append(begin("a.pcap1"));
        try (FollowedCaptures captures = new FollowedCaptures(folder, files)) {
            read(captures, 1);
            captures.await(1);
            append(begin("a.pcap1"));
            read(captures, 2);
            assertEquals(List.of(1L, 3L), read);
            assertEquals(1, captures.gaps());
            assertTrue(captures.notes().get(0).contains("overwritten"), captures.notes().get(0));
        }
        assertEquals(1, files.snapshot().lostInAll());
        assertTrue(files.snapshot().isBalanced());
    }

    @Test
    void aFileThatIsCutToZeroIsToldAndReadOn() throws IOException {
        Path file = begin("a.pcap");
        append(file);
        append(file);
        try (FollowedCaptures captures = new FollowedCaptures(file, files)) {
            read(captures, 2);
            Files.write(file, new byte[0]);
            captures.await(WAIT_NS / 4);
            append(begin("a.pcap"));
            read(captures, 3);
            assertEquals(1, captures.gaps());
        }
        assertAllRead();
        assertEquals(1L, files.snapshot().lost().get("overwritten"));
    }

    @Test
    void filesThatComeAndGoBetweenTwoLooksAreCountedByTheirNumbers() throws IOException {
        append(begin("a_00001_20260101000000.pcapng"));
        try (FollowedCaptures captures = new FollowedCaptures(folder, files)) {
            read(captures, 1);
            append(begin("a_00004_20260101000003.pcapng"));
            read(captures, 2);
        }
        assertEquals(2L, files.snapshot().lost().get("never_seen"));
    }

    @Test
    void aFileThatIsNoCaptureIsSkippedAndNamed() throws IOException {
        Files.write(folder.resolve("a.pcap"), new byte[100]);
        append(begin("b.pcap"));
        try (FollowedCaptures captures = new FollowedCaptures(folder, files)) {
            read(captures, 1);
            assertTrue(captures.notes().get(0).contains("a.pcap is no capture"));
        }
        assertEquals(1L, files.snapshot().excluded().get("not_a_capture"));
    }
}
