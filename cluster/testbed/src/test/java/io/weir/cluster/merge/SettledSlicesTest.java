package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.demo.Processes;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Account;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.LocalEngine;
import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Worker processes that share a capture and settle give, row by row, what one engine says of it: of
 * the library's queries, and of queries that wake each other.
 */
@Timeout(900)
final class SettledSlicesTest {
    private static final Path DEMO = Path.of("..", "..", "demo");
    private static final int SLICES = 4;
    private static final long PATIENCE_S = 600;

    @TempDir private Path directory;
    private final long seed = Long.getLong("weir.seed", 20_261_123L);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** Each waits for rows of one that is there already: of the library, or for another's. */
    private static String chains(Random random) {
        StringBuilder text =
                new StringBuilder(
                        """
                        CREATE QUERY rate AS SELECT window_end, COUNT(*) AS n FROM packets
                          GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);
                        CREATE QUERY totals AS SELECT src_addr, COUNT(DISTINCT dst_addr) AS n
                          FROM packets GROUP BY src_addr;
                        CREATE QUERY per_host AS SELECT window_end, dst_addr, COUNT(*) AS n
                          FROM packets GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), dst_addr;
                        CREATE QUERY sums AS SELECT window_end, MAX(n) AS n FROM per_host
                          GROUP BY TUMBLE(window_end, INTERVAL '3' SECOND);
                        """);
        List<String> names = new ArrayList<>(List.of("rate", "totals", "per_host", "sums"));
        List<String> keys = List.of("proto", "src_addr", "dst_port", "src_addr, dst_addr");
        for (int q = 0; q < 8; q++) {
            String upstream = names.get(random.nextInt(names.size()));
            int least = 1 << random.nextInt(8);
            String key = keys.get(random.nextInt(keys.size()));
            text.append(
                    String.format(
                            "CREATE QUERY chain_%d AS SELECT active_from, window_end, %s,"
                                    + " COUNT(*) AS n FROM packets"
                                    + " GROUP BY TUMBLE(ts, INTERVAL '%d' SECOND), %s"
                                    + " WHEN %s.n > %d%s;%n",
                            q,
                            key,
                            1 + random.nextInt(3),
                            key,
                            upstream,
                            least,
                            end(random, upstream, least)));
            names.add("chain_" + q);
        }
        return text.toString();
    }

    private static String end(Random random, String upstream, int least) {
        return switch (random.nextInt(3)) {
            case 0 -> "";
            case 1 -> " UNTIL " + upstream + ".n < " + (least + 1) / 2;
            default -> " FOR INTERVAL '" + (1 + random.nextInt(6)) + "' SECOND";
        };
    }

    private static String library() {
        StringBuilder text = new StringBuilder();
        for (LibraryQuery query : QueryLibrary.load().all()) {
            if (MergedLibraryTest.isReadable(query)) {
                text.append(MergedLibraryTest.text(query));
            }
        }
        return text.toString();
    }

    @Test
    void theDemosRowsAreThoseOfOneEngine() throws Exception {
        Path capture = DEMO.resolve("capture.pcap");
        assumeTrue(Files.exists(capture), "the demo's capture is not here: skipped");
        compare(capture, Files.readString(DEMO.resolve("demo.sql")));
    }

    @Test
    void aRealCapturesRowsAreThoseOfOneEngine() throws Exception {
        String set = System.getenv("WEIR_TRACES");
        Path folder = set != null ? Path.of(set) : Path.of("..", "..", "..", "shared", "traces");
        Path capture = folder.resolve("captures/mixed/flowcontainer__1592993485_noise.pcap");
        assumeTrue(Files.exists(capture), "the shared captures are not here: skipped");
        long woken = compare(capture, library() + chains(new Random(seed)));
        assertTrue(woken > 0, "nothing woke, -Dweir.seed=" + seed);
    }

    /** Returns how many queries with WHEN had rows. */
    private long compare(Path capture, String text) throws Exception {
        List<Query> queries = MergedLibraryTest.queries(text);
        Rows expected = expected(queries, capture);
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                KafkaCatalog catalog =
                        KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "test");
                WorkerTable table = new WorkerTable(KafkaSettings.of(broker.bootstrap())).start();
                Processes processes = new Processes(directory)) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            queries.forEach(query -> catalog.create(query, false));
            Duration patience = Duration.ofSeconds(60);
            Path home = directory.resolve("merge");
            try (MergeService merge =
                    Merges.start(kafka, catalog, table, patience, home, failures::add)) {
                List<Processes.Started> workers = new ArrayList<>();
                for (String node : List.of("A", "B")) {
                    workers.add(worker(processes, kafka, node, capture));
                }
                for (Processes.Started worker : workers) {
                    String said = worker.name() + "\n" + String.join("\n", worker.lines());
                    assertTrue(worker.process().waitFor(PATIENCE_S, TimeUnit.SECONDS), said);
                    assertEquals(0, worker.process().exitValue(), said);
                    assertTrue(worker.lines().stream().anyMatch(l -> l.contains("counts slice")));
                }
                for (Query query : queries) {
                    compare(kafka, query, queries, expected.of(query.name()));
                }
                assertEquals(0, merge.metrics().malformed());
            }
        }
        return queries.stream()
                .filter(query -> query.when().isPresent() && !expected.of(query.name()).isEmpty())
                .count();
    }

    private Processes.Started worker(
            Processes processes, KafkaSettings kafka, String node, Path capture) {
        List<String> arguments = new ArrayList<>(List.of("worker", "--kafka", kafka.bootstrap()));
        arguments.addAll(List.of("--node-id", node, "--slices", "trace"));
        arguments.addAll(List.of("--slice-count", "" + SLICES, "--slice-workers", "2"));
        arguments.addAll(List.of("--pipelines", node.equals("A") ? "1" : "2"));
        arguments.addAll(List.of("--outbox", directory.resolve("outbox-" + node).toString()));
        arguments.addAll(List.of(System.getProperty("weir.replay", "--settle").split(" ")));
        arguments.addAll(List.of("--pcap", capture.toString()));
        return processes.start(
                "worker-" + node,
                List.of("-Xmx384m", "-XX:TieredStopAtLevel=1"),
                arguments.toArray(String[]::new));
    }

    private Rows expected(List<Query> queries, Path capture) {
        Rows rows = new Rows();
        try (LocalEngine engine = new LocalEngine(ClusterRun.OPTIONS, new Account())) {
            JsonRows json = new JsonRows(rows);
            for (Query query : queries) {
                engine.add(KernelCompiler.compile(query, CacheConfig.DEFAULT.layouts()), json);
            }
            engine.start();
            Reading.all(engine, List.of(SourceSpec.pcap("trace", capture)));
        }
        return rows;
    }

    private void compare(
            KafkaSettings kafka, Query query, List<Query> queries, List<String> expected) {
        List<String> ours = new ArrayList<>(expected);
        List<String> theirs =
                new ArrayList<>(MergedRows.await(kafka, query.name(), ours.size(), failures));
        if (!ClusterRun.isOrdered(query, queries)) {
            ours.sort(null);
            theirs.sort(null);
        }
        assertEquals(List.of(), failures);
        assertEquals(
                String.join("\n", ours),
                String.join("\n", theirs),
                query.name() + ", -Dweir.seed=" + seed);
    }
}
