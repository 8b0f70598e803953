package io.weir.cluster.scale;

import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.trigger.TriggerLatency;
import io.weir.ingest.source.CaptureLoop;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.graph.Query;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures growth with workers, queries and groups, each in a cluster with its own brokers. Rows
 * are checked against one engine's, so that a wrong answer cannot be fast. One thread.
 */
public final class ScaleRun {
    private static final String MERGED =
            "CREATE QUERY merged AS SELECT src_addr, dst_port, COUNT(*) AS n, SUM(bytes) AS b FROM"
                    + " packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr, dst_port";
    private static final String GROUPS =
            "CREATE QUERY sources AS SELECT src_addr, COUNT(*) AS n, SUM(bytes) AS b FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), src_addr";
    private static final int CREATED = 10;
    private static final int WARM_UPS = 5;
    private static final double MS = 1e6;
    private static final double US = 1e3;

    private final Path directory;
    private final Path capture;
    private final int brokers;
    private final PrintStream out;
    private final Figures figures = new Figures();
    private int clusters;

    /**
     * @param directory for brokers' logs and captures; must be there
     * @param capture that the workers replay
     * @param brokers each of which has a copy of everything
     * @param out lines for people
     */
    public ScaleRun(Path directory, Path capture, int brokers, PrintStream out) {
        this.directory = directory;
        this.capture = capture;
        this.brokers = brokers;
        this.out = out;
    }

    public Figures figures() {
        return figures;
    }

    private ScaleCluster cluster(int workers, int partitions)
            throws IOException, InterruptedException {
        Path own = Files.createDirectory(directory.resolve("cluster-" + ++clusters));
        return new ScaleCluster(own, brokers, workers, partitions);
    }

    private void tell(Map<String, Object> row) {
        figures.add(row);
        out.println(figures.last());
    }

    private static long firstNs(Path file) {
        return CaptureLoop.firstNs(List.of(SourceSpec.pcap("Node1", file))).orElseThrow();
    }

    /**
     * Measures one query that is merged over so many workers, and also catalogue and triggers.
     *
     * @param partitions of each worker
     */
    public void workers(int workers, int partitions, int samples)
            throws IOException, InterruptedException {
        Answers answers = Answers.of(List.of(MERGED), SourceSpec.pcap("Node1", capture));
        try (ScaleCluster cluster = cluster(workers, partitions)) {
            cluster.create(MERGED);
            ScaleCluster.Replayed replayed = replay(cluster, workers, answers);
            Map<String, Object> row = row("workers", workers, replayed, answers.rows("merged"));
            row.put("partitions", partitions);
            bytes(cluster, row, answers.rows("merged"));
            catalogue(cluster, workers, row);
            triggers(cluster, samples, row);
            tell(row);
        }
    }

    private ScaleCluster.Replayed replay(ScaleCluster cluster, int workers, Answers answers)
            throws InterruptedException {
        ScaleCluster.Replayed replayed =
                cluster.replay(
                        workers,
                        capture,
                        firstNs(capture),
                        Map.of("merged", answers.rows("merged")));
        answers.check(cluster.kafka(), "merged", replayed.shiftNs(), workers);
        return replayed;
    }

