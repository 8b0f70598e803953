package io.weir.cluster.kafka.heartbeat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.wire.QueryState;
import io.weir.testing.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that begins now knows who has died before. */
@Timeout(300)
final class PastHeartbeatsTest {
    private static final long PATIENCE_MS = 120_000;
    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final int WORKERS = 20;

    @TempDir private Path directory;
    private final long nowMs = System.currentTimeMillis();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Test
    void whoDiedBeforeIsMissingSinceItsLastWord() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            Topics.ensure(kafka);
            try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
                send(producer, beat("gone", 1), 90 * MINUTE_MS);
                send(producer, beat("dead", 1).addQuery(running()), 32 * MINUTE_MS);
                send(producer, beat("dead", 2).setStatesOmitted(true), 30 * MINUTE_MS);
                send(producer, server("s"), 20 * MINUTE_MS);
                producer.flush();
                assertEquals(List.of(), failures);
                Thread.sleep(WorkerTable.MISSING_AFTER_MS * 2);
                send(producer, beat("lives", 4).setPartialsPassedNs(7), 0);
                producer.flush();
                assertEquals(List.of(), failures);
                try (WorkerTable table = new WorkerTable(kafka).start()) {
                    awaitWorker(table, "dead");
                    WorkerTable.Worker dead = worker(table, "dead");
                    assertTrue(dead.isMissing());
                    assertEquals(2, dead.beat().getPackets());
                    assertEquals(List.of(running().build()), dead.beat().getQueryList());
                    assertEquals(30.0, dead.silentMs() / (double) MINUTE_MS, 2.0);
                    assertFalse(worker(table, "lives").isMissing());
                    assertEquals(Map.of("lives", 7L), table.awaited());
                    assertFalse(names(table).contains("gone"), names(table).toString());
                    assertEquals("s", table.servers().get(0).getWorker());
                }
            }
        }
    }

    /** Who lives is there at once, however much was told within the hour. */
    @Test
    void whoLivesDoesNotWaitForThePast() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory)) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            Topics.ensure(kafka);
            try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
                send(producer, beat("dead", 1), HOUR_MS - 5 * MINUTE_MS);
                producer.flush(); // a topic that is new may refuse it, and take what comes after it
                for (long agoMs = 50 * MINUTE_MS; agoMs >= 0; agoMs -= Heartbeats.EVERY_MS) {
                    for (int w = 0; w < WORKERS; w++) {
                        send(producer, beat("w" + w, agoMs), agoMs);
                    }
                }
                producer.flush();
                assertEquals(List.of(), failures);
                long begunNs = System.nanoTime();
                try (WorkerTable table = new WorkerTable(kafka).start()) {
                    awaitWorker(table, "w0");
                    long heardMs = Duration.ofNanos(System.nanoTime() - begunNs).toMillis();
                    awaitWorker(table, "dead");
                    long wholeMs = Duration.ofNanos(System.nanoTime() - begunNs).toMillis();
                    System.out.printf(
                            "of %,d heartbeats: who lives is heard after %d ms, all after %d ms%n",
                            50 * 60 * 2 * WORKERS, heardMs, wholeMs);
                    assertEquals(WORKERS + 1, table.workers().size());
                }
            }
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, Heartbeat.Builder beat, long agoMs) {
        byte[] key = beat.getWorker().getBytes(StandardCharsets.UTF_8);
        var unused =
                producer.send(
                        new ProducerRecord<>(
                                Topics.HEARTBEATS,
                                0,
                                agoMs == 0 ? System.currentTimeMillis() : nowMs - agoMs,
                                key,
                                beat.build().toByteArray()),
                        (there, failure) -> {
                            if (failure != null) {
                                failures.add(failure);
                            }
                        });
    }

    private static Heartbeat.Builder beat(String worker, long packets) {
        return Heartbeat.newBuilder()
                .setFormat(Heartbeats.FORMAT)
                .setWorker(worker)
                .setLife("1")
                .setStatesNumber(1)
                .setPackets(packets);
    }

    private static Heartbeat.Builder server(String name) {
        return Heartbeat.newBuilder().setFormat(Heartbeats.SERVER_FORMAT).setWorker(name);
    }

    private static QueryState.Builder running() {
        return QueryState.newBuilder().setName("q").setState(QueryState.State.RUNNING);
    }

    private static KafkaProducer<byte[], byte[]> producer(KafkaSettings kafka) {
        Map<String, Object> config = kafka.client("test");
        config.put(ProducerConfig.LINGER_MS_CONFIG, 50);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static List<String> names(WorkerTable table) {
        return table.workers().stream().map(worker -> worker.beat().getWorker()).toList();
    }

    private static WorkerTable.Worker worker(WorkerTable table, String name) {
        return table.workers().stream()
                .filter(worker -> worker.beat().getWorker().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void awaitWorker(WorkerTable table, String name) throws Exception {
        Await.until(
                Duration.ofMillis(PATIENCE_MS),
                () -> names(table).contains(name),
                () -> names(table));
    }
}
