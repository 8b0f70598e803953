package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.dpdk.DpdkCheck;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.sql.Statement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Receive queues of DPDK in three shapes: a thread for each pipeline, several pipelines for each
 * queue, and run to completion.
 */
@Timeout(180)
class DpdkShapesTest {
    private static final String SQL =
            "SELECT src_addr, dst_addr, COUNT(*) AS packets, SUM(bytes) AS bytes FROM packets"
                    + " GROUP BY src_addr, dst_addr";
    private static final List<Shape> SHAPES =
            List.of(new Shape(1, 0), new Shape(1, 1), new Shape(1, 2));
    private static final Path WIRE = Path.of("..", "..", "native-ingest", "wire", "src");

    @TempDir private Path folder;

    @BeforeAll
    static void needsDpdk() {
        assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: its queues are not tested");
    }

    /** Packets and bytes by addresses: the last row of each. */
    private final Map<String, List<Long>> rows = new HashMap<>();

    private synchronized void take(RowBatch batch) {
        for (int row = 0; row < batch.rows(); row++) {
            rows.put(
                    batch.value(row, 0) + " " + batch.value(row, 1),
                    List.of((Long) batch.value(row, 2), (Long) batch.value(row, 3)));
        }
    }

    /** Reads a device until so many packets were processed, or lost. */
    private Report read(Shape shape, String uri, long packets) throws InterruptedException {
        rows.clear();
        List<SourceSpec> specs = Sources.parse(uri, "node");
        NodeSettings settings = NodeSettings.DEFAULT.withShape(shape).covering(specs);
        try (EmbeddedNode node = new EmbeddedNode(settings, specs)) {
            Statement.Select select =
                    (Statement.Select) node.frontend().parse(SQL, Map.of()).get(0);
            Query query = select.query();
            Replay replay = node.replay(List.of(query), this::take, Listener.NONE);
            Thread stopper =
                    new Thread(
                            () -> {
                                while (offered(replay.account().snapshot()) < packets
                                        && !Thread.interrupted()) {
                                    LockSupport.parkNanos(1_000_000);
                                }
                                replay.stop();
                            });
            stopper.start();
            try {
                return replay.run();
            } finally {
                stopper.interrupt();
            }
        }
    }

    private static long offered(List<Stage.Snapshot> pages) {
        return sum(pages, "capture", false);
    }

    private static long sum(List<Stage.Snapshot> pages, String page, boolean lost) {
        return pages.stream()
                .filter(one -> one.stage().equals(page))
                .mapToLong(one -> lost ? one.lostInAll() : one.offered())
                .sum();
    }

    private long counted() {
        return rows.values().stream().mapToLong(row -> row.get(0)).sum();
    }

    /** Frames come as fast as they are taken: each is in a row, or told as lost. */
    @Test
    void eachFrameIsInARowOrLost() throws InterruptedException {
        Path file = capture("many", 3000, 7);
        for (Shape shape : SHAPES) {
            String uri =
                    "dpdk:net_pcap0?rx_pcap=" + file + "&infinite_rx=1&queues=2&descriptors=256";
            Report report = read(shape, uri, 2_000_000);
            assertTrue(report.isBalanced(), shape + " " + report);
            long offered = offered(report.stages());
            long lost = sum(report.stages(), "cache", true);
            assertEquals(offered, counted() + lost, shape + " " + report.stages());
            if (shape.pipelines() == 0) {
                assertEquals(0, lost, "a reader that runs its pipeline finds room");
            }
        }
    }

    /** Another process hands over the frames of two captures, each to a queue, by shared memory. */
    @Test
    void rowsAreEqualInAllShapes() throws Exception {
        Path one = capture("one", 20_000, 11);
        Path other = capture("other", 30_000, 13);
        Map<String, List<Long>> expected = new TreeMap<>();
        read(Shape.ONE, "pcap:" + one, Long.MAX_VALUE);
        expected.putAll(rows);
        read(Shape.ONE, "pcap:" + other, Long.MAX_VALUE);
        rows.forEach((key, row) -> expected.merge(key, row, DpdkShapesTest::plus));
        String program = sender();
        for (Shape shape : SHAPES) {
            String socket = folder.resolve("memif" + shape.pipelines()).toString();
            String device = "net_memif0,role=server,socket=" + socket;
            Process sender =
                    new ProcessBuilder(program, device, one.toString(), other.toString())
                            .redirectErrorStream(true)
                            .start();
            try (BufferedReader said =
                    new BufferedReader(
                            new InputStreamReader(
                                    sender.getInputStream(), StandardCharsets.UTF_8))) {
                assertEquals("ready", said.readLine());
                String uri = "dpdk:net_memif0?role=client&queues=2&socket=" + socket;
                Report report = read(shape, uri, 50_000);
                assertEquals("sent=50000", said.readLine());
                assertEquals(0, sum(report.stages(), "cache", true), "nothing is lost");
                assertEquals(expected, new TreeMap<>(rows), shape.toString());
                assertTrue(report.isBalanced());
            } finally {
                sender.destroyForcibly();
            }
        }
    }

    private static List<Long> plus(List<Long> one, List<Long> other) {
        return List.of(one.get(0) + other.get(0), one.get(1) + other.get(1));
    }

    private Path capture(String name, int packets, int hosts) {
        PcapFile file = new PcapFile();
        for (int i = 0; i < packets; i++) {
            file.udp(1000L * i, i % hosts, i * 7 % 5, 53, 60 + i % 100);
        }
        return file.write(folder.resolve(name + ".pcap"));
    }

    private String sender() throws IOException, InterruptedException {
        String program = folder.resolve("send").toString();
        String compile =
                "gcc -std=gnu17 -O1 $(pkg-config --cflags libdpdk) -I \"$0\"/main/c/dpdk"
                        + " -o \"$1\" \"$0\"/test/c/dpdk_send.c \"$0\"/main/c/dpdk/environment.c"
                        + " -lrte_ethdev -lrte_mbuf -lrte_mempool -lrte_ring -lrte_eal";
        int failed =
                new ProcessBuilder("sh", "-c", compile, WIRE.toString(), program)
                        .inheritIO()
                        .start()
                        .waitFor();
        assumeTrue(failed == 0, "gcc or DPDK's headers are missing: net_memif is not tested");
        return program;
    }
}
