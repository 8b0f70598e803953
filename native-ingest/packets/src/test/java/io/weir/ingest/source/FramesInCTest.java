package io.weir.ingest.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.cache.CacheMetrics;
import io.weir.ingest.cache.NativeFrames;
import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.NativeAllocator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C and Java pass the same packets, in the same order within a flow, and count them alike. */
class FramesInCTest {
    private static final Set<String> FLOW =
            Set.of("node_id", "src_addr", "dst_addr", "src_port", "dst_port", "proto");

    @TempDir Path folder;

    /**
     * @param rows of each ring, by the text that packets of one flow share
     */
    private record Outcome(
            List<Map<String, List<String>>> rows,
            List<Stage.Snapshot> account,
            long late,
            long packets,
            Map<Long, Long> times,
            List<String> notes) {}

    /** Counts packets in time by their buckets, in both of a gate's ways. */
    private record CountingGate(long bucketNs, Map<Long, Long> times) implements PacketGate {
        @Override
        public int verdict(PacketHeaders headers, long timeNs, boolean late) {
            if (!late) {
                take(timeNs, 1);
            }
            return TAKEN;
        }

        @Override
        public void take(long timeNs, long packets) {
            times.merge(Math.floorDiv(timeNs, bucketNs), packets, Long::sum);
        }
    }

    @Test
    void passesWhatJavaPasses() {
        Assumptions.assumeTrue(NativeFrames.isLoaded());
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        long inC = 0;
        for (int i = 0; i < 80; i++) {
            String at = "seed " + seed + ", capture " + i;
            SourceConfig config = CaptureSourceTest.randomConfig(random);
            List<SourceSpec> inputs = new ArrayList<>();
            for (int f = random.nextInt(2); f >= 0; f--) {
                int packets = random.nextInt(2000);
                Path file = RandomCapture.write(random, folder, i + "-" + f, packets);
                inputs.add(SourceSpec.pcap("node" + f, file));
            }
            int rings = 1 + random.nextInt(3);
            int blockBytes = 4096 + 8 * random.nextInt(4096);
            long bucketNs = 1L << random.nextInt(63);
            Outcome java = outcome(inputs, config, rings, blockBytes, bucketNs, false);
            Outcome c = outcome(inputs, config, rings, blockBytes, bucketNs, true);
            assertEquals(java, c, at);
            inC += c.packets;
        }
        assertTrue(inC > 10_000);
    }

    private static Outcome outcome(
            List<SourceSpec> inputs,
            SourceConfig config,
            int rings,
            int blockBytes,
            long bucketNs,
            boolean inC) {
        CountingGate gate = new CountingGate(bucketNs, new TreeMap<>());
        Account account = new Account();
        try (NativeAllocator allocator = new NativeAllocator(1 << 28)) {
            List<Outlet> outlets = new ArrayList<>();
            for (int i = 0; i < rings; i++) {
                outlets.add(new Outlet(allocator, i, blockBytes));
            }
            var writers = outlets.stream().map(outlet -> outlet.writer).toList();
            SourceContext context =
                    new SourceContext(config, writers, allocator, account, Outlet.UNHELD, gate);
            CacheMetrics metrics = new CacheMetrics();
            CaptureRound round =
                    new CaptureRound(
                            new CaptureStage(account, config.latenessNs()), metrics, 0, ns -> {});
            try (CaptureSource source = new CaptureSource(inputs, context, round, true, inC)) {
                Outlet.read(source, outlets);
                return new Outcome(
                        outlets.stream().map(outlet -> byFlow(outlet.rows)).toList(),
                        account.snapshot(),
                        metrics.latePackets(),
                        metrics.packets(),
                        gate.times(),
                        source.notes());
            } finally {
                outlets.forEach(Outlet::close);
            }
        }
    }

    private static Map<String, List<String>> byFlow(List<String> rows) {
        Map<String, List<String>> flows = new TreeMap<>();
        rows.forEach(row -> flows.computeIfAbsent(flow(row), f -> new ArrayList<>()).add(row));
        return flows;
    }

    private static String flow(String row) {
        return Stream.of(row.split(" "))
                .filter(field -> FLOW.contains(field.substring(0, field.indexOf('='))))
                .collect(Collectors.joining(" "));
    }
}
