package io.weir.cluster.worker;

import static io.weir.cluster.worker.LiveWorker.ROWS;
import static io.weir.cluster.worker.LiveWorker.counted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.node.PcapFile;
import io.weir.operators.account.Stage;
import io.weir.testing.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker begins while nobody listens where Kafka is, and Kafka comes later. */
@Timeout(240)
class KafkaAwayAtStartTest {
    private static final int PACKETS = 150;

    @TempDir private Path directory;
    private BrokerSettings settings;
    private KafkaSettings kafka;
    private EmbeddedBroker broker;

    @BeforeEach
    void choose() {
        settings =
                BrokerSettings.alone(
                        EmbeddedBroker.freePort(),
                        EmbeddedBroker.freePort(),
                        directory.resolve("kafka"));
        kafka = KafkaSettings.of(settings.host() + ":" + settings.port());
    }

    private void startBroker() {
        broker = EmbeddedBroker.start(settings);
    }

    @AfterEach
    void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    private LiveWorker live() throws IOException {
        return new LiveWorker(directory, directory.resolve("outbox"), kafka);
    }

    @Test
    void countsWithItsCopyUntilKafkaComes() throws Exception {
        startBroker();
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            LiveWorker.create(catalog, "stays" + ROWS);
            LiveWorker.create(catalog, "doomed" + ROWS);
            LiveWorker first = live();
            first.write(PACKETS);
            first.end();
            LiveWorker.create(catalog, "fresh" + ROWS);
            catalog.drop("doomed", false);
        }
        assertEquals(PACKETS, counted(kafka, "stays"));
        long doomed = counted(kafka, "doomed");
        broker.close();
        LiveWorker.awaitNextSecond(); // windows of the next are not those of the worker before

        LiveWorker second = live();
        second.write(PACKETS);
        second.awaitNote("counts for the 2 queries of its copy of the catalogue");
        second.awaitNote(LiveWorker.READY);
        int waiting = 2 * second.rows();
        second.awaitStage("outbox rows", rows -> rows.offered() >= waiting);
        startBroker();
        second.awaitNote("follows Kafka's catalogue (2 queries)");
        LiveWorker.awaitNextSecond();
        second.write(PACKETS);
        second.end();

        assertEquals(3 * PACKETS, counted(kafka, "stays"));
        assertEquals(PACKETS, counted(kafka, "fresh"));
        assertEquals(doomed + PACKETS, counted(kafka, "doomed")); // made before it was known
    }

    /** The first start ever: nobody knows what to count, and the packets are told as that. */
    @Test
    void withoutACopyPacketsAreLostAndTold() throws Exception {
        LiveWorker live = live();
        live.write(PACKETS);
        live.awaitNote("there is no copy of the catalogue");
        live.awaitNote(LiveWorker.READY);
        live.awaitStage("capture", s -> s.lost().getOrDefault("no_catalog", 0L) >= PACKETS);
        startBroker();
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            LiveWorker.create(catalog, "stays" + ROWS);
            live.awaitNote("follows Kafka's catalogue");
            live.write(PACKETS);
            ResultRows.await(kafka, "stays", rows -> !rows.isEmpty());
        }
        Stage.Snapshot capture = LiveWorker.stage(live.end(), "capture");
        long lost = capture.lost().getOrDefault("no_catalog", 0L);
        assertEquals(2 * PACKETS, capture.offered());
        assertTrue(lost >= PACKETS, capture.toString());
        assertEquals(2 * PACKETS - lost, capture.processed());
    }

    /** Packets of a file can wait. */
    @Test
    void aFileWaitsForKafka() throws Exception {
        PcapFile packets = new PcapFile();
        for (int i = 0; i < PACKETS; i++) {
            packets.udp(i * 10_000_000L, 1 + i % 3, 2, 53, 60);
        }
        Path file = packets.write(directory.resolve("a.pcap"));
        CountDownLatch waits = new CountDownLatch(1);
        Worker worker =
                new Worker(
                        WorkerSettings.of(
                                "a", file, ReplayOptions.AT_ONCE, directory.resolve("outbox")),
                        kafka,
                        new WorkerListener() {});
        FutureTask<List<Stage.Snapshot>> account = new FutureTask<>(worker::run);
        startBroker();
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            LiveWorker.create(catalog, "stays" + ROWS);
        }
        broker.close();
        try (LogLines log =
                LogLines.after("worker a: waits for Kafka at", text -> waits.countDown())) {
            new Thread(account, "worker").start();
            assertTrue(waits.await(60, TimeUnit.SECONDS), log.texts().toString());
        }
        assertFalse(account.isDone());
        startBroker();
        account.get(90, TimeUnit.SECONDS);
        assertEquals(PACKETS, counted(kafka, "stays"));
    }
}
