package io.weir.cluster.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.broker.BrokerSettings.Voter;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {
    /** For a broker whose cluster does not come. */
    private static final Duration SHORT = Duration.ofSeconds(4);

    @TempDir private Path directory;

    /** Stopped and started, it has the same address and the same records. */
    @Test
    void keepsWhatItWasGiven() throws Exception {
        BrokerSettings settings;
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            settings = broker.settings();
            Topics.ensure(KafkaSettings.of(broker.bootstrap()));
            Topics.ensure(KafkaSettings.of(broker.bootstrap()));
            Topics.ensureResults(KafkaSettings.of(broker.bootstrap()), List.of("q-1"));
            assertEquals(
                    Set.of(
                            Topics.CATALOG,
                            Topics.HEARTBEATS,
                            Topics.OUTBOX,
                            Topics.PARTIALS,
                            Topics.WINDOWS,
                            Topics.TRIGGERS,
                            Topics.AUDIT,
                            "weir.results.q-2d1"),
                    names(KafkaSettings.of(broker.bootstrap())));
            send(KafkaSettings.of(broker.bootstrap()), "before");
        }
        try (EmbeddedBroker again = EmbeddedBroker.start(settings)) {
            send(KafkaSettings.of(again.bootstrap()), "after");
            assertEquals(List.of("before", "after"), read(KafkaSettings.of(again.bootstrap()), 2));
        }
    }

    /** Also the controller's, of which Kafka itself says nothing. */
    @Test
    void aPortThatIsTakenIsTold() {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("a"))) {
            int taken = broker.settings().port();
            Path other = directory.resolve("b");
            assertTaken(taken, BrokerSettings.alone(taken, EmbeddedBroker.freePort(), other));
            assertTaken(taken, BrokerSettings.alone(EmbeddedBroker.freePort(), taken, other));
        }
    }

    /** Else a call that goes out, as of a client that looks for its broker, may come first. */
    @Test
    void aFreePortIsNoneThatLinuxGivesToCalls() throws Exception {
        Path range = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
        assumeTrue(Files.exists(range), "no Linux: skipped");
        int first = Integer.parseInt(Files.readAllLines(range).get(0).split("\\s+")[0]);
        assumeTrue(first >= 32_768, "this machine gives others from " + first + ": skipped");
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            int port = EmbeddedBroker.freePort();
            assertTrue(port < first, port + " of those from " + first);
            assertTrue(ports.add(port), port + " twice");
        }
    }

    /** Nobody is left to ask for leave: Kafka's own server waits five minutes for them. */
    @Test
    @Timeout(120)
    void theLastOfTwoEndsToo() throws Exception {
        List<Voter> voters = twoVoters();
        List<CompletableFuture<EmbeddedBroker>> started =
                voters.stream()
                        .map(voter -> settings(voter, voters))
                        .map(EmbeddedBrokerTest::startLater)
                        .toList();
        List<EmbeddedBroker> brokers = new ArrayList<>();
        for (CompletableFuture<EmbeddedBroker> broker : started) {
            brokers.add(broker.get()); // both, before one ends: it takes two to let the other in
        }
        brokers.forEach(EmbeddedBroker::close);
    }

    /** Its controller would go on voting, and end the process when its directory goes. */
    @Test
    @Timeout(120)
    void oneThatDoesNotStartLeavesNothing() {
        List<Voter> voters = twoVoters();
        BrokerSettings settings = settings(voters.get(0), voters); // the other does not come
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        WeirException e =
                assertThrows(WeirException.class, () -> EmbeddedBroker.start(settings, SHORT));
        assertEquals(ErrorCode.KAFKA_UNAVAILABLE, e.code());
        assertTrue(e.getMessage().contains("most of its cluster's"), e.getMessage());
        Path other = directory.resolve("other");
        EmbeddedBroker.start(BrokerSettings.alone(settings.port(), voters.get(0).port(), other))
                .close();
        List<String> left =
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !before.contains(thread))
                        .map(Thread::getName)
                        .filter(name -> name.contains("raft-io-thread"))
                        .toList();
        assertEquals(List.of(), left);
    }

    private static CompletableFuture<EmbeddedBroker> startLater(BrokerSettings settings) {
        return CompletableFuture.supplyAsync(() -> EmbeddedBroker.start(settings));
    }

    private static List<Voter> twoVoters() {
        List<Voter> voters = new ArrayList<>();
        for (int id = 1; id <= 2; id++) {
            voters.add(new Voter(id, "127.0.0.1", EmbeddedBroker.freePort()));
        }
        return voters;
    }

    private BrokerSettings settings(Voter self, List<Voter> voters) {
        return new BrokerSettings(
                self.id(),
                self.host(),
                EmbeddedBroker.freePort(),
                voters,
                directory.resolve("broker-" + self.id()));
    }

    private static void assertTaken(int port, BrokerSettings settings) {
        WeirException e =
                assertThrows(WeirException.class, () -> EmbeddedBroker.start(settings).close());
        assertEquals(ErrorCode.INVALID_OPTION, e.code());
        assertTrue(e.getMessage().contains("cannot listen on 127.0.0.1:" + port), e.getMessage());
    }

    private static Set<String> names(KafkaSettings settings) throws Exception {
        try (Admin admin = Admin.create(settings.client("test"))) {
            return KafkaCalls.await(admin.listTopics().names());
        }
    }

    private static void send(KafkaSettings settings, String value) throws Exception {
        Map<String, Object> config = settings.client("test");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(Topics.AUDIT, value)).get();
        }
    }

    private static List<String> read(KafkaSettings settings, int count) {
        Map<String, Object> config = settings.client("test");
        TopicPartition audit = new TopicPartition(Topics.AUDIT, 0);
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(audit));
            consumer.seekToBeginning(List.of(audit));
            List<String> values = new ArrayList<>();
            while (values.size() < count) {
                consumer.poll(Duration.ofSeconds(10)).forEach(r -> values.add(r.value()));
            }
            return values;
        }
    }
}
