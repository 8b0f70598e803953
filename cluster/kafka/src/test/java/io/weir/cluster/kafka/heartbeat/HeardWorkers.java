package io.weir.cluster.kafka.heartbeat;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.operators.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A {@link WorkerTable} without Kafka: it hears what a test says, by the test's clock. */
public final class HeardWorkers {
    private final WorkerTable table;

    public HeardWorkers(Clock clock) {
        table =
                new WorkerTable(
                        KafkaSettings.of("127.0.0.1:9").with(clock), Duration.ofSeconds(10));
    }

    /** A worker's beat, as it was when the worker told it. */
    public static byte[] beat(
            String worker, String life, long waiting, Optional<Long> passedNs, boolean last) {
        Heartbeat.Builder beat =
                Heartbeat.newBuilder()
                        .setFormat(Heartbeats.FORMAT)
                        .setWorker(worker)
                        .setLife(life)
                        .setPartialsWaiting(waiting)
                        .setEnd(last ? Heartbeat.End.IN_ORDER : Heartbeat.End.GOES_ON);
        passedNs.ifPresent(beat::setPartialsPassedNs);
        return beat.build().toByteArray();
    }

    /** A server with a merge beats. */
    public static byte[] server() {
        return Heartbeat.newBuilder()
                .setFormat(Heartbeats.SERVER_FORMAT)
                .setWorker("server")
                .build()
                .toByteArray();
    }

    public void hears(byte[] beat) {
        table.read(List.of(new ConsumerRecord<>(Topics.HEARTBEATS, 0, 0, null, beat)), 1);
    }

    public Map<String, Long> awaited() {
        return table.awaited();
    }

    public Map<String, String> lives() {
        Map<String, String> lives = new TreeMap<>();
        table.workers().forEach(w -> lives.put(w.beat().getWorker(), w.beat().getLife()));
        return lives;
    }
}
