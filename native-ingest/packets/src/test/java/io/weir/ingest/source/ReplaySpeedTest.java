package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.time.Clock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replay at the recorded speed, or a multiple, has the packets of the file. */
final class ReplaySpeedTest {
    @TempDir private Path folder;

    /** Goes on by a step at each look. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record SteppedClock(long[] nowNs, long stepNs) implements Clock {
        @Override
        public long nanos() {
            nowNs[0] += stepNs;
            return nowNs[0];
        }

        @Override
        public long millis() {
            return nowNs[0] / 1_000_000;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }
    }

    @Test
    void rowsAreThoseOfTheFile() {
        long seed = Long.getLong("weir.seed", 5);
        Random random = new Random(seed);
        for (int i = 0; i < 10; i++) {
            Path file = RandomCapture.write(random, folder, "c" + i, random.nextInt(500));
            List<SourceSpec> inputs = List.of(SourceSpec.pcap("node", file));
            double speed = 1 << random.nextInt(8);
            try (NativeAllocator allocator = new NativeAllocator(1 << 28);
                    Outlet expected = new Outlet(allocator, 0, 64 * 1024);
                    Outlet actual = new Outlet(allocator, 0, 64 * 1024)) {
                try (var source = new CaptureSource(inputs, context(expected))) {
                    expected.read(source);
                }
                long[] nowNs = {0};
                Clock clock = new SteppedClock(nowNs, 50_000_000);
                try (var source = RecordedSpeed.open(inputs, context(actual), speed, clock)) {
                    actual.read(source);
                }
                assertEquals(expected.sortedRows(), actual.sortedRows(), "seed " + seed);
                assertEquals(expected.latePackets, actual.latePackets, "seed " + seed);
                assertTrue(actual.ended);
            }
        }
    }

    private static SourceContext context(Outlet outlet) {
        return outlet.context(SourceConfig.DEFAULT, new Account());
    }
}
