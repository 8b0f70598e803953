package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.results.OutboxSender;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.WokenQueries;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Others of the catalogue change where a query's rows are made, while its version stays. */
@Timeout(900)
final class MovedQueryTest {
    private static final long SECOND_NS = 1_000_000_000L;

    /** Of the first packet of captures made here. */
    private static final long BASE_NS = PcapFile.START_NS;

    private static final long PATIENCE_MS = 120_000;
    private static final String RATE =
            "CREATE QUERY rate AS SELECT window_end, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";
    private static final String BUSY =
            "CREATE QUERY busy AS SELECT window_end, proto, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto WHEN rate.n > 20";

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<String> woken = new CopyOnWriteArrayList<>();

    private Path capture() throws Exception {
        PcapFile file = new PcapFile();
        for (int second = 0; second < 13; second++) {
            for (int p = 0; p < 10 + second; p++) {
                file.udp(second * SECOND_NS + p * 20_000_000L, 1 + p, 7, 53, 60);
            }
        }
        return file.write(directory.resolve("capture.pcap"));
    }

    private static void create(KafkaCatalog catalog, String sql) {
        Query query = ((Statement.CreateQuery) new SqlFrontend(catalog).parse(sql).get(0)).query();
        catalog.create(query, false);
    }

    @Test
    void rowsGoOnWhereverTheyAreMade() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                KafkaCatalog catalog =
                        KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "test")) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            create(catalog, RATE);
            SentMessages messages = new SentMessages(catalog.state(), "w", "life", capture());
            Topics.ensure(kafka);
            MergeMessageEntries entries = new MergeMessageEntries(kafka, "w");
            String name = MergeMessageEntries.name("w");
            try (MergeService merge = merge(kafka, catalog);
                    TriggerFollower follower = follower(kafka);
                    Outbox outbox =
                            new Outbox(
                                    directory.resolve("o"),
                                    Outbox.LEAST_BYTES,
                                    new Stage("o"),
                                    Patience.endless());
                    OutboxSender sender =
                            new OutboxSender(kafka, name, "life", outbox, entries, failures::add)
                                    .start()) {
                messages.put(outbox, BASE_NS + 4 * SECOND_NS);
                MergedRows.await(kafka, "rate", 4, failures);
                create(catalog, BUSY);
                messages.put(outbox, BASE_NS + 8 * SECOND_NS);
                MergedRows.await(kafka, "rate", 8, failures);
                assertEquals(List.of(), woken);
                catalog.drop("busy", false);
                messages.put(outbox, BASE_NS + 9 * SECOND_NS);
                MergedRows.await(kafka, "rate", 9, failures);
                create(catalog, BUSY);
                awaitWaker(merge);
                messages.put(outbox, Long.MAX_VALUE);
                List<String> rows = MergedRows.await(kafka, "rate", 13, failures);
                List<String> expected = new ArrayList<>();
                for (int second = 0; second < 13; second++) {
                    expected.add("\"n\":" + (10 + second) + "}");
                }
                List<String> counts = rows.stream().map(r -> r.replaceFirst(".*,", "")).toList();
                assertEquals(expected, counts);
                assertEquals(List.of("busy"), woken.stream().distinct().toList());
                assertEquals(List.of(), failures);
                assertEquals(
                        0,
                        merge.metrics().tasks().values().stream()
                                .mapToLong(counted -> counted.unknown().get())
                                .sum());
                assertEquals(0, follower.unread());
                assertTrue(sender.awaitSent(PATIENCE_MS));
            }
        }
    }

    /** A message that comes later than the query's new place finds it: stages follow in ticks. */
    private static void awaitWaker(MergeService merge) {
        Await.until(() -> merge.metrics().waits("busy"));
    }

    private TriggerFollower follower(KafkaSettings kafka) {
        return new TriggerFollower(kafka, "test", new WokenQueries(woken), failures::add).start();
    }

    private MergeService merge(KafkaSettings kafka, KafkaCatalog catalog) {
        Path home = directory.resolve("merge");
        Duration patience = Duration.ofMillis(PATIENCE_MS);
        return Merges.start(
                kafka, catalog, () -> Map.of("w", Long.MIN_VALUE), patience, home, failures::add);
    }
}
