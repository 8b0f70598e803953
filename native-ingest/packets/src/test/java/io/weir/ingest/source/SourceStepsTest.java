package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.capture.CaptureBytes;
import io.weir.ingest.decode.Frames;
import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A step publishes few blocks, however many the cache releases at once: after a silence, at the end
 * of the file, or after a stop. {@link Outlet} counts the blocks of each step.
 */
final class SourceStepsTest {
    private static final int BLOCK_BYTES = 4096;

    private final long seed = Long.getLong("weir.seed", 20_261_126);
    private final Random random = new Random(seed);

    @TempDir Path folder;

    /** Returns a capture of flows of one packet each, with silences of an hour between some. */
    private Path capture(String name, int packets) {
        CaptureBytes pcap = new CaptureBytes(ByteOrder.LITTLE_ENDIAN);
        pcap.pcap(CaptureBytes.NANOSECONDS, 65535, 1);
        int second = 0;
        for (int i = 0; i < packets; i++) {
            second += random.nextInt(1000) == 0 ? 3600 : 0;
            Frames frames = new Frames().ethernet(0x0800).ipv4(17, i + 1, 2, 28, 0);
            pcap.record(second, i, frames.udp(1, 2, 8).array(), 1000);
        }
        return pcap.in(folder, name);
    }

    @Test
    void aStepNeverFillsARing() {
        for (int round = 0; round < 10; round++) {
            int packets = 3000 + random.nextInt(3000);
            List<SourceSpec> inputs =
                    List.of(
                            SourceSpec.pcap("one", capture("a" + round, packets)),
                            SourceSpec.pcap("two", capture("b" + round, packets)));
            int stopAfter = random.nextInt(3) == 0 ? random.nextInt(60) : Integer.MAX_VALUE;
            long rows = rows(inputs, stopAfter);
            String where = "-Dweir.seed=" + seed + ", round " + round;
            assertTrue(rows <= 2L * packets, where);
            assertEquals(stopAfter == Integer.MAX_VALUE, rows == 2L * packets, where);
        }
    }

    private static long rows(List<SourceSpec> inputs, int stopAfter) {
        CacheConfig cache = new CacheConfig(4096, 4, 8, 16, 2_000_000_000L, "full");
        Account account = new Account();
        try (NativeAllocator allocator = new NativeAllocator(1 << 28);
                Outlet outlet = new Outlet(allocator, 0, BLOCK_BYTES)) {
            SourceContext context =
                    new SourceContext(
                            new SourceConfig(1_000_000_000L, cache),
                            List.of(outlet.writer),
                            allocator,
                            account,
                            Outlet.UNHELD);
            try (CaptureSource source = new CaptureSource(inputs, context)) {
                for (int step = 0; step < stopAfter && source.step(); step++) {
                    outlet.readStep();
                }
                source.stop();
                outlet.read(source);
            }
            assertTrue(outlet.ended);
            assertTrue(account.isBalanced());
            assertEquals(outlet.rows.size(), account.snapshot().get(0).processed());
            return outlet.rows.size();
        }
    }
}
