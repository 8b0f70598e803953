package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.node.PcapFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an instance of the merge leaves open when it is killed holds nobody up, nor is it in a row.
 */
@Timeout(900)
final class AbandonedTransactionsTest {
    private static final String GONE = "weir-merge-gone-StreamThread-1";

    /** Kafka gives it up long after this test has. */
    private static final int LONGEST_MS = 900_000;

    private static final int SECONDS = 20;
    private static final int PARTS = 8;
    private static final String SQL =
            "CREATE QUERY rate AS SELECT window_end, COUNT(*) AS n, packets_lost AS lost FROM"
                    + " packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);CREATE QUERY most AS SELECT"
                    + " window_end, src_addr, COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL"
                    + " '1' SECOND), src_addr ORDER BY n DESC LIMIT 1;";

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private EmbeddedBroker broker;
    private KafkaSettings kafka;
    private KafkaCatalog catalog;
    private SentMessages messages;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        kafka = KafkaSettings.of(broker.bootstrap());
        catalog = KafkaCatalog.open(kafka, "test");
        MergedLibraryTest.queries(SQL).forEach(query -> catalog.create(query, false));
        PcapFile file = new PcapFile();
        for (int p = 0; p < 10 * SECONDS; p++) {
            file.udp(p * 100_000_000L, 1, 7, 53, 60);
        }
        Path capture = file.write(directory.resolve("c.pcap"));
        messages = new SentMessages(catalog.state(), "w", "life", capture);
        Topics.ensure(kafka);
    }

    @AfterEach
    void stop() {
        catalog.close();
        broker.close();
    }

    private MergeService merge(String instance) {
        return Merges.start(
                kafka,
                catalog,
                () -> Map.of("w", Long.MIN_VALUE),
                Duration.ofMinutes(10),
                directory.resolve(instance),
                failures::add);
    }

    @Test
    void whoComesDoesNotWaitForThem() throws Exception {
        try (MergeService one = merge("one")) {
            send(0, PARTS / 2);
            assertFalse(MergedRows.await(kafka, "rate", 1, failures).isEmpty());
            assertEquals(0, one.metrics().malformed());
        }
        try (KafkaProducer<byte[], byte[]> killed = killedInMid()) {
            send(PARTS / 2, PARTS);
            try (MergeService two = merge("two")) {
                assertRows();
                assertEquals(0, two.metrics().malformed());
            }
            assertThrows(ProducerFencedException.class, killed::commitTransaction);
        }
        assertEquals(List.of(), failures);
    }

    /** As one that is taken for gone while it only was slow. */
    @Test
    void whoseOwnWereEndedGoesOn() throws Exception {
        try (MergeService one = merge("one");
                Admin admin = Admin.create(kafka.client("test"))) {
            for (int part = 0; part < PARTS; part++) {
                send(part, part + 1);
                KafkaCalls.await(admin.fenceProducers(transactions(admin)).all());
            }
            assertRows();
            assertEquals(Set.of("weir-merge-one-StreamThread-1"), transactions(admin));
            assertEquals(0, one.metrics().malformed());
        }
        assertEquals(List.of(), failures);
    }

    private static Set<String> transactions(Admin admin) throws Exception {
        return KafkaCalls.await(admin.listTransactions().all()).stream()
                .map(one -> one.transactionalId())
                .filter(id -> id.startsWith(MergeService.APPLICATION))
                .collect(Collectors.toSet());
    }

    private void assertRows() {
        List<String> counts =
                MergedRows.await(kafka, "rate", SECONDS, failures).stream()
                        .map(row -> row.replaceFirst(".*:(\\d\\d)\\..*\"n\":", "$1 {"))
                        .toList();
        List<String> expected =
                IntStream.rangeClosed(1, SECONDS)
                        .mapToObj(s -> String.format("%02d {10,\"lost\":0}", s))
                        .toList();
        assertEquals(expected, counts);
        assertEquals(SECONDS, MergedRows.await(kafka, "most", SECONDS, failures).size());
        String results = Topics.results("most");
        assertEquals(SECONDS, CommittedRecords.of(kafka, results).size());
    }

    /** Of each shard's messages, from one part of them to before another. */
    private void send(int from, int to) throws Exception {
        byte[] key = "w".getBytes(StandardCharsets.UTF_8);
        try (KafkaProducer<byte[], byte[]> producer = producer("worker", Map.of())) {
            for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
                List<byte[]> all = messages.bytes(shard);
                int size = all.size();
                for (byte[] one : all.subList(size * from / PARTS, size * to / PARTS)) {
                    producer.send(new ProducerRecord<>(Topics.PARTIALS, shard, key, one)).get();
                }
            }
        }
    }

    private KafkaProducer<byte[], byte[]> producer(String name, Map<String, Object> more) {
        Map<String, Object> config = kafka.client(name);
        config.putAll(more);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** As one that is killed before its commit: whatever it writes to has something of it. */
    private KafkaProducer<byte[], byte[]> killedInMid() {
        KafkaProducer<byte[], byte[]> producer =
                producer(
                        "gone",
                        Map.of(
                                ProducerConfig.TRANSACTIONAL_ID_CONFIG, GONE,
                                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, LONGEST_MS));
        producer.initTransactions();
        producer.beginTransaction();
        byte[] bytes = "nothing".getBytes(StandardCharsets.UTF_8);
        Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
        for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
            String changelog = MergeService.APPLICATION + "-merge-changelog";
            send(producer, new ProducerRecord<>(changelog, shard, bytes, bytes));
            read.put(new TopicPartition(Topics.PARTIALS, shard), new OffsetAndMetadata(1_000));
        }
        send(producer, new ProducerRecord<>(Topics.WINDOWS, bytes, bytes));
        send(producer, new ProducerRecord<>(Topics.results("rate"), bytes, bytes));
        producer.sendOffsetsToTransaction(read, group());
        producer.flush();
        return producer;
    }

    private ConsumerGroupMetadata group() {
        Map<String, Object> config = kafka.client("gone");
        config.put(ConsumerConfig.GROUP_ID_CONFIG, MergeService.APPLICATION);
        ByteArrayDeserializer in = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config, in, in)) {
            return consumer.groupMetadata();
        }
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        var unused = producer.send(record);
    }

    @Test
    void thoseOfWhoIsThereAreLeftAlone() {
        Set<String> open =
                Set.of(
                        GONE,
                        "weir-merge-here-StreamThread-1",
                        "weir-merge-here-StreamThread-2",
                        "weir-merge-0b0f-1", // as releases before this one name theirs
                        "weir-worker-w partials",
                        "others-StreamThread-1");
        Set<String> there = Set.of("weir-merge-here-StreamThread-1");
        assertEquals(
                Set.of(GONE, "weir-merge-here-StreamThread-2"),
                AbandonedTransactions.left(open, there));
        assertEquals(
                "weir-merge-here-StreamThread-1",
                MergeClients.thread("weir-merge-here-StreamThread-1-consumer").orElseThrow());
    }
}
