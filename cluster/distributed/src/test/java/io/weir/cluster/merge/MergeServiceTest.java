package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.CatalogState;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.kafka.results.OutboxSender;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.protocol.MergeCounts;
import io.weir.cluster.protocol.PartialSender;
import io.weir.cluster.protocol.RowsPlace;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.cluster.protocol.wire.PartialWriter;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.Triggers;
import io.weir.cluster.worker.SettledThrottle;
import io.weir.ingest.cache.CacheConfig;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.when.WhenState;
import io.weir.testing.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers that settle, of two nodes with a capture each, and the merge as a topology of a real
 * broker, against one engine that reads both captures.
 */
@Timeout(900)
final class MergeServiceTest {
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");
    private static final List<String> NODES = List.of("Node1", "Node2");
    private static final int SHARDS = 7;
    private static final SlicedReplay REPLAY =
            new SlicedReplay(
                    "both", 0, NODES.size(), Set.copyOf(NODES), 0, false, 1, NODES.size(), true);
    private static final String SQL =
            """
            CREATE QUERY per_dst AS SELECT window_end, dst_addr, COUNT(*) AS n,
                COUNT(DISTINCT src_addr) AS sources, packets_lost
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), dst_addr;
            CREATE QUERY top AS SELECT window_end, node_id, src_addr, SUM(bytes) AS bytes
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), node_id, src_addr
              ORDER BY bytes DESC LIMIT 3;
            CREATE QUERY rate AS SELECT window_end, COUNT(*) AS n FROM packets
              GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
            CREATE QUERY busy AS SELECT active_from, window_end, proto, COUNT(*) AS n
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto
              WHEN rate.n > 2500 UNTIL rate.n < 1200;
            CREATE QUERY one_node AS SELECT window_end, COUNT(*) AS n FROM packets
              WHERE node_id = 'Node1' GROUP BY TUMBLE(ts, INTERVAL '5' SECOND);
            """;

    @TempDir private Path directory;
    private EmbeddedBroker broker;
    private KafkaSettings kafka;
    private KafkaCatalog catalog;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() {
        assumeTrue(Files.exists(CAPTURE), "the demo's capture is not here: skipped");
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        kafka = KafkaSettings.of(broker.bootstrap()).withShards(SHARDS);
        catalog = KafkaCatalog.open(kafka, "test");
        for (Query query : MergedLibraryTest.queries(SQL)) {
            catalog.create(query, false);
        }
        var unused = catalog.share(REPLAY);
    }

    @AfterEach
    void stop() {
        if (broker != null) {
            catalog.close();
            broker.close();
        }
    }

    private MergeService merge(String instance) {
        Path home = directory.resolve(instance);
        Duration patience = Duration.ofSeconds(60);
        return Merges.start(
                kafka, catalog, MergeServiceTest::awaited, patience, home, failures::add);
    }

    /** All say that windows are on their way: so nobody is given up while the broker is away. */
    private static Map<String, Long> awaited() {
        return REPLAY.workers().collect(Collectors.toMap(name -> name, name -> Long.MAX_VALUE));
    }

    private Map<String, List<String>> expected() {
        List<SourceSpec> inputs = new ArrayList<>();
        NODES.forEach(node -> inputs.add(SourceSpec.pcap(node, CAPTURE)));
        Rows rows = new Rows();
        try (LocalEngine engine = new LocalEngine(ClusterRun.OPTIONS, new Account())) {
            JsonRows json = new JsonRows(rows);
            for (Query query : catalog.state().queries()) {
                engine.add(compiled(query), json);
            }
            engine.start();
            Reading.all(engine, inputs);
        }
        Map<String, List<String>> all = new HashMap<>();
        catalog.state().names().forEach(name -> all.put(name, rows.of(name)));
        return all;
    }

    private static CompiledQuery compiled(Query query) {
        return KernelCompiler.compile(query, CacheConfig.DEFAULT.layouts());
    }

    /** A worker's whole life: the queries of the catalogue over its node's capture. */
    private void worker(int slice) {
        String node = REPLAY.worker(slice);
        String life = UUID.randomUUID().toString();
        Stage partials = new Stage("partials");
        try (Outbox outbox =
                        new Outbox(
                                directory.resolve("outbox-" + node),
                                64 << 20,
                                partials,
                                Patience.endless());
                OutboxSender sending =
                        new OutboxSender(
                                        kafka,
                                        MergeMessageEntries.name(node),
                                        life,
                                        outbox,
                                        new MergeMessageEntries(kafka, node),
                                        failures::add)
                                .start();
                LocalEngine engine = new LocalEngine(ClusterRun.OPTIONS, new Account())) {
            PartialSender sender =
                    new PartialSender(
                            new WorkerEpoch(node, life),
                            SHARDS,
                            PartialWriter.DEFAULT_BLOCK_BYTES,
                            MergeMessageEntries.into(outbox, SHARDS));
            CatalogState state = catalog.state();
            PartialRouting leaving = new PartialRouting(state);
            for (Definition definition : state.definitions().values()) {
                Query query = definition.query();
                CompiledQuery code = compiled(query);
                if (leaving.made(query) != RowsPlace.ON_WORKERS) {
                    PartialExporter exporter = sender.exporter(code, definition.version());
                    if (query.when().isPresent()) {
                        engine.addWoken(code, exporter, leaving.isRead(query));
                    } else {
                        engine.add(code, exporter, leaving.isRead(query));
                    }
                }
            }
            engine.addPassListener(sender::passed);
            SettledThrottle throttle =
                    new SettledThrottle(engine, ClusterRun.OPTIONS.delayNs(), this::check);
            throttle.hold(leaving.awaited());
            Triggers triggers = triggers(engine, throttle);
            engine.start();
            try (TriggerFollower follower =
                    new TriggerFollower(kafka, node, triggers, failures::add).start()) {
                Reading.all(
                        engine,
                        throttle,
                        engine.writers(),
                        List.of(SourceSpec.pcap(NODES.get(slice), CAPTURE)));
                assertEquals(0, follower.unread());
            }
            assertTrue(sending.awaitSent(120_000));
            assertEquals(0, partials.snapshot().lostInAll());
        } catch (Throwable failure) {
            failures.add(failure);
        }
    }

