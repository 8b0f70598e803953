package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.WokenQueries;
import io.weir.operators.account.Stage;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A row wakes a query on another worker while Kafka is away, and the worker ends before it is back.
 * The next process of its name sends the row, and wakes the query.
 */
@Timeout(600)
final class RestartedWatchTest {
    private static final long MS = 1_000_000L;
    private static final String SECOND = " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
    private static final Duration AHEAD = Duration.ofSeconds(15);

    @TempDir private Path directory;
    private final List<String> woken = new CopyOnWriteArrayList<>();
    private final CountDownLatch ready = new CountDownLatch(1);

    @Test
    void whatAnEarlierProcessHasNotToldIsTold() throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        BrokerSettings same = broker.settings();
        try {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
                create(
                        catalog,
                        "once AS SELECT COUNT(*) AS n FROM packets WHERE node_id = 'a'" + SECOND);
                create(
                        catalog,
                        "waits AS SELECT COUNT(*) AS n FROM packets WHERE node_id = 'b'"
                                + SECOND
                                + " WHEN once.n > 10");
            }
            Worker first =
                    worker(kafka, capture("long", 3_000), Optional.of(Instant.now().plus(AHEAD)));
            List<Stage.Snapshot> account = new ArrayList<>();
            Thread running = new Thread(() -> account.addAll(first.run()));
            running.start();
            ready.await();
            broker.close();
            running.join();
            assertTrue(account.toString().contains("excluded={kept=1}"), account.toString());
            broker = EmbeddedBroker.start(same);
            assertEquals(List.of(), hear(KafkaSettings.of(broker.bootstrap()), 2_000));
            // It has no packets that meet the condition.
            worker(KafkaSettings.of(broker.bootstrap()), capture("short", 1), Optional.empty())
                    .run();
            List<String> heard = hear(KafkaSettings.of(broker.bootstrap()), 60_000);
            assertEquals(List.of("waits"), heard.stream().distinct().toList());
            assertEquals(
                    3_001,
                    ResultRows.all(KafkaSettings.of(broker.bootstrap()), "once").stream()
                            .mapToInt(row -> Integer.parseInt(row.replaceAll("\\D", "")))
                            .sum());
        } finally {
            broker.close();
        }
    }

    /** Queries that were woken by now, or within that time. */
    private List<String> hear(KafkaSettings kafka, long ms) throws InterruptedException {
        try (TriggerFollower follower =
                new TriggerFollower(
                        kafka,
                        "b",
                        new WokenQueries(woken),
                        failure -> {
                            throw failure;
                        })) {
            follower.start();
            long deadline = System.nanoTime() + ms * MS;
            while (woken.isEmpty() && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
        }
        return woken;
    }

    private Worker worker(KafkaSettings kafka, Path file, Optional<Instant> begin) {
        ReplayOptions replay =
                begin.isEmpty()
                        ? ReplayOptions.AT_ONCE
                        : new ReplayOptions(4, false, begin, Duration.ofSeconds(20));
        WorkerListener listener =
                new WorkerListener() {
                    @Override
                    public void ready(int queries) {
                        ready.countDown();
                    }
                };
        Path outbox = directory.resolve("outbox");
        return new Worker(WorkerSettings.of("a", file, replay, outbox), kafka, listener);
    }

    private static void create(KafkaCatalog catalog, String query) {
        var create =
                (Statement.CreateQuery)
                        new SqlFrontend(catalog).parse("CREATE QUERY " + query).get(0);
        catalog.create(create.query(), false);
    }

    private Path capture(String name, int packets) throws Exception {
        PcapFile file = new PcapFile();
        for (int i = 0; i < packets; i++) {
            file.udp(i * 2 * MS, 10, 200, 53, 100);
        }
        return file.write(directory.resolve(name + ".pcap"));
    }
}
