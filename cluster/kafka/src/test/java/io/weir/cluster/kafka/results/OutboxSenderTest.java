package io.weir.cluster.kafka.results;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.wire.OutboxRow;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.testing.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxSenderTest {
    /** Rows of long ago are older than a topic keeps them, those of an hour ahead are refused. */
    private static final long NOW_S = System.currentTimeMillis() / 1_000 - 10_000;

    private static final String QUERY = "q";
    private static final long PATIENCE_MS = 180_000;

    @TempDir private Path directory;
    private EmbeddedBroker broker;
    private KafkaSettings settings;
    private final Stage stage = new Stage("outbox");

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        settings = KafkaSettings.of(broker.bootstrap());
        Topics.ensure(settings);
        Topics.ensureResults(settings, List.of(QUERY));
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** Rows come all the time; the broker is stopped and started: each row once, in order. */
    @Test
    void eachRowOnceThroughBrokersThatGoAndCome() throws Exception {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        long rows = 0;
        try (Outbox outbox = outbox("a");
                OutboxSender sender = sender(outbox, "life 1", new CompletableFuture<>())) {
            for (int round = 0; round < 3; round++) {
                rows = append(outbox, rows, 200 + random.nextInt(300));
                Thread.sleep(random.nextInt(40)); // so that it may be in the midst of sending
                BrokerSettings same = broker.settings();
                broker.close();
                rows = append(outbox, rows, random.nextInt(500));
                broker = EmbeddedBroker.start(same);
            }
            assertTrue(sender.awaitSent(PATIENCE_MS), "seed " + seed);
        }
        assertEquals(numbers(rows), results(rows), "seed " + seed);
        assertEquals(rows, stage.processed().value());
        assertTrue(stage.snapshot().isBalanced(), stage.snapshot().toString());
    }

    /** One that ends while Kafka is away tells what is left, whatever it waits for. */
    @Test
    void whatIsLeftIsToldWhileKafkaIsAway() throws Exception {
        try (Outbox outbox = outbox("a");
                OutboxSender sender = sender(outbox, "life 1", new CompletableFuture<>())) {
            append(outbox, 0, 100);
            assertTrue(sender.awaitSent(PATIENCE_MS));
            broker.close();
            append(outbox, 100, 100);
            awaitAsking();
        }
        assertEquals(100, stage.processed().value());
        assertTrue(stage.snapshot().isBalanced(), stage.snapshot().toString());
    }

    /** Waits until the sender asks for the position that Kafka has. */
    private static void awaitAsking() {
        String asking = SentPositions.class.getName();
        Await.until(
                () ->
                        Thread.getAllStackTraces().values().stream()
                                .flatMap(Arrays::stream)
                                .anyMatch(frame -> frame.getClassName().equals(asking)),
                () -> "it does not ask");
    }

    /** A process that goes in the middle leaves its rows to the next, which begins where it was. */
    @Test
    void theNextLifeGoesOn() throws Exception {
        long rows;
        try (Outbox outbox = outbox("a")) {
            rows = append(outbox, 0, 500);
            try (OutboxSender sender = sender(outbox, "life 1", new CompletableFuture<>())) {
                Await.until(() -> sender.sent() > 0);
                rows = append(outbox, rows, 5_000);
            }
        }
        assertTrue(stage.snapshot().isBalanced(), stage.snapshot().toString());
        Stage second = new Stage("outbox");
        try (Outbox outbox =
                        new Outbox(
                                directory.resolve("a"),
                                Outbox.LEAST_BYTES,
                                second,
                                Patience.endless());
                OutboxSender sender = sender(outbox, "life 2", new CompletableFuture<>())) {
            rows = append(outbox, rows, 10);
            assertTrue(sender.awaitSent(PATIENCE_MS));
        }
        assertEquals(numbers(rows), results(rows));
        assertTrue(second.snapshot().isBalanced(), second.snapshot().toString());
        assertEquals(rows, stage.processed().value() + second.processed().value());
    }

    /**
     * Another worker has died in a transaction that it began before this one's last: nobody can see
     * that position before Kafka has ended the other's, and what it tells as sent is not sent
     * again.
     */
    @Test
    void anOpenTransactionOfAnotherHidesNoPosition() throws Exception {
        Map<String, Object> dead = settings.client("dead");
        dead.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "dead");
        dead.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000);
        try (Outbox outbox = outbox("a");
                KafkaProducer<byte[], byte[]> other =
                        new KafkaProducer<>(
                                dead, new ByteArraySerializer(), new ByteArraySerializer())) {
            long rows = append(outbox, 0, 10);
            try (OutboxSender sender = sender(outbox, "life 1", new CompletableFuture<>())) {
                assertTrue(sender.awaitSent(PATIENCE_MS));
                other.initTransactions();
                other.beginTransaction();
                other.send(SentPositions.record("v", "b", "life", 1, OptionalLong.empty())).get();
                rows = append(outbox, rows, 10);
                assertTrue(sender.awaitSent(PATIENCE_MS));
            }
            rows = append(outbox, rows, 10);
            try (OutboxSender sender = sender(outbox, "life 2", new CompletableFuture<>())) {
                assertTrue(sender.awaitSent(PATIENCE_MS));
            }
            assertEquals(numbers(rows), results(rows));
        }
    }

    /**
     * A power cut takes the last entries from the disk, which Kafka has, any number of times. New
     * entries get their numbers again: each of them is sent, also after another outbox was used.
     */
    @Test
    void entriesAfterAPowerCutAreSent() throws Exception {
        long seed = Long.getLong("weir.seed", 55);
        Random random = new Random(seed);
        Path files = directory.resolve("a");
        Path saved = directory.resolve("saved");
        List<Long> expected = new ArrayList<>();
        long rows = 0;
        for (int life = 0; life < 6; life++) {
            String what = "seed " + seed + ", life " + life;
            if (life > 0 && random.nextBoolean()) {
                delete(files);
                copy(saved, files);
            }
            if (random.nextBoolean()) {
                delete(saved);
                copy(files, saved);
            }
            String name = random.nextInt(4) == 0 ? "b" : "a";
            long count = 1L + random.nextInt(100);
            Stage own = new Stage("outbox");
            try (Outbox outbox =
                            new Outbox(
                                    directory.resolve(name),
                                    Outbox.LEAST_BYTES,
                                    own,
                                    Patience.endless());
                    OutboxSender sender =
                            sender(outbox, "life " + life, new CompletableFuture<>())) {
                append(outbox, rows, count);
                expected.addAll(LongStream.range(rows, rows + count).boxed().toList());
                rows += count;
                while (sender.sent() < outbox.next()) {
                    assertTrue(sender.awaitSent(PATIENCE_MS), what);
                }
            }
            assertTrue(own.snapshot().isBalanced(), what + own.snapshot());
            assertEquals(count, own.processed().value(), what);
            assertEquals(expected, results(rows), what);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        if (!Files.exists(from)) {
            return;
        }
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    /** Two processes of one name: the first is told, and writes nothing from then on. */
    @Test
    void whoWasReplacedStops() throws Exception {
        CompletableFuture<WeirException> told = new CompletableFuture<>();
        try (Outbox first = outbox("a");
                Outbox second = outbox("b");
                OutboxSender old = sender(first, "life 1", told)) {
            append(first, 0, 10);
            assertTrue(old.awaitSent(PATIENCE_MS));
            try (OutboxSender young = sender(second, "life 2", new CompletableFuture<>())) {
                append(second, 100, 10);
                assertTrue(young.awaitSent(PATIENCE_MS));
                append(first, 10, 10);
                assertTrue(
                        told.get(PATIENCE_MS, TimeUnit.MILLISECONDS)
                                .getMessage()
                                .contains("another worker w"));
                append(first, 20, 5); // its engine goes on until it hears of it
                append(second, 110, 10);
                assertTrue(young.awaitSent(PATIENCE_MS));
                assertFalse(old.awaitSent(10));
            }
        }
        List<Long> expected = new ArrayList<>(numbers(10));
        expected.addAll(LongStream.range(100, 120).boxed().toList());
        assertEquals(expected, results(30));
        assertEquals(15, stage.excluded("kept_on_disk").value());
        assertTrue(stage.snapshot().isBalanced(), stage.snapshot().toString());
        // Whoever comes with the first's outbox sends nothing of what that had left there.
        Stage third = new Stage("outbox");
        try (Outbox outbox =
                        new Outbox(
                                directory.resolve("a"),
                                Outbox.LEAST_BYTES,
                                third,
                                Patience.endless());
                OutboxSender sender = sender(outbox, "life 3", new CompletableFuture<>())) {
            append(outbox, 200, 10);
            assertTrue(sender.awaitSent(PATIENCE_MS));
        }
        expected.addAll(LongStream.range(200, 210).boxed().toList());
        assertEquals(expected, results(40));
        assertEquals(15, third.lost("left_behind").value());
        assertTrue(third.snapshot().isBalanced(), third.snapshot().toString());
    }

    private Outbox outbox(String name) {
        return new Outbox(directory.resolve(name), Outbox.LEAST_BYTES, stage, Patience.endless());
    }

    private OutboxSender sender(
            Outbox outbox, String life, CompletableFuture<WeirException> replaced) {
        ResultEntries rows = new ResultEntries(settings, "w");
        return new OutboxSender(settings, "w", life, outbox, rows, replaced::complete).start();
    }

    private static long append(Outbox outbox, long from, long count) {
        for (long n = from; n < from + count; n++) {
            OutboxRow row =
                    OutboxRow.newBuilder()
                            .setFormat(1)
                            .setQuery(QUERY)
                            .setKey(ByteString.copyFromUtf8("k" + n % 7))
                            .setValue(ByteString.copyFromUtf8(Long.toString(n)))
                            .setWindowEndNs((NOW_S + n) * 1_000_000_000L)
                            .build();
            outbox.append(row.toByteArray());
        }
        return from + count;
    }

    private static List<Long> numbers(long count) {
        return LongStream.range(0, count).boxed().toList();
    }

    /** All values that are committed, in order; waits for that many. */
    private List<Long> results(long atLeast) {
        TopicPartition topic = new TopicPartition(Topics.results(QUERY), 0);
        List<Long> values = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = TopicTail.consumer(settings, "test")) {
            consumer.assign(List.of(topic));
            consumer.seekToBeginning(List.of(topic));
            // A commit is answered before the brokers of its records know of it.
            long deadline = System.currentTimeMillis() + PATIENCE_MS;
            while (consumer.position(topic) < consumer.endOffsets(List.of(topic)).get(topic)
                    || values.size() < atLeast && System.currentTimeMillis() < deadline) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    long value = Long.parseLong(new String(record.value(), StandardCharsets.UTF_8));
                    values.add(value);
                    assertEquals((NOW_S + value) * 1_000, record.timestamp());
                    assertEquals(QUERY, ResultHeaders.text(record.headers(), "query"));
                    assertEquals("w", ResultHeaders.text(record.headers(), "worker"));
                }
            }
        }
        assertTrue(values.size() >= atLeast, values.size() + " of " + atLeast);
        return values;
    }
}
