package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.capture.CaptureFile;
import io.weir.ingest.capture.Captures;
import io.weir.ingest.capture.Packing;
import io.weir.ingest.decode.PacketDecoder;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.SourceThrottle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What went in comes out, whatever the shape; and the promises of blocks hold. */
class CaptureSourceTest {
    private static final long SECOND_NS = 1_000_000_000L;

    @TempDir Path folder;

    /** Holds at every second; checks that all is flushed when asked to settle. */
    private static final class SecondThrottle implements SourceThrottle {
        private final List<Outlet> outlets;
        private final long settledNs;
        private long holdNs = Long.MIN_VALUE;

        SecondThrottle(List<Outlet> outlets, SourceConfig config) {
            this.outlets = outlets;
            settledNs = Math.max(config.latenessNs(), config.cache().timeoutNs());
        }

        @Override
        public long holdAtNs() {
            return holdNs;
        }

        @Override
        public void settle() {
            long watermarkNs = Long.MAX_VALUE;
            for (Outlet outlet : outlets) {
                outlet.read();
                watermarkNs = Math.min(watermarkNs, outlet.watermarkNs);
            }
            assertTrue(
                    holdNs == Long.MIN_VALUE || watermarkNs >= holdNs - settledNs,
                    "settled at " + watermarkNs + " before " + holdNs);
            holdNs = Math.floorDiv(watermarkNs, SECOND_NS) * SECOND_NS + SECOND_NS + settledNs;
        }
    }

    private static final class Expected {
        final List<String> rows = new ArrayList<>();
        long frames;
        long late;

        void read(SourceSpec input, SourceConfig config) {
            PacketHeaders headers = new PacketHeaders();
            long newestNs = Long.MIN_VALUE;
            try (CaptureFile file = Captures.open(input.path())) {
                while (file.next()) {
                    frames++;
                    int code =
                            PacketDecoder.decode(
                                    file.address(),
                                    file.capLen(),
                                    file.wireLen(),
                                    file.linkType(),
                                    headers);
                    if (code == PacketDecoder.IP_PACKET) {
                        newestNs = Math.max(newestNs, file.tsNs());
                        headers.direction = file.direction(); // Ethernet does not tell it
                        late += file.tsNs() < newestNs - config.latenessNs() ? 1 : 0;
                        rows.add(row(file, headers, input.node(), config.cache()));
                    }
                }
            }
        }

        private static String row(
                CaptureFile file, PacketHeaders p, String node, CacheConfig config) {
            String name = p.bytes > 2047 ? "full" : config.layout();
            GpvLayout layout = GpvLayout.of(name, p.family).orElseThrow();
            return PacketRow.of(p, file.tsNs(), node, file.interfaceIndex(), layout);
        }
    }

    static SourceConfig randomConfig(Random random) {
        String layout = List.of("full", "flow32", "flow64").get(random.nextInt(3));
        long timeoutNs = random.nextInt(8) == 0 ? 0 : 1L << random.nextInt(33);
        CacheConfig cache =
                new CacheConfig(
                        1 << random.nextInt(9),
                        1 + random.nextInt(6),
                        random.nextInt(20),
                        1 + random.nextInt(30),
                        timeoutNs,
                        layout);
        return new SourceConfig(random.nextInt(4) * SECOND_NS / 2, cache);
    }

    @Test
    void everyPacketComesOutOnceWhateverTheShape() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            try {
                oneShape(random);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ", shape " + i, e);
            }
        }
    }

    private void oneShape(Random random) {
        SourceConfig config = randomConfig(random);
        List<SourceSpec> inputs = new ArrayList<>();
        Expected expected = new Expected();
        boolean many = random.nextInt(6) == 0;
        for (int i = many ? 40 : 1 + random.nextInt(3); i > 0; i--) {
            int packets = random.nextInt(8) == 0 ? 0 : random.nextInt(many ? 100 : 2000);
            Path path = RandomCapture.write(random, folder, "capture" + i, packets);
            expected.read(SourceSpec.pcap("node" + i, path), config);
            boolean packed = random.nextInt(3) == 0;
            Path read = packed ? Packing.replace(random, path) : path;
            inputs.add(SourceSpec.pcap("node" + i, read));
        }
        int blockBytes = 4096 + 8 * random.nextInt(4096);
        try (NativeAllocator allocator = new NativeAllocator(1 << 28)) {
            List<Outlet> outlets = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                outlets.add(new Outlet(allocator, outlets.size(), blockBytes));
            }
            run(inputs, config, outlets, allocator, expected, random.nextBoolean());
            outlets.forEach(Outlet::close);
        }
    }

    private static void run(
            List<SourceSpec> inputs,
            SourceConfig config,
            List<Outlet> outlets,
            NativeAllocator allocator,
            Expected expected,
            boolean holds) {
        Account account = new Account();
        SecondThrottle throttle = new SecondThrottle(outlets, config);
        throttle.holdNs = holds ? Long.MIN_VALUE : Long.MAX_VALUE;
        var writers = outlets.stream().map(outlet -> outlet.writer).toList();
        try (CaptureSource source =
                new CaptureSource(
                        inputs, new SourceContext(config, writers, allocator, account, throttle))) {
            Outlet.read(source, outlets);
            List<String> rows = new ArrayList<>();
            outlets.forEach(outlet -> rows.addAll(outlet.rows));
            assertEquals("", difference(expected.rows, rows));
            assertEquals(
                    expected.late, outlets.stream().mapToLong(outlet -> outlet.latePackets).sum());
            assertEquals(expected.late, source.metrics().latePackets());
            assertEquals(source.metrics().gpvs(), outlets.stream().mapToLong(o -> o.gpvs).sum());
            assertTrue(outlets.stream().allMatch(outlet -> outlet.ended));
            assertTrue(account.isBalanced());
            var capture = account.snapshot().get(0);
            assertEquals(expected.frames, capture.offered());
            assertEquals(expected.rows.size(), capture.processed());
        }
    }

    /** The first row that is missing or too many. */
    private static String difference(List<String> expected, List<String> actual) {
        Map<String, Integer> counts = new HashMap<>();
        expected.forEach(row -> counts.merge(row, 1, Integer::sum));
        actual.forEach(row -> counts.merge(row, -1, Integer::sum));
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .sorted(Map.Entry.comparingByKey())
                .limit(4)
                .map(Object::toString)
                .collect(Collectors.joining("\n"));
    }
}