    private static Triggers triggers(LocalEngine engine, SettledThrottle throttle) {
        return new Triggers() {
            @Override
            public void changed(String query, long version, WhenState.Change change) {
                engine.report(query, change);
            }

            @Override
            public void settled(long settledNs) {
                throttle.settled(settledNs);
            }
        };
    }

    /** For who waits, who ends only by this. */
    private boolean check() {
        assertEquals(List.of(), failures);
        return false;
    }

    private List<Thread> workers() {
        List<Thread> threads = new ArrayList<>();
        for (int w = 0; w < NODES.size(); w++) {
            int slice = w;
            Thread thread = new Thread(() -> worker(slice), "worker-" + slice);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private void compare(Map<String, List<String>> expected) {
        for (String query : List.of("per_dst", "top", "rate", "busy")) {
            List<String> theirs = new ArrayList<>(expected.get(query));
            List<String> ours =
                    new ArrayList<>(MergedRows.await(kafka, query, theirs.size(), failures));
            // Rows of one window come from several shards.
            if (query.equals("per_dst") || query.equals("busy")) {
                theirs.sort(null);
                ours.sort(null);
            }
            assertEquals(List.of(), failures, query);
            assertTrue(theirs.size() > 10, query + " has only " + theirs.size());
            assertEquals(String.join("\n", theirs), String.join("\n", ours), query);
        }
    }

    @Test
    void theTopologysRowsAreThoseOfOneEngine() throws InterruptedException {
        Map<String, List<String>> expected = expected();
        try (MergeService merge = merge("a")) {
            for (Thread worker : workers()) {
                worker.join();
            }
            compare(expected);
            assertEquals(0, merge.metrics().malformed());
            System.out.println(merge.metrics().tasks());
        }
    }

    /**
     * The broker goes and comes while windows are on their way: each row once, and none is lost.
     */
    @Test
    void brokersThatGoAndComeLoseNothing() throws InterruptedException {
        Map<String, List<String>> expected = expected();
        try (MergeService merge = merge("a")) {
            List<Thread> workers = workers();
            for (int outage = 0; outage < 2; outage++) {
                awaitMessages(merge, 40 * (outage + 1));
                BrokerSettings same = broker.settings();
                broker.close();
                broker = EmbeddedBroker.start(same);
            }
            for (Thread worker : workers) {
                worker.join();
            }
            compare(expected);
            for (MergeCounts counts : merge.metrics().tasks().values()) {
                assertEquals(0, counts.missing().get() + counts.lateWindows().get(), "" + counts);
            }
        }
    }

    /** It gives up a commit that is on its way; who comes next makes the rows, once. */
    @Test
    void anInstanceThatIsStoppedWhileTheBrokerIsAwayDoesNotWaitForIt() throws Exception {
        Map<String, List<String>> expected = expected();
        MergeService first = merge("a");
        List<Thread> workers = workers();
        awaitMessages(first, 40);
        BrokerSettings same = broker.settings();
        broker.close();
        long begunNs = System.nanoTime();
        first.close();
        long tookNs = System.nanoTime() - begunNs;
        broker = EmbeddedBroker.start(same);
        try (MergeService next = merge("b")) {
            for (Thread worker : workers) {
                worker.join();
            }
            compare(expected);
            assertEquals(0, next.metrics().malformed());
        }
        long mostNs = MergeService.CLOSING.toNanos();
        assertTrue(tookNs < mostNs, "its whole patience: " + tookNs / 1_000_000 + " ms");
    }

    private void awaitMessages(MergeService merge, long messages) {
        Await.until(() -> messages(merge) >= messages || !failures.isEmpty());
    }

    private static long messages(MergeService merge) {
        return merge.metrics().tasks().values().stream().mapToLong(c -> c.messages().get()).sum();
    }

    /** Instances of the merge that Kafka knows of. */
    private int members() throws Exception {
        try (Admin admin = Admin.create(kafka.client("test"))) {
            String group = MergeService.APPLICATION;
            return KafkaCalls.await(admin.describeConsumerGroups(List.of(group)).all())
                    .get(group)
                    .members()
                    .size();
        }
    }

    /** Instances that are stopped and started in the middle: each row once. */
    @Test
    void aRestartedInstanceGoesOn() throws Exception {
        Map<String, List<String>> expected = expected();
        MergeService merge = merge("a");
        int restarts = 0;
        try {
            List<Thread> workers = workers();
            while (workers.stream().anyMatch(Thread::isAlive) && restarts < 2) {
                awaitMessages(merge, 20);
                merge.close();
                assertEquals(0, members(), "nobody is to wait for one that was stopped");
                merge = merge(restarts % 2 == 0 ? "b" : "a");
                restarts++;
            }
            for (Thread worker : workers) {
                worker.join();
            }
            compare(expected);
        } finally {
            merge.close();
        }
        assertTrue(restarts > 0, "restarted " + restarts + " times");
        System.out.println(restarts + " restarts");
    }
}
