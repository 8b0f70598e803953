package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every second whether an instance of the merge makes progress. It reports once when a part
 * stands still, when it waits for another source, and when it goes on. A thread of its own; {@link
 * #stalls} is for any.
 */
final class StallWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);
    private static final long EVERY_MS = 1_000;
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final KafkaSettings kafka;
    private final MergeMetrics metrics;
    private final Thread thread;
    private volatile KafkaStreams.State state = KafkaStreams.State.CREATED;
    private volatile long stateSinceMs;
    private volatile List<MergeStall> stalls = List.of();
    private String said = "";

    StallWatch(KafkaSettings kafka, MergeMetrics metrics, String name) {
        this.kafka = kafka;
        this.stateSinceMs = kafka.clock().millis();
        this.metrics = metrics;
        this.thread = new Thread(this::run, name + "-stalls");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Is told the instance's new state: any thread. */
    void state(KafkaStreams.State now) {
        stateSinceMs = kafka.clock().millis();
        state = now;
    }

    /** Returns the parts that stand still now; empty if all go on. */
    List<MergeStall> stalls() {
        return stalls;
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(EVERY_MS);
                stalls = look(kafka.clock().millis());
                say();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<MergeStall> look(long nowMs) {
        if (state != KafkaStreams.State.RUNNING) {
            long ms = nowMs - stateSinceMs;
            return ms < TaskProgress.STALL_MS
                    ? List.of()
                    : List.of(new MergeStall("the merge", ms / 1000, kafkaOr("its shards")));
        }
        List<MergeStall> now = new ArrayList<>();
        for (TaskProgress task : metrics.progress().values()) {
            task.stall(nowMs).ifPresent(now::add);
        }
        if (now.isEmpty()) {
            return List.of();
        }
        Optional<String> away = away();
        return away.isEmpty()
                ? List.copyOf(now)
                : now.stream().map(s -> new MergeStall(s.part(), s.seconds(), away.get())).toList();
    }

    private String kafkaOr(String other) {
        return away().orElse(other);
    }

    /** Returns a text if Kafka does not answer. */
    private Optional<String> away() {
        return KafkaCalls.answers(kafka, "weir-merge-stall", ANSWER)
                ? Optional.empty()
                : Optional.of("Kafka: no broker of " + kafka.bootstrap() + " answers");
    }

    /** Reports once if several parts wait for the same. */
    private void say() {
        String now =
                stalls.stream()
                        .map(MergeStall::waitsFor)
                        .distinct()
                        .reduce((a, b) -> a + "; " + b)
                        .orElse("");
        if (!now.equals(said)) {
            if (now.isEmpty()) {
                LOG.info("the merge goes on");
            } else {
                LOG.warn("the merge: {}", stalls.get(0).text());
            }
            said = now;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(2 * ANSWER.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
