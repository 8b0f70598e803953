package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.merge.MergeMessageCodec;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.protocol.MergeMessage;
import io.weir.operators.account.Stage;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker has no memory for a merged query, and tells the merge what its windows lack. */
class RefusedQueryTest {
    private static final int PACKETS = 3_000;

    private static final String COUNTED =
            " AS SELECT COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
    private static final String TOO_MUCH = " WITH (memory = '64GB')";

    @TempDir private Path directory;
    private EmbeddedBroker broker;
    private KafkaSettings kafka;
    private Worker worker;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        kafka = KafkaSettings.of(broker.bootstrap());
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** It does not keep the worker from counting others either. */
    @Test
    void oneThatIsThereWhenTheWorkerBegins() throws Exception {
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            create(catalog, "refused" + COUNTED + TOO_MUCH);
            create(catalog, "counted" + COUNTED);
        }
        worker = worker(ReplayOptions.AT_ONCE);
        List<Stage.Snapshot> account = worker.run();
        assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
        assertEquals(PACKETS, lost("refused"));
        assertEquals(0, processed("refused"));
        assertEquals(0, lost("counted"));
        assertEquals(PACKETS, processed("counted"));
    }

    @Test
    void onesThatComeWhileItRuns() throws Exception {
        worker = worker(new ReplayOptions(4, true, Optional.empty(), Duration.ofSeconds(20)));
        List<List<Stage.Snapshot>> accounts = new CopyOnWriteArrayList<>();
        Thread running = new Thread(() -> accounts.add(worker.run()));
        running.start();
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            create(catalog, "refused" + COUNTED + TOO_MUCH);
            await(running, () -> lost("refused") > 0);
            create(
                    catalog,
                    "waker AS SELECT COUNT(*) AS n FROM packets WHERE node_id = 'a'"
                            + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
            create(catalog, "woken" + COUNTED + " WHEN waker.n > 10" + TOO_MUCH);
            await(running, () -> lost("woken") > 0);
            replace(catalog, "refused" + COUNTED);
            await(running, () -> processed("refused") > 0);
            assertEquals(0, processed("woken"));
            replace(catalog, "woken" + COUNTED + " WHEN waker.n > 10");
            await(running, () -> processed("woken") > 0);
            create(catalog, "gone" + COUNTED + TOO_MUCH);
            await(running, () -> lost("gone") > 0);
            catalog.drop("gone", false);
            create(catalog, "last" + COUNTED);
            await(running, () -> processed("last") > 0);
            int told = windows("gone").size();
            int seen = windows("last").size();
            await(running, () -> windows("last").size() > seen + 3);
            assertEquals(told, windows("gone").size());
        } finally {
            worker.stop();
            running.join();
        }
        assertTrue(accounts.get(0).stream().allMatch(Stage.Snapshot::isBalanced));
    }

    /** The version before ends, and has told all that it has counted. */
    @Test
    void oneThatTakesThePlaceOfAnother() throws Exception {
        worker = worker(new ReplayOptions(4, true, Optional.empty(), Duration.ofSeconds(20)));
        List<List<Stage.Snapshot>> accounts = new CopyOnWriteArrayList<>();
        Thread running = new Thread(() -> accounts.add(worker.run()));
        running.start();
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            create(catalog, "refused" + COUNTED);
            await(running, () -> processed("refused") > 0);
            assertEquals(0, lost("refused"));
            replace(catalog, "refused" + COUNTED + TOO_MUCH);
            await(running, () -> lost("refused") > 0);
            long processed = processed("refused");
            int seen = windows("refused").size();
            await(running, () -> windows("refused").size() > seen + 3);
            assertEquals(processed, processed("refused"));
            replace(catalog, "refused" + COUNTED);
            await(running, () -> processed("refused") > processed);
        } finally {
            worker.stop();
            running.join();
        }
        assertTrue(accounts.get(0).stream().allMatch(Stage.Snapshot::isBalanced));
    }

    private static void await(Thread running, BooleanSupplier wanted) {
        Await.until(
                () -> {
                    assertTrue(running.isAlive(), "the worker has ended");
                    return wanted.getAsBoolean();
                });
    }

    private long lost(String query) {
        return windows(query).stream().mapToLong(window -> window.losses().lost()).sum();
    }

    private long processed(String query) {
        return windows(query).stream().mapToLong(MergeMessage.Window::processed).sum();
    }

    /** Those that have come of a query without keys: it has one shard. */
    private List<MergeMessage.Window> windows(String query) {
        List<MergeMessage.Window> windows = new ArrayList<>();
        for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
            TopicPartition partition = new TopicPartition(Topics.PARTIALS, shard);
            for (var record : CommittedRecords.of(kafka, partition)) {
                if (MergeMessageCodec.message(record.value()) instanceof MergeMessage.WindowEnd of
                        && of.activation().query().equals(query)) {
                    windows.add(of.window());
                }
            }
        }
        return windows;
    }

    private Worker worker(ReplayOptions replay) throws Exception {
        PcapFile file = new PcapFile();
        for (int i = 0; i < PACKETS; i++) {
            file.udp(i * 2_000_000L, 10 + i % 9, 200, 53, 40 + i % 1_400);
        }
        Path capture = file.write(directory.resolve("a.pcap"));
        return new Worker(
                WorkerSettings.of("a", capture, replay, directory.resolve("outbox")),
                kafka,
                new WorkerListener() {});
    }

    private static void create(KafkaCatalog catalog, String query) {
        create(catalog, "CREATE QUERY " + query, false);
    }

    private static void replace(KafkaCatalog catalog, String query) {
        create(catalog, "CREATE OR REPLACE QUERY " + query, true);
    }

    private static void create(KafkaCatalog catalog, String sql, boolean replace) {
        var create = (Statement.CreateQuery) new SqlFrontend(catalog).parse(sql).get(0);
        catalog.create(create.query(), replace);
    }
}
