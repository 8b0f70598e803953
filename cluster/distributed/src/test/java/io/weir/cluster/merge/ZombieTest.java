package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.results.OutboxSender;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.outbox.Outbox;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who was frozen and replaced may go on as it likes: nothing of it is in a row. */
@Timeout(900)
final class ZombieTest {
    private static final long SECOND_NS = 1_000_000_000L;

    /** Of the first packet of captures made here. */
    private static final long BASE_NS = PcapFile.START_NS;

    private static final long PATIENCE_MS = 120_000;
    private static final String SQL =
            "CREATE QUERY rate AS SELECT window_end, COUNT(*) AS n, packets_lost AS lost"
                    + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);";

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** A capture with so many packets in each of these seconds. */
    private Path capture(String name, int first, int... packets) throws Exception {
        PcapFile file = new PcapFile();
        for (int second = 0; second < packets.length; second++) {
            for (int p = 0; p < packets[second]; p++) {
                long atNs = (first + second) * SECOND_NS + p * (SECOND_NS / packets[second]);
                file.udp(atNs, 1 + p % 50, 7, 53, 60);
            }
        }
        return file.write(directory.resolve(name + ".pcap"));
    }

    @Test
    void partialsOfAReplacedWorkerNeverReachARow() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                KafkaCatalog catalog =
                        KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "test")) {
            MergedLibraryTest.queries(SQL).forEach(query -> catalog.create(query, false));
            SentMessages frozen =
                    new SentMessages(
                            catalog.state(), "w", "frozen", capture("f", 0, 500, 500, 500, 1));
            SentMessages old =
                    new SentMessages(
                            catalog.state(), "w", "old", capture("o", 0, 10, 10, 10, 100, 100, 1));
            SentMessages young =
                    new SentMessages(catalog.state(), "w", "young", capture("y", 3, 1, 1, 1, 1, 1));
            Topics.ensure(KafkaSettings.of(broker.bootstrap()));
            try (MergeService merge = merge(KafkaSettings.of(broker.bootstrap()), catalog);
                    KafkaProducer<byte[], byte[]> stopped =
                            stoppedInMid(KafkaSettings.of(broker.bootstrap()), frozen)) {
                replace(KafkaSettings.of(broker.bootstrap()), old, young);
                assertThrows(ProducerFencedException.class, stopped::commitTransaction);
                List<String> rows =
                        MergedRows.await(KafkaSettings.of(broker.bootstrap()), "rate", 8, failures);
                List<String> counts = new ArrayList<>();
                rows.forEach(row -> counts.add(row.replaceFirst(".*:(\\d\\d)\\..*\"n\":", "$1 {")));
                List<String> expected = new ArrayList<>();
                for (int second = 1; second <= 8; second++) {
                    expected.add("0" + second + " {" + (second <= 3 ? 10 : 1) + ",\"lost\":0}");
                }
                assertEquals(expected, counts);
                assertEquals(0, merge.metrics().malformed());
            }
            onlyTheYoungWroteAtLast(KafkaSettings.of(broker.bootstrap()));
        }
    }

    private MergeService merge(KafkaSettings kafka, KafkaCatalog catalog) {
        Path home = directory.resolve("merge");
        Duration patience = Duration.ofMillis(PATIENCE_MS);
        return Merges.start(
                kafka, catalog, () -> Map.of("w", Long.MIN_VALUE), patience, home, failures::add);
    }

    /** A process that was stopped between its windows' records and their commit. */
    private static KafkaProducer<byte[], byte[]> stoppedInMid(
            KafkaSettings kafka, SentMessages messages) {
        var config = kafka.client("stopped");
        config.put(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                "weir-worker-" + MergeMessageEntries.name("w"));
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        byte[] key = "w".getBytes(StandardCharsets.UTF_8);
        for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
            for (byte[] value : messages.bytes(shard)) {
                var unused =
                        producer.send(new ProducerRecord<>(Topics.PARTIALS, shard, key, value));
            }
        }
        producer.flush();
        return producer;
    }

    private void replace(KafkaSettings kafka, SentMessages old, SentMessages young)
            throws Exception {
        CompletableFuture<WeirException> told = new CompletableFuture<>();
        CompletableFuture<WeirException> youngTold = new CompletableFuture<>();
        try (Outbox one = outbox("one");
                Outbox two = outbox("two");
                OutboxSender first = sender(kafka, "old", one, told)) {
            old.put(one, BASE_NS + 3 * SECOND_NS);
            assertTrue(first.awaitSent(PATIENCE_MS));
            try (OutboxSender second = sender(kafka, "young", two, youngTold)) {
                young.put(two, BASE_NS + 5 * SECOND_NS);
                assertTrue(second.awaitSent(PATIENCE_MS));
                old.put(one, Long.MAX_VALUE);
                told.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
                young.put(two, Long.MAX_VALUE);
                assertTrue(second.awaitSent(PATIENCE_MS));
                assertFalse(youngTold.isDone());
            }
        }
    }

    private Outbox outbox(String name) {
        return new Outbox(
                directory.resolve(name),
                Outbox.LEAST_BYTES,
                new Stage("partials"),
                Patience.endless());
    }

    private static OutboxSender sender(
            KafkaSettings kafka,
            String life,
            Outbox outbox,
            CompletableFuture<WeirException> told) {
        return new OutboxSender(
                        kafka,
                        MergeMessageEntries.name("w"),
                        life,
                        outbox,
                        new MergeMessageEntries(kafka, "w"),
                        told::complete)
                .start();
    }

    private static void onlyTheYoungWroteAtLast(KafkaSettings kafka) {
        for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
            TopicPartition partition = new TopicPartition(Topics.PARTIALS, shard);
            List<String> lives =
                    CommittedRecords.of(kafka, partition).stream()
                            .map(
                                    record ->
                                            MergeMessageCodec.message(record.value())
                                                    .source()
                                                    .life())
                            .toList();
            assertFalse(lives.contains("frozen"));
            assertEquals(List.of("old", "young"), lives.stream().distinct().toList());
            assertTrue(
                    lives.lastIndexOf("old") < lives.indexOf("young"), "the old one wrote later");
        }
    }
}
