package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.OverflowPolicy;
import io.weir.operators.ring.Unheld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receive queue's bursts become the GPVs that a capture of the same packets becomes. */
@Timeout(120)
class BurstCursorTest {
    private static final Path NO_FILE = Path.of("queue");

    @TempDir Path folder;

    private final NativeAllocator allocator = new NativeAllocator(1 << 28);
    private final List<Outlet> outlets = new ArrayList<>();

    @AfterEach
    void free() {
        outlets.forEach(Outlet::close);
        allocator.close();
    }

    private Outlet outlet() {
        outlets.add(new Outlet(allocator, 0, 16 * 1024));
        return outlets.get(outlets.size() - 1);
    }

    private static SourceSpec spec(Path file) {
        return SourceSpec.pcap("node", file);
    }

    @Test
    void burstsOfAnySizeAreAsTheCapture() {
        long seed = Long.getLong("weir.seed", 2);
        Random random = new Random(seed);
        for (int i = 0; i < 25; i++) {
            String at = "seed " + seed + ", capture " + i;
            SourceConfig config = CaptureSourceTest.randomConfig(random);
            Path file = RandomCapture.write(random, folder, "c" + i, random.nextInt(2000));
            Outlet expected = outlet();
            Account byFile = new Account();
            try (var source =
                    new CaptureSource(List.of(spec(file)), expected.context(config, byFile))) {
                expected.read(source);
            }
            Outlet actual = outlet();
            Account byBursts = new Account();
            CapturedBursts bursts = new CapturedBursts(allocator, file, random, false);
            try (var source =
                    new CaptureSource(spec(file), bursts, actual.context(config, byBursts))) {
                actual.read(source);
            }
            assertEquals(expected.sortedRows(), actual.sortedRows(), at);
            assertEquals(byFile.snapshot(), byBursts.snapshot(), at);
            assertTrue(actual.ended, at);
        }
    }

    @Test
    void lossesAreCountedByReason() {
        Random random = new Random(3);
        Path file = RandomCapture.pcap(random, folder, "lossy", 1000);
        Outlet outlet = outlet();
        outlet.mayLose = 30;
        Account account = new Account();
        CapturedBursts bursts = new CapturedBursts(allocator, file, random, false);
        bursts.losses(10, 20);
        try (var source =
                new CaptureSource(
                        spec(file), bursts, outlet.context(SourceConfig.DEFAULT, account))) {
            outlet.read(source);
        }
        var capture = account.snapshot().get(0);
        assertEquals(10L, capture.lost().get("first"));
        assertEquals(20L, capture.lost().get("second"));
        assertEquals(30, outlet.lost);
        assertTrue(account.isBalanced());
    }

    @Test
    void aFailureComesAfterAllPackets() {
        Random random = new Random(4);
        Path file = RandomCapture.pcap(random, folder, "failing", 1000);
        Outlet outlet = outlet();
        Account account = new Account();
        CapturedBursts bursts = new CapturedBursts(allocator, file, random, false);
        WeirException gone = new WeirException(ErrorCode.SOURCE_GONE, "eth9 is gone");
        bursts.failure(gone);
        try (var source =
                new CaptureSource(
                        spec(file), bursts, outlet.context(SourceConfig.DEFAULT, account))) {
            assertSame(gone, assertThrows(WeirException.class, () -> outlet.read(source)));
        }
        outlet.read();
        assertEquals(account.snapshot().get(0).processed(), outlet.rows.size());
        assertTrue(account.isBalanced());
        assertFalse(outlet.ended);
    }

    @Test
    void timeGoesOnBeforeTheFirstPacketAndInASilence() {
        Outlet outlet = outlet();
        long[] nowNs = {1_800_000_000_000_000_000L};
        SourceSpec spec = spec(NO_FILE).with(SourceSpec.LATENESS, "10ms");
        outlet.writer.overflow(OverflowPolicy.DROP);
        SourceContext context =
                new SourceContext(
                        SourceConfig.DEFAULT,
                        List.of(outlet.writer),
                        allocator,
                        new Account(),
                        new Unheld(true),
                        PacketGate.ALL,
                        () -> nowNs[0]);
        CapturedBursts silent = new CapturedBursts(allocator, Duration.ofMillis(20));
        try (var source = new CaptureSource(spec, silent, context)) {
            while (outlet.watermarkNs < nowNs[0]) {
                source.step();
                outlet.read();
            }
            source.stop();
            outlet.read(source);
        }
        // After a second without a packet the watermark follows the clock.
        assertTrue(outlet.watermarkNs < nowNs[0] + 60_000_000_000L);
    }
}
