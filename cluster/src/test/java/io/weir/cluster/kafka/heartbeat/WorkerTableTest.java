package io.weir.cluster.kafka.heartbeat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Who is waited for, when workers and when Kafka fall silent. The clock is the test's. */
class WorkerTableTest {
    private static final long PASSED = 77;

    private final AtomicLong nowMs = new AtomicLong(1_000_000);
    private final WorkerTable table =
            new WorkerTable(
                    KafkaSettings.of("127.0.0.1:9"),
                    Duration.ofSeconds(10),
                    () -> TimeUnit.MILLISECONDS.toNanos(nowMs.get()));

    private void beats(long waiting, String... workers) {
        for (String worker : workers) {
            byte[] beat =
                    Heartbeat.newBuilder()
                            .setFormat(Heartbeats.FORMAT)
                            .setWorker(worker)
                            .setPartialsWaiting(waiting)
                            .setPartialsPassedNs(PASSED)
                            .build()
                            .toByteArray();
            table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, beat)), 1);
        }
    }

    /** For so long each of them beats every half second. */
    private void pass(long ms, String... workers) {
        for (long t = 0; t < ms; t += 500) {
            nowMs.addAndGet(500);
            beats(0, workers);
        }
    }

    @Test
    void oneThatIsSilentWhileOthersAreNotIsWaitedForNoMore() {
        pass(2_000, "a", "b");
        assertEquals(Map.of("a", PASSED, "b", PASSED), table.awaited());
        pass(2_500, "a");
        assertEquals(Map.of("a", PASSED, "b", PASSED), table.awaited());
        pass(1_000, "a");
        assertEquals(Map.of("a", PASSED), table.awaited());
        beats(7, "b");
        assertEquals(Map.of("a", PASSED, "b", Long.MAX_VALUE), table.awaited());
    }

    /** All are silent for minutes: it is Kafka, and who lived before may come back one by one. */
    @Test
    void whileKafkaIsAwayNobodyIsGivenUp() {
        pass(5_000, "a", "b", "c");
        pass(4_000, "a", "b");
        nowMs.addAndGet(180_000);
        assertEquals(Map.of("a", PASSED, "b", PASSED), table.awaited());
        assertTrue(table.workers().stream().allMatch(WorkerTable.Worker::isMissing));
        beats(0, "a");
        assertEquals(Map.of("a", PASSED, "b", Long.MAX_VALUE), table.awaited());
        pass(10_000, "a");
        assertEquals(Map.of("a", PASSED, "b", Long.MAX_VALUE), table.awaited());
        pass(15_000, "a");
        assertEquals(Map.of("a", PASSED), table.awaited());
        beats(0, "b");
        assertEquals(Map.of("a", PASSED, "b", PASSED), table.awaited());
    }
}
