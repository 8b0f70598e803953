package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.account.Account;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.SourceThrottle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where a clock lets packets pass, nothing says more than a packet of now would: not before a gap
 * in the capture either, when the packet after it is in hand and its time has not come.
 */
final class CaptureThrottleTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int ROUNDS = 20;

    private final long seed = Long.getLong("weir.seed", 20_261_122);
    private final Random random = new Random(seed);

    @TempDir Path folder;

    /** A clock that goes on when it is waited for. */
    private final class ClockThrottle implements SourceThrottle {
        private final Outlet outlet;
        private final SourceConfig config;
        private long nowNs;
        private int settled;

        ClockThrottle(Outlet outlet, SourceConfig config, long firstNs) {
            this.outlet = outlet;
            this.config = config;
            nowNs = firstNs;
        }

        @Override
        public long holdAtNs() {
            return nowNs;
        }

        @Override
        public long comeNs() {
            return nowNs;
        }

        @Override
        public void settle() {
            settled++;
            outlet.read();
            long mostNs = nowNs - config.latenessNs();
            long leastNs = nowNs - Math.max(config.latenessNs(), config.cache().timeoutNs());
            boolean within = outlet.watermarkNs <= mostNs && outlet.watermarkNs >= leastNs;
            assertTrue(within, outlet.watermarkNs + " at " + nowNs);
            nowNs += 1 + random.nextInt(300_000_000);
        }
    }

    @Test
    void nothingIsPassedBeforeItsTime() {
        int settled = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try {
                settled += round("capture" + round);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ", round " + round, e);
            }
        }
        assertTrue(settled > ROUNDS, "held " + settled + " times");
    }

    private int round(String name) {
        List<SourceSpec> inputs = new ArrayList<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            Path path = RandomCapture.write(random, folder, name + "-" + i, random.nextInt(600));
            inputs.add(SourceSpec.pcap("node" + i, path));
        }
        SourceConfig config =
                new SourceConfig(
                        random.nextInt(4) * SECOND_NS / 4,
                        new CacheConfig(64, 4, 8, 16, 1L << random.nextInt(31), "flow32"));
        OptionalLong first = CaptureLoop.firstNs(inputs);
        Account account = new Account();
        try (NativeAllocator allocator = new NativeAllocator(1 << 28);
                Outlet outlet = new Outlet(allocator, 0, 64 * 1024)) {
            ClockThrottle throttle = new ClockThrottle(outlet, config, first.orElse(0));
            try (CaptureSource source =
                    new CaptureSource(
                            inputs,
                            new SourceContext(
                                    config,
                                    List.of(outlet.writer),
                                    allocator,
                                    account,
                                    throttle))) {
                outlet.read(source);
            }
            assertEquals(outlet.rows.size(), account.snapshot().get(0).processed());
            assertTrue(outlet.ended);
            return throttle.settled;
        }
    }
}
