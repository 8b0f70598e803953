package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.Triggers;
import io.weir.operators.when.WhenState;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker ends between the row that wakes queries and the one that ends them. Its next process
 * ends what is awake elsewhere, makes FOR longer, and has what is awake here count from its first
 * packet on.
 */
@Timeout(600)
final class RestartedConditionsTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final String COUNTED = " AS SELECT COUNT(*) AS n FROM packets WHERE node_id = '";
    private static final String SECOND = "' GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
    private static final String UNTIL = " WHEN load.n > 10 UNTIL load.n < 5";
    private static final String FOR = " WHEN load.n > 10 FOR INTERVAL '10' SECOND";

    @TempDir private Path directory;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    private final class Heard implements Triggers {
        @Override
        public void changed(String query, long version, WhenState.Change change) {
            know(change.begins() ? "wakes " : "ends ", query, change.fromNs());
        }

        /** Each is told twice. */
        private void know(String what, String query, long fromNs) {
            String text = what + query + " of " + (fromNs - PcapFile.START_NS) / SECOND_NS;
            if (!heard.contains(text)) {
                heard.add(text);
            }
        }
    }

    @Test
    void theNextProcessGoesOn() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"))) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
                create(catalog, "load" + COUNTED + "a" + SECOND);
                create(catalog, "here" + COUNTED + "a" + SECOND + UNTIL);
                create(catalog, "herefor" + COUNTED + "a" + SECOND + FOR);
                create(catalog, "there" + COUNTED + "b" + SECOND + UNTIL);
                create(catalog, "therefor" + COUNTED + "b" + SECOND + FOR);
            }
            run(kafka, new Capture("wakes").seconds(0, 2, 20));
            run(kafka, new Capture("between").seconds(5, 6, 7));
            run(kafka, new Capture("renews").seconds(7, 8, 20));
            assertEquals(List.of("7", "20"), rows(kafka, "here"));
            assertEquals(List.of("7", "20"), rows(kafka, "herefor"));
            run(kafka, new Capture("ends").seconds(9, 10, 3).seconds(14, 15, 7));
            // FOR has run out by then.
            run(kafka, new Capture("sleeps").seconds(25, 26, 7));
            assertEquals("7,20,3,7", String.join(",", rows(kafka, "herefor")));
            hear(kafka, "ends there");
            assertEquals(1, heard("wakes there of"), heard.toString());
            assertEquals(1, heard("ends there of"), heard.toString());
            assertEquals(1, heard("wakes therefor of"), heard.toString());
            assertEquals(1, heard("ends therefor of"), heard.toString());
        }
    }

    /** What another process has done in between is not known where the first one was. */
    @Test
    void whoComesBackToAnOutboxBeginsAnew() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"))) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
                create(catalog, "load" + COUNTED + "a" + SECOND);
                create(catalog, "here" + COUNTED + "a" + SECOND + UNTIL);
                create(catalog, "there" + COUNTED + "b" + SECOND + UNTIL);
            }
            run(kafka, new Capture("wakes").seconds(0, 2, 20));
            run(kafka, new Capture("other").seconds(5, 6, 3).seconds(9, 10, 7), "other");
            run(kafka, new Capture("back").seconds(12, 13, 7).seconds(14, 15, 20));
            assertEquals(List.of(), rows(kafka, "here"));
            hear(kafka, "wakes there of 17");
            assertEquals(2, heard("wakes there of"), heard.toString());
        }
    }

    @Test
    void whoReadsRowsAgainBeginsAnew() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"))) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
                create(catalog, "load" + COUNTED + "a" + SECOND);
                create(catalog, "there" + COUNTED + "b" + SECOND + UNTIL);
            }
            run(kafka, new Capture("wakes").seconds(0, 5, 7).seconds(5, 7, 20));
            run(kafka, new Capture("again").seconds(0, 2, 20));
            hear(kafka, "wakes there of 3");
            assertEquals(2, heard("wakes there of"), heard.toString());
        }
    }

    private long heard(String text) {
        return heard.stream().filter(one -> one.startsWith(text)).count();
    }

    private static List<String> rows(KafkaSettings kafka, String query) {
        return ResultRows.all(kafka, query).stream().map(row -> row.replaceAll("\\D", "")).toList();
    }

    private void hear(KafkaSettings kafka, String last) throws InterruptedException {
        try (TriggerFollower follower =
                new TriggerFollower(
                        kafka,
                        "b",
                        new Heard(),
                        failure -> {
                            throw failure;
                        })) {
            follower.start();
            Await.until(() -> heard(last) > 0, heard::toString);
        }
    }

    private void run(KafkaSettings kafka, Capture capture) throws Exception {
        run(kafka, capture, "outbox");
    }

    private void run(KafkaSettings kafka, Capture capture, String outboxName) throws Exception {
        Path file = capture.file.write(directory.resolve(capture.name + ".pcap"));
        Path outbox = directory.resolve(outboxName);
        new Worker(
                        WorkerSettings.of("a", file, ReplayOptions.AT_ONCE, outbox),
                        kafka,
                        new WorkerListener() {})
                .run();
    }

    private static void create(KafkaCatalog catalog, String query) {
        var create =
                (Statement.CreateQuery)
                        new SqlFrontend(catalog).parse("CREATE QUERY " + query).get(0);
        catalog.create(create.query(), false);
    }

    private static final class Capture {
        final String name;
        final PcapFile file = new PcapFile();

        Capture(String name) {
            this.name = name;
        }

        /** So many packets in each of these seconds. */
        Capture seconds(int from, int to, int packets) {
            for (int s = from; s < to; s++) {
                for (int p = 0; p < packets; p++) {
                    file.udp(s * SECOND_NS + p * (SECOND_NS / packets), 10, 200, 53, 100);
                }
            }
            return this;
        }
    }
}
