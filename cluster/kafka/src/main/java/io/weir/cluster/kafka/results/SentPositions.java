package io.weir.cluster.kafka.results;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.OutboxPosition;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads how far workers' outboxes were sent, from their topic. It reads all of it, because it is
 * compacted.
 */
public final class SentPositions {
    private static final int FORMAT = 1;
    private static final TopicPartition TOPIC = new TopicPartition(Topics.OUTBOX, 0);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final String CLIENT = "weir-outbox-positions";

    /**
     * The longest wait. Kafka ends transactions that are open for 10 s, and looks for them every 10
     * s.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final KafkaSettings settings;

    /** The consumer that waits for Kafka now, if there is one. */
    private volatile KafkaConsumer<byte[], byte[]> waiting;

    public SentPositions(KafkaSettings settings) {
        this.settings = settings;
    }

    /** Ends the wait for Kafka: the waiting call throws. Any thread. */
    void giveUp() {
        KafkaConsumer<byte[], byte[]> now = waiting;
        if (now != null) {
            now.wakeup();
        }
    }

    /**
     * Returns the name for the position of an outbox while the worker uses another. The worker may
     * come back to it.
     */
    static String aside(String worker, String outbox) {
        return worker + "/" + outbox;
    }

    /** Makes the record of that position. */
    static ProducerRecord<byte[], byte[]> aside(
            String worker, OutboxPosition known, OptionalLong passedNs) {
        String key = aside(worker, known.getOutbox());
        return record(key, known.getOutbox(), known.getLife(), known.getNext(), passedNs);
    }

    /**
     * Returns the committed position of an outbox as it can be seen now. Open transactions of
     * others may hide the latest. An unreadable record counts as absent.
     */
    Optional<OutboxPosition> read(String name) {
        return Optional.ofNullable(all(0).get(name));
    }

    /**
     * Returns the latest position, when none of its own transactions is open, because its writer
     * has begun again. If a transaction of another outbox may hide it, this waits for that one's
     * end.
     *
     * @throws TimeoutException when that does not come
     */
    Optional<OutboxPosition> readLatest(String name) {
        return Optional.ofNullable(all(hiddenEnd(name)).get(name));
    }

    /**
     * Returns the offset after the last record of an outbox that committed readers cannot see yet;
     * otherwise 0.
     */
    private long hiddenEnd(String name) {
        long hidden = 0;
        try (KafkaConsumer<byte[], byte[]> committed = TopicTail.consumer(settings, CLIENT);
                KafkaConsumer<byte[], byte[]> all = TopicTail.consumerOfAll(settings, CLIENT)) {
            waiting = committed;
            long seen = committed.endOffsets(List.of(TOPIC)).get(TOPIC);
            waiting = all;
            long end = all.endOffsets(List.of(TOPIC)).get(TOPIC);
            all.assign(List.of(TOPIC));
            all.seek(TOPIC, seen);
            while (all.position(TOPIC) < end) {
                for (ConsumerRecord<byte[], byte[]> record : all.poll(POLL)) {
                    hidden = name.equals(text(record.key())) ? record.offset() + 1 : hidden;
                }
            }
        }
        return hidden;
    }

    /**
     * Returns the event time up to which each outbox of partials has sent all, by name; none while
     * Kafka is away.
     */
    public Map<String, Long> passedNs() {
        Map<String, Long> passed = new HashMap<>();
        try {
            all(0).forEach(
                            (name, position) -> {
                                if (position.hasPassedNs()) {
                                    passed.put(name, position.getPassedNs());
                                }
                            });
        } catch (KafkaException away) {
            return Map.of();
        }
        return passed;
    }

    /**
     * @param leastEnd waits until all before this offset can be read
     */
    private Map<String, OutboxPosition> all(long leastEnd) {
        Map<String, OutboxPosition> last = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = TopicTail.consumer(settings, CLIENT)) {
            waiting = consumer;
            consumer.assign(List.of(TOPIC));
            consumer.seekToBeginning(List.of(TOPIC));
            long end = Math.max(leastEnd, consumer.endOffsets(List.of(TOPIC)).get(TOPIC));
            Deadline deadline = Deadline.after(LONGEST_WAIT, Clock.SYSTEM);
            while (consumer.position(TOPIC) < end) {
                if (deadline.isOver()) {
                    throw new TimeoutException("a transaction on " + TOPIC + " does not end");
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.value() != null) {
                        parse(record.value())
                                .ifPresent(position -> last.put(text(record.key()), position));
                    }
                }
            }
        }
        return last;
    }

    private static String text(byte[] key) {
        return key == null ? "" : new String(key, StandardCharsets.UTF_8);
    }

    static Optional<OutboxPosition> parse(byte[] value) {
        try {
            OutboxPosition position = OutboxPosition.parseFrom(value);
            return position.getFormat() == FORMAT ? Optional.of(position) : Optional.empty();
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    static ProducerRecord<byte[], byte[]> record(
            String worker, String outbox, String life, long next, OptionalLong passedNs) {
        OutboxPosition.Builder position =
                OutboxPosition.newBuilder()
                        .setFormat(FORMAT)
                        .setOutbox(outbox)
                        .setLife(life)
                        .setNext(next);
        passedNs.ifPresent(position::setPassedNs);
        return new ProducerRecord<>(
                Topics.OUTBOX,
                0,
                worker.getBytes(StandardCharsets.UTF_8),
                position.build().toByteArray());
    }
}
