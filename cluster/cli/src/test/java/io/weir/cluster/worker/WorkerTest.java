package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.launcher.Cli;
import io.weir.cluster.merge.MergeMessageCodec;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTest {
    private static final long MS = 1_000_000L;

    private static final List<String> QUERIES =
            List.of(
                    "per_source AS SELECT node_id, src_addr, COUNT(*) AS n, SUM(bytes) AS b FROM"
                            + " packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), node_id, src_addr",
                    "on_a AS SELECT window_start, COUNT(*) AS n, COUNT(DISTINCT src_addr) AS s"
                            + " FROM packets WHERE node_id = 'a'"
                            + " GROUP BY TUMBLE(ts, INTERVAL '2' SECOND)",
                    "busy AS SELECT n FROM on_a WHERE n > 100",
                    "single AS SELECT ts, node_id, src_addr, bytes FROM packets WHERE bytes >"
                            + " 1400");

    @TempDir private Path directory;
    private EmbeddedBroker broker;
    private KafkaSettings kafka;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        kafka = KafkaSettings.of(broker.bootstrap());
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** What two workers send is what one machine says of both captures. */
    @Test
    void twoWorkersSendTheRowsOfOneMachine() throws Exception {
        long seed = Long.getLong("weir.seed", 1);
        Path a = capture("a", new Random(seed));
        Path b = capture("b", new Random(seed + 1));
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            for (String query : QUERIES) {
                create(catalog, query);
            }
            create(catalog, "spread AS SELECT COUNT(*) AS n FROM packets");
        }
        List<Stage.Snapshot> first = worker("a", a).run();
        List<Stage.Snapshot> second = worker("b", b).run();
        for (List<Stage.Snapshot> account : List.of(first, second)) {
            assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
        }
        for (String query : QUERIES) {
            String name = query.substring(0, query.indexOf(' '));
            List<String> expected = embedded(name, a, b);
            assertTrue(!expected.isEmpty(), name);
            assertEquals(
                    expected,
                    ResultRows.all(kafka, name).stream().sorted().toList(),
                    name + ", seed " + seed);
        }
        assertEquals(List.of(), ResultRows.all(kafka, "spread")); // it waits for a merge
    }

    /** Queries come and go while a capture is replayed over and over. */
    @Test
    void followsTheCatalogue() throws Exception {
        Path a = capture("a", new Random(1));
        Worker worker =
                new Worker(
                        settings(
                                "a",
                                a,
                                new ReplayOptions(
                                        4, true, Optional.empty(), Duration.ofSeconds(20))),
                        kafka,
                        new WorkerListener() {});
        List<List<Stage.Snapshot>> accounts = new ArrayList<>();
        Thread running = new Thread(() -> accounts.add(worker.run()));
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            running.start();
            create(catalog, QUERIES.get(1));
            ResultRows.await(kafka, "on_a", rows -> rows.size() > 2);
            create(
                    catalog,
                    "REPLACE on_a AS SELECT window_start, COUNT(*) AS n, 7 AS seven FROM packets"
                            + " WHERE node_id = 'a' GROUP BY TUMBLE(ts, INTERVAL '2' SECOND)");
            ResultRows.await(
                    kafka, "on_a", rows -> rows.stream().anyMatch(r -> r.contains("\"seven\":7")));
            catalog.drop("on_a", false);
            create(catalog, QUERIES.get(0));
            ResultRows.await(kafka, "per_source", rows -> rows.size() > 3);
        }
        worker.stop();
        running.join();
        assertTrue(accounts.get(0).stream().allMatch(Stage.Snapshot::isBalanced));
        // Of a window that was open at the replacement each version has rows: the old one's first.
        List<String> rows = ResultRows.all(kafka, "on_a");
        List<Long> versions = ResultRows.versions(kafka, "on_a");
        List<String> windows = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            String window = rows.get(row).substring(0, rows.get(row).indexOf(','));
            windows.add(window + String.format(Locale.ROOT, " %06d", versions.get(row)));
        }
        assertEquals(windows.stream().sorted().toList(), windows);
    }

    /** What others send after its first packet is after its begin, in each shard. */
    @Test
    void theMergeHasItsBeginBeforeItsPacketsBegin() throws Exception {
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            create(catalog, "spread AS SELECT COUNT(*) AS n FROM packets");
        }
        List<List<Boolean>> begins = new CopyOnWriteArrayList<>();
        ReplayOptions now =
                new ReplayOptions(
                        100, false, Optional.of(ReplayOptions.WHEN_READY), Duration.ofSeconds(20));
        Path file = capture("a", new Random(1));
        Worker worker = new Worker(settings("a", file, now), kafka, new WorkerListener() {});
        List<Stage.Snapshot> account;
        try (LogLines log =
                LogLines.after("worker a: packets begin at ", at -> begins.addAll(begins("a")))) {
            account = worker.run();
            assertEquals(1, log.texts().size(), log.texts().toString());
        }
        assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
        assertEquals(Collections.nCopies(KafkaSettings.SHARDS, List.of(true)), begins);
        List<List<Boolean>> all = begins("a");
        assertEquals(KafkaSettings.SHARDS, all.size());
        for (List<Boolean> ofShard : all) {
            assertTrue(ofShard.size() > 1 && ofShard.lastIndexOf(true) == 0, all.toString());
        }
    }

    /** It had none whose windows leave: the merge may not have waited for it. */
    @Test
    void theMergeHasItsBeginBeforeItsFirstMergedQueryCounts() throws Exception {
        ReplayOptions repeated =
                new ReplayOptions(4, true, Optional.empty(), Duration.ofSeconds(20));
        Path file = capture("a", new Random(1));
        Worker worker = new Worker(settings("a", file, repeated), kafka, new WorkerListener() {});
        Thread running = new Thread(worker::run);
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            running.start();
            create(catalog, QUERIES.get(1));
            ResultRows.await(kafka, "on_a", rows -> rows.size() > 2);
            assertEquals(Collections.nCopies(KafkaSettings.SHARDS, List.of()), begins("a"));
            create(catalog, "spread AS SELECT COUNT(*) AS n FROM packets");
            Await.until(
                    () ->
                            !running.isAlive()
                                    || begins("a").stream().allMatch(all -> all.size() >= 3));
        } finally {
            worker.stop();
            running.join();
        }
        for (List<Boolean> ofShard : begins("a")) {
            assertTrue(ofShard.contains(true), ofShard.toString());
            // How far its time is may be told before that; and the query's shard has its windows.
            assertTrue(ofShard.lastIndexOf(true) <= 1, ofShard.toString());
        }
    }

    /** Of each shard's messages, in order, whether they are a worker's begin. */
    private List<List<Boolean>> begins(String worker) {
        List<List<Boolean>> begins = new ArrayList<>();
        for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
            List<Boolean> ofShard = new ArrayList<>();
            TopicPartition partition = new TopicPartition(Topics.PARTIALS, shard);
            for (var record : CommittedRecords.of(kafka, partition)) {
                MergeMessage message = MergeMessageCodec.message(record.value());
                assertEquals(worker, message.source().worker());
                ofShard.add(message instanceof MergeMessage.Passed p && p.isBeginning());
            }
            begins.add(ofShard);
        }
        return begins;
    }

    /** Four queries on two workers, each woken by the one before: Edison's chase. */
    @Test
    void aChainOfConditionsAcrossWorkers() throws Exception {
        ReplayOptions slow =
                new ReplayOptions(2, true, Optional.of(Instant.now()), Duration.ofSeconds(20));
        List<String> woken = new CopyOnWriteArrayList<>();
        List<Worker> workers = new ArrayList<>();
        for (String node : List.of("a", "b")) {
            Path file = capture(node, new Random(3));
            WorkerListener listener =
                    new WorkerListener() {
                        @Override
                        public void woken(Query query, String key, long windowEndNs, long fromNs) {
                            woken.add(node + " " + query.name());
                        }

                        @Override
                        public void wokenElsewhere(Query query, long fromNs) {
                            woken.add(node + " from elsewhere " + query.name());
                        }
                    };
            workers.add(new Worker(settings(node, file, slow), kafka, listener));
        }
        List<Thread> threads = workers.stream().map(worker -> new Thread(worker::run)).toList();
        threads.forEach(Thread::start);
        String each = " AS SELECT COUNT(*) AS n FROM packets WHERE node_id = ";
        String second = " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND) ";
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            create(catalog, "q1" + each + "'a'" + second);
            create(catalog, "q2" + each + "'a'" + second + "WHEN q1.n > 10");
            create(catalog, "q3" + each + "'b'" + second + "WHEN q2.n > 10");
            create(catalog, "q4" + each + "'b'" + second + "WHEN q3.n > 10");
            ResultRows.await(kafka, "q4", rows -> rows.size() > 2);
            // What waits elsewhere is woken whatever it was before, and whoever comes late.
            create(
                    catalog,
                    "REPLACE q3 AS SELECT COUNT(*) AS n, 7 AS seven FROM packets WHERE node_id ="
                            + " 'b'"
                            + second
                            + "WHEN q2.n > 11");
            ResultRows.await(kafka, "q3", rows -> rows.stream().anyMatch(r -> r.contains("seven")));
        }
        workers.forEach(Worker::stop);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(
                List.of("a q2", "b from elsewhere q3", "b q4"), woken.stream().distinct().toList());
    }

    private Worker worker(String node, Path file) {
        return new Worker(
                settings(node, file, ReplayOptions.AT_ONCE), kafka, new WorkerListener() {});
    }

    private WorkerSettings settings(String node, Path file, ReplayOptions replay) {
        return WorkerSettings.of(node, file, replay, directory.resolve("outbox-" + node));
    }

    private static void create(KafkaCatalog catalog, String query) {
        boolean replace = query.startsWith("REPLACE ");
        String sql =
                replace
                        ? "CREATE OR REPLACE QUERY " + query.substring("REPLACE ".length())
                        : "CREATE QUERY " + query;
        var create = (Statement.CreateQuery) new SqlFrontend(catalog).parse(sql).get(0);
        catalog.create(create.query(), replace);
    }

    private Path capture(String name, Random random) throws Exception {
        PcapFile file = new PcapFile();
        for (int i = 0; i < 3_000; i++) {
            file.udp(i * 2 * MS, 10 + random.nextInt(9), 200, 53, 40 + random.nextInt(1_400));
        }
        return file.write(directory.resolve(name + ".pcap"));
    }

    /** What {@code weir run} says of both files, without the member {@code query}. */
    private static List<String> embedded(String name, Path a, Path b) {
        StringBuilder sql = new StringBuilder();
        QUERIES.forEach(query -> sql.append("CREATE QUERY ").append(query).append(";\n"));
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        sql.toString(),
                        "--query",
                        name,
                        "--format",
                        "json",
                        "--pcap",
                        "a=" + a,
                        "b=" + b);
        assertEquals(0, result.code(), result.err());
        return result.out()
                .lines()
                .map(line -> line.replaceFirst("\"query\":\"" + name + "\",", ""))
                .sorted()
                .toList();
    }
}
