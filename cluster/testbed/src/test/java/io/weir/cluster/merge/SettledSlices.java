package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs worker processes that share a capture and settle, and compares their rows with those of one
 * engine.
 */
abstract class SettledSlices {
    private static final int SLICES = 4;
    private static final long PATIENCE_S = 600;

    @TempDir private Path directory;
    final long seed = Long.getLong("weir.seed", 20_261_123L);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** Returns how many queries with WHEN had rows. */
    final long compare(Path capture, String text) throws Exception {
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
            queries.stream()
                    .flatMap(query -> query.all().stream())
                    .map(query -> KernelCompiler.compile(query, CacheConfig.DEFAULT.layouts()))
                    .forEach(code -> engine.add(code, json));
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
