package io.weir.cluster.kafka.heartbeat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Who has told that it lives, and when: by the clock of whoever listens, so that clocks need not
 * agree. Thread-safe.
 */
public final class WorkerTable implements TopicTail.Reader, AwaitedWorkers, AutoCloseable {
    /** Silence after which a worker is missing. */
    public static final long MISSING_AFTER_MS = 3_000;

    /**
     * When nobody was heard for so long it was Kafka that was silent, or the listener. Who lived
     * before is given the grace to come back.
     */
    private static final long OUTAGE_MS = 2_000;

    private static final long GRACE_MS = 20_000;
    private static final long FORGOTTEN_AFTER_MS = Duration.ofHours(1).toMillis();
    private static final long NEVER = Long.MIN_VALUE;
    private static final Duration LOOK_BACK = Duration.ofSeconds(5);

    private final TopicTail tail;
    private final LongSupplier nanoTime;
    private final Map<String, Seen> workers = new TreeMap<>();

    /** Those who lived when all fell silent, and have not been heard since. */
    private final Map<String, Long> graceUntilNs = new TreeMap<>();

    private long heardNs = NEVER;
    private long heardForNs;

    /**
     * A worker's last heartbeat.
     *
     * @param silentMs since it was heard
     */
    public record Worker(Heartbeat beat, long silentMs) {
        public boolean isMissing() {
            return silentMs > MISSING_AFTER_MS;
        }
    }

    private record Seen(Heartbeat beat, long atNs) {}

    public WorkerTable(KafkaSettings settings) {
        this(settings, LOOK_BACK);
    }

    /**
     * @param lookBack how far: who is silent since then is not known. What is read of the past
     *     counts as heard when it is read
     */
    public WorkerTable(KafkaSettings settings, Duration lookBack) {
        this(settings, lookBack, System::nanoTime);
    }

    WorkerTable(KafkaSettings settings, Duration lookBack, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.tail =
                new TopicTail(
                        settings,
                        "weir-workers",
                        Topics.HEARTBEATS,
                        (consumer, partition) -> seek(consumer, partition, lookBack),
                        this);
    }

    /** Those that are alive have written within the last seconds. */
    private static void seek(
            KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, Duration lookBack) {
        long since = System.currentTimeMillis() - lookBack.toMillis();
        var found = consumer.offsetsForTimes(Map.of(partition, since)).get(partition);
        if (found == null) {
            consumer.seekToEnd(List.of(partition));
        } else {
            consumer.seek(partition, found.offset());
        }
    }

    public WorkerTable start() {
        tail.start();
        return this;
    }

    @Override
    public synchronized void read(List<ConsumerRecord<byte[], byte[]>> records, long position) {
        long now = nanoTime.getAsLong();
        if (!records.isEmpty()) {
            heard(now);
        }
        for (ConsumerRecord<byte[], byte[]> record : records) {
            parse(record.value())
                    .ifPresent(
                            beat -> {
                                workers.put(beat.getWorker(), new Seen(beat, now));
                                graceUntilNs.remove(beat.getWorker());
                            });
        }
    }

    @Override
    public synchronized long heardForNs() {
        return heardForNs + sinceHeardNs(nanoTime.getAsLong());
    }

    private long sinceHeardNs(long now) {
        return heardNs == NEVER
                ? 0
                : Math.min(now - heardNs, TimeUnit.MILLISECONDS.toNanos(OUTAGE_MS));
    }

    private void heard(long now) {
        heardForNs += sinceHeardNs(now);
        if (heardNs != NEVER && now - heardNs > TimeUnit.MILLISECONDS.toNanos(OUTAGE_MS)) {
            long untilNs = now + TimeUnit.MILLISECONDS.toNanos(GRACE_MS);
            for (Map.Entry<String, Seen> worker : workers.entrySet()) {
                if (lives(worker.getKey(), worker.getValue(), heardNs)) {
                    graceUntilNs.put(worker.getKey(), untilNs);
                }
            }
        }
        heardNs = now;
    }

    private boolean lives(String worker, Seen seen, long now) {
        Long untilNs = graceUntilNs.get(worker);
        return untilNs != null && now < untilNs || silentMs(seen, now) <= MISSING_AFTER_MS;
    }

    /**
     * Those whose windows the merge waits for: who has been heard of late, as far as anybody was.
     * While all are silent it is those who lived before, for then Kafka is away, or there is
     * nothing to wait for.
     */
    @Override
    public synchronized Map<String, Long> awaited() {
        long now = nanoTime.getAsLong();
        boolean silence = now - heardNs > TimeUnit.MILLISECONDS.toNanos(OUTAGE_MS);
        Map<String, Long> awaited = new TreeMap<>();
        for (Map.Entry<String, Seen> worker : workers.entrySet()) {
            Seen seen = worker.getValue();
            if (lives(worker.getKey(), seen, silence ? heardNs : now)) {
                boolean back = graceUntilNs.containsKey(worker.getKey());
                awaited.put(worker.getKey(), back ? Long.MAX_VALUE : onTheWayNs(seen.beat()));
            }
        }
        return awaited;
    }

    private static long onTheWayNs(Heartbeat beat) {
        if (beat.getPartialsWaiting() > 0) {
            return Long.MAX_VALUE;
        }
        return beat.hasPartialsPassedNs() ? beat.getPartialsPassedNs() : Long.MIN_VALUE;
    }

    /** Of one that cannot be read, the next says it better. */
    private static Optional<Heartbeat> parse(byte[] value) {
        try {
            return Optional.ofNullable(value == null ? null : Heartbeat.parseFrom(value))
                    .filter(beat -> beat.getFormat() == Heartbeats.FORMAT)
                    .filter(beat -> !beat.getWorker().isEmpty());
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /** They are then all missing, which is what one can say. */
    @Override
    public void failed(WeirException failure) {}

    /** By name. */
    public synchronized List<Worker> workers() {
        long now = nanoTime.getAsLong();
        workers.values().removeIf(seen -> silentMs(seen, now) > FORGOTTEN_AFTER_MS);
        List<Worker> all = new ArrayList<>();
        workers.values().forEach(seen -> all.add(new Worker(seen.beat(), silentMs(seen, now))));
        return all;
    }

    private static long silentMs(Seen seen, long now) {
        return TimeUnit.NANOSECONDS.toMillis(now - seen.atNs());
    }

    @Override
    public void close() {
        tail.close();
    }
}