    private Map<String, Object> row(
            String what, int workers, ScaleCluster.Replayed replayed, long rows) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("what", what);
        row.put("workers", workers);
        row.put("brokers", brokers);
        row.put("packets", replayed.packets());
        row.put("rows", rows);
        row.put("workers_ms", replayed.workersNs() / MS);
        row.put("all_rows_ms", replayed.wallNs() / MS);
        row.put("merge_cpu_ms", replayed.mergeCpuNs() / MS);
        row.put("merge_cpu_us_a_row", replayed.mergeCpuNs() / US / rows);
        row.put("merge_cpu_us_a_row_and_worker", replayed.mergeCpuNs() / US / rows / workers);
        return row;
    }

    /** Measures the bytes on one broker's disk, which has a copy of each topic. */
    private void bytes(ScaleCluster cluster, Map<String, Object> row, long rows) {
        Map<String, Long> sums = new LinkedHashMap<>();
        cluster.inspection()
                .bytes()
                .forEach((topic, bytes) -> sums.merge(kind(topic), bytes / brokers, Long::sum));
        long beats = cluster.inspection().ends(Set.of(Topics.HEARTBEATS)).get(Topics.HEARTBEATS);
        row.put("heartbeat_bytes", sums.getOrDefault("heartbeats", 0L) / (double) beats);
        for (String kind : new String[] {"partials", "windows", "results", "stores"}) {
            row.put(kind + "_bytes_a_row", sums.getOrDefault(kind, 0L) / (double) rows);
        }
    }

    private static String kind(String topic) {
        if (topic.startsWith("weir.results.")) {
            return "results";
        } else if (topic.endsWith("-changelog")) {
            return "stores";
        }
        return topic.replaceFirst("^weir\\.", "");
    }

    /** Measures the time from the statement until as many readers as workers have it. */
    private static void catalogue(ScaleCluster cluster, int workers, Map<String, Object> row)
            throws InterruptedException {
        List<KafkaCatalog> readers = new ArrayList<>();
        List<Long> taken = new ArrayList<>();
        List<Long> seen = new ArrayList<>();
        try {
            for (int w = 0; w < workers; w++) {
                readers.add(KafkaCatalog.open(cluster.kafka(), "reader"));
            }
            for (int i = 0; i < CREATED; i++) {
                String name = "seen" + i;
                long beganNs = Clock.SYSTEM.nanos();
                taken.add(
                        cluster.create(
                                "CREATE QUERY "
                                        + name
                                        + " AS SELECT COUNT(*) AS n FROM packets WHERE bytes > "
                                        + i));
                for (KafkaCatalog reader : readers) {
                    while (reader.find(name).isEmpty()) {
                        reader.awaitOther(reader.state(), 1);
                    }
                }
                seen.add(Clock.SYSTEM.nanos() - beganNs);
            }
        } finally {
            readers.forEach(KafkaCatalog::close);
        }
        row.put("create_ms", median(taken) / MS);
        row.put("create_seen_by_all_ms", median(seen) / MS);
    }

    private static double median(List<Long> values) {
        List<Long> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static void triggers(ScaleCluster cluster, int samples, Map<String, Object> row) {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        List<Query> chain = node.load(node.frontend().parse(TriggerLatency.SQL)).queries();
        TriggerLatency.Result result =
                new TriggerLatency(cluster.kafka(), chain).measure(WARM_UPS, samples);
        row.put("trigger_median_ms", result.ms(50));
        row.put("trigger_p99_ms", result.ms(99));
        row.put("triggers_missed", result.missed());
    }

    /** Measures so many queries of twenty shapes, half of them merged. */
    public void queries(int queries, int workers) throws IOException, InterruptedException {
        List<Shapes.Made> made = Shapes.of(queries);
        Answers answers =
                Answers.of(
                        made.stream().map(Shapes.Made::sql).toList(),
                        SourceSpec.pcap("Node1", capture));
        try (ScaleCluster cluster = cluster(workers, 1)) {
            long createNs = 0;
            Map<String, Long> rows = new HashMap<>();
            for (Shapes.Made query : made) {
                createNs += cluster.create(query.sql());
                if (answers.rows(query.name()) > 0) {
                    rows.put(query.name(), answers.rows(query.name()));
                }
            }
            ScaleCluster.Replayed replayed =
                    cluster.replay(workers, capture, firstNs(capture), rows);
            for (Shapes.Made query : made) {
                answers.check(
                        cluster.kafka(), query.name(), replayed.shiftNs(), query.factor(workers));
            }
            long all = rows.values().stream().mapToLong(Long::longValue).sum();
            Map<String, Object> row = row("queries", workers, replayed, all);
            row.put("queries", queries);
            row.put("shapes", Math.min(queries, Shapes.COUNT));
            row.put("create_ms", createNs / MS / queries);
            bytes(cluster, row, all);
            tell(row);
        }
    }

    /** Measures a window of so many groups, of which every worker has a part. */
    public void groups(int groups, int workers) throws IOException, InterruptedException {
        Path file = ManySources.write(directory.resolve("sources.pcap"), groups);
        Answers answers = Answers.of(List.of(GROUPS), SourceSpec.pcap("Node1", file));
        if (answers.rows("sources") != groups) {
            throw new IllegalStateException(answers.rows("sources") + " groups, not " + groups);
        }
        try (ScaleCluster cluster = cluster(workers, 1)) {
            cluster.create(GROUPS);
            ScaleCluster.Replayed replayed =
                    cluster.replay(
                            workers, file, ManySources.START_NS, Map.of("sources", (long) groups));
            answers.check(cluster.kafka(), "sources", replayed.shiftNs(), workers);
            Map<String, Object> row = row("groups", workers, replayed, groups);
            bytes(cluster, row, groups);
            tell(row);
        }
    }
}
