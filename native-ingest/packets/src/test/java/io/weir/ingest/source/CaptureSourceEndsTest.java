package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.decode.Frames;
import io.weir.operators.account.Account;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.SourceThrottle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a replay ends: whole, cut, stopped, or before it began. */
class CaptureSourceEndsTest {
    @TempDir Path folder;

    private final NativeAllocator allocator = new NativeAllocator(1 << 26);
    private final Outlet outlet = new Outlet(allocator, 0, 64 * 1024);
    private final Account account = new Account();

    @AfterEach
    void free() {
        outlet.close();
        allocator.close();
    }

    private CaptureSource source(SourceThrottle throttle, Path... paths) {
        List<SourceSpec> inputs =
                Arrays.stream(paths).map(path -> SourceSpec.pcap("node", path)).toList();
        return new CaptureSource(
                inputs,
                new SourceContext(
                        SourceConfig.DEFAULT,
                        List.of(outlet.writer),
                        allocator,
                        account,
                        throttle));
    }

    private CaptureBytes capture(int packets, int totalLength) {
        CaptureBytes pcap = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        pcap.pcap(CaptureBytes.NANOSECONDS, 65535, 1);
        for (int i = 0; i < packets; i++) {
            Frames frames = new Frames().ethernet(0x0800).ipv4(17, 1, 2, totalLength, 0);
            pcap.record(i, 0, frames.udp(1, 2, 8).array(), 1000);
        }
        return pcap;
    }

    @Test
    void saysWhatAUserShouldKnowOfTheInput() throws IOException {
        byte[] whole = capture(3, 0).array();
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length - 1));
        Path good = capture(2, 28).in(folder, "good");
        try (CaptureSource source = source(Outlet.UNHELD, cut, good)) {
            outlet.read(source);
            assertEquals(2, source.notes().size(), source.notes().toString());
            assertTrue(source.notes().get(0).contains("cut off in mid-record at byte 140"));
            assertTrue(source.notes().get(1).startsWith("2 packets with IP length 0"));
        }
        assertEquals(4, outlet.rows.size());
        assertTrue(outlet.ended);
        assertEquals(2, outlet.rows.stream().filter(r -> r.contains(" bytes=986 ")).count());
    }

    @Test
    void saysWhichLinkTypesAreNotRead() {
        CaptureBytes capture = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).section();
        byte[] frame = new Frames().ethernet(0x0800).array();
        for (int linkType : new int[] {192, 1, 163}) {
            capture.networkInterface(linkType, 6, 0);
        }
        capture.enhanced(0, 1, frame, 60).enhanced(2, 2, frame, 60).enhanced(0, 3, frame, 60);
        try (CaptureSource source = source(Outlet.UNHELD, capture.in(folder, "radio"))) {
            outlet.read(source);
            assertEquals(
                    List.of(
                            "frames of link types that are not read (unknown_link_type): 2 192"
                                    + " (PPI), 1 163 (802.11 with AVS header)"),
                    source.notes());
        }
    }

    @Test
    void stopsBetweenBurstsAndEndsItsRings() {
        Path path = capture(1000, 28).in(folder, "stopped");
        CaptureSource[] running = new CaptureSource[1];
        SourceThrottle stopping =
                new SourceThrottle() {
                    @Override
                    public long holdAtNs() {
                        return 500_000_000_000L;
                    }

                    @Override
                    public void settle() {
                        running[0].stop();
                    }
                };
        try (CaptureSource source = source(stopping, path)) {
            running[0] = source;
            outlet.read(source);
        }
        assertEquals(500, outlet.rows.size());
        assertTrue(outlet.ended);
        assertTrue(account.isBalanced());
    }

    /** As tcpdump does to the oldest of its files when it goes round. */
    @Test
    void saysThatAFileWasShortenedMeanwhile() {
        Path path = capture(20_000, 28).in(folder, "shortened");
        SourceThrottle shortening =
                new SourceThrottle() {
                    private long holdAtNs = 1_000_000_000L;

                    @Override
                    public long holdAtNs() {
                        return holdAtNs;
                    }

                    @Override
                    public void settle() {
                        holdAtNs = Long.MAX_VALUE;
                        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                            file.truncate(100);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                };
        try (CaptureSource source = source(shortening, path)) {
            WeirException e = assertThrows(WeirException.class, () -> outlet.read(source));
            assertEquals(ErrorCode.UNREADABLE_INPUT, e.code());
            assertTrue(e.getMessage().contains("bytes to 100"), e.getMessage());
        }
        assertEquals(0, allocator.usedBytes(MemoryTag.CACHE));
    }

    @Test
    void oneBadFileLeavesNothingOpen() {
        Path good = capture(2, 28).in(folder, "good");
        Path absent = folder.resolve("absent");
        WeirException e =
                assertThrows(WeirException.class, () -> source(Outlet.UNHELD, good, absent));
        assertEquals(ErrorCode.UNREADABLE_INPUT, e.code());
        assertEquals(0, allocator.usedBytes(MemoryTag.CACHE));
    }

    @Test
    void aCaptureWithoutPacketsEndsAtOnce() {
        try (CaptureSource source = source(Outlet.UNHELD, capture(0, 28).in(folder, "none"))) {
            outlet.read(source);
        }
        assertTrue(outlet.ended);
        assertEquals(0, account.snapshot().get(0).offered());
    }
}
