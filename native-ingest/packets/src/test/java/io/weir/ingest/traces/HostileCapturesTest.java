package io.weir.ingest.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.capture.Ending;
import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.ingest.source.CaptureSource;
import io.weir.ingest.source.Outlet;
import io.weir.ingest.source.SourceConfig;
import io.weir.ingest.source.SourceContext;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Account;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ill-formed captures, given and made: an ending, a count or one clear error, never a crash. */
class HostileCapturesTest {
    private static final int[] HOSTILE_LENGTHS = {
        0, 1, 15, 16, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 262_144, 262_145, 0x0600_0000
    };

    private static final SourceConfig CONFIG =
            new SourceConfig(
                    1_000_000_000L, new CacheConfig(256, 4, 64, 24, 1_000_000_000L, "full"));

    @TempDir Path folder;

    /** Packets of a file; -1 when it is refused with a clear error. */
    private static long packets(Path path) {
        PacketHeaders headers = new PacketHeaders();
        long frames = 0;
        long ip = 0;
        long excluded = 0;
        try (CaptureFile file = Captures.open(path)) {
            while (file.next()) {
                frames++;
                int code =
                        PacketDecoder.decode(
                                file.address(),
                                file.capLen(),
                                file.wireLen(),
                                file.linkType(),
                                headers);
                ip += code == PacketDecoder.IP_PACKET ? 1 : 0;
                excluded += code == PacketDecoder.IP_PACKET ? 0 : 1;
                boolean ipPacket = code == PacketDecoder.IP_PACKET;
                int within = Integer.compareUnsigned(headers.payloadBytes, headers.bytes);
                assertTrue(!ipPacket || within <= 0, path.toString());
            }
            assertEquals(frames, ip + excluded);
            assertEquals(frames, file.packets());
            // The same through caches and blocks.
            assertEquals(ip, replayed(path, frames));
            assertNotEquals(Ending.NONE, file.ending(), path.toString());
            return frames;
        } catch (WeirException e) {
            assertEquals(ErrorCode.NOT_A_CAPTURE, e.code(), path.toString());
            assertEquals(0, frames, path.toString());
            return -1;
        }
    }

    /** IP packets that come out of the blocks; checks the account. */
    private static long replayed(Path path, long frames) {
        try (NativeAllocator allocator = new NativeAllocator(1 << 24);
                Outlet outlet = new Outlet(allocator, 0, 64 * 1024)) {
            Account account = new Account();
            try (CaptureSource source =
                    new CaptureSource(
                            List.of(SourceSpec.pcap("hostile", path)),
                            new SourceContext(
                                    CONFIG,
                                    List.of(outlet.writer),
                                    allocator,
                                    account,
                                    Outlet.UNHELD))) {
                outlet.read(source);
            }
            assertTrue(outlet.ended, path.toString());
            assertTrue(account.isBalanced(), path.toString());
            assertEquals(frames, account.snapshot().get(0).offered(), path.toString());
            return outlet.rows.size();
        }
    }

    @Test
    void givenFilesAreReadToAnEnd() {
        List<Path> files = Traces.orSkip().hostile();
        assertTimeout(
                Duration.ofMinutes(2),
                () -> {
                    long read = files.stream().filter(f -> packets(f) >= 0).count();
                    assertTrue(read > 900, read + " of " + files.size());
                });
    }

    @Test
    void mutatedCapturesAreReadToAnEnd() {
        List<String> captures =
                List.of(
                        "captures/bruteforce/joy__kali-password-attack_hydra.pcap",
                        "captures/l2/mercury__pppoe_double_vlan_tagging.pcap",
                        "captures/ipv6/zeek__5-pings.pcap",
                        "hostile/pcapplusplus/PcapPlusPlus__pcapng-example.pcapng",
                        "hostile/tcpdump/tcpdump__OSPFv2_Capture_FINAL.pcapng");
        Traces traces = Traces.orSkip();
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        assertTimeout(
                Duration.ofMinutes(2),
                () -> {
                    for (String capture : captures) {
                        byte[] whole = Files.readAllBytes(traces.path(capture));
                        for (int i = 0; i < 100; i++) {
                            packets(mutated(whole, random));
                        }
                    }
                },
                "seed " + seed);
    }

    private Path mutated(byte[] whole, Random random) throws IOException {
        byte[] bytes = whole.clone();
        if (random.nextInt(3) == 0) {
            bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        for (int i = random.nextInt(20); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        for (int i = random.nextInt(4); i > 0 && bytes.length > 4; i--) {
            int length = HOSTILE_LENGTHS[random.nextInt(HOSTILE_LENGTHS.length)];
            int at = random.nextInt(Math.min(bytes.length, 4096) - 4) & -4;
            for (int b = 0; b < 4; b++) {
                bytes[at + b] = (byte) (length >>> 8 * b);
            }
        }
        return Files.write(folder.resolve("mutated"), bytes);
    }
}
