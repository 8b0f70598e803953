package io.weir.cluster.kafka.heartbeat;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.ReopenedTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import io.weir.operators.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the last heartbeat of each recent sender, including those that are dead by now, as far back
 * as the topic keeps it. It reads once, on a thread of its own: there can be millions of records,
 * and no living process waits for it.
 */
final class PastHeartbeats implements ReopenedTail.Reader, AutoCloseable {
    private final Duration lookBack;
    private final ReopenedTail tail;

    /** The tail's thread owns them until all are there. */
    private final Map<String, Last> last = new TreeMap<>();

    private final ReportedStates told = new ReportedStates();
    private final Clock clock;
    private long end;
    private volatile boolean whole;

    /**
     * @param timeMs of its record: by the clock of the sender, unless Kafka sets the time
     */
    record Last(Heartbeat beat, long timeMs) {}

    PastHeartbeats(KafkaSettings settings, Duration lookBack) {
        this.lookBack = lookBack;
        this.clock = settings.clock();
        this.tail =
                new ReopenedTail(
                        settings,
                        "weir-workers-past",
                        Topics.HEARTBEATS,
                        this::seek,
                        this); // other followers have the same trouble, and report it
    }

    PastHeartbeats start() {
        tail.start();
        return this;
    }

    private void seek(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition) {
        end = consumer.endOffsets(List.of(partition)).get(partition);
        long sinceMs = clock.millis() - lookBack.toMillis();
        var first = consumer.offsetsForTimes(Map.of(partition, sinceMs)).get(partition);
        consumer.seek(partition, first == null ? end : first.offset());
    }

    @Override
    public void read(List<ConsumerRecord<byte[], byte[]>> records, long position) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Heartbeats.parse(record.value()).ifPresent(beat -> keep(beat, record.timestamp()));
        }
        if (position >= end) {
            whole = true;
            close();
        }
    }

    private void keep(Heartbeat beat, long timeMs) {
        last.put(beat.getFormat() + beat.getWorker(), new Last(told.whole(beat), timeMs));
    }

    boolean isWhole() {
        return whole;
    }

    /** Returns all, once they are complete. */
    Collection<Last> last() {
        return last.values();
    }

    /** Idempotent. */
    @Override
    public void close() {
        tail.close();
    }
}
