package io.weir.cluster.kafka.results;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.OutboxPosition;
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

/** How far workers' outboxes were sent, as their topic tells: read whole, for it is compacted. */
public final class SentPositions {
    private static final int FORMAT = 1;
    private static final TopicPartition TOPIC = new TopicPartition(Topics.OUTBOX, 0);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final String CLIENT = "weir-outbox-positions";

    /** Kafka ends transactions that are open for 10 s, and looks for them every 10 s. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final KafkaSettings settings;

    /** Who waits for Kafka now, if anybody. */
    private volatile KafkaConsumer<byte[], byte[]> waiting;

    public SentPositions(KafkaSettings settings) {
        this.settings = settings;
    }

    /** Whoever waits for Kafka now waits no longer: that call throws. Any thread. */
    void giveUp() {
        KafkaConsumer<byte[], byte[]> now = waiting;
        if (now != null) {
            now.wakeup();
        }
    }

    /**
     * Where the position of an outbox is kept when the worker goes on with another: it may come
     * back to it.
     */
    static String aside(String worker, String outbox) {
        return worker + "/" + outbox;
    }

    /** The record of that. */
    static ProducerRecord<byte[], byte[]> aside(
            String worker, OutboxPosition known, OptionalLong passedNs) {
        String key = aside(worker, known.getOutbox());
        return record(key, known.getOutbox(), known.getLife(), known.getNext(), passedNs);
    }

    /**
     * The committed position of an outbox, as it is seen now: transactions of others that are open
     * may hide the latest. What cannot be read is as if it were not there.
     */
    Optional<OutboxPosition> read(String name) {
        return Optional.ofNullable(all(0).get(name));
    }

    /**
     * The same, when none of its own transactions is open any more, for its writer has begun anew:
     * the latest that there is. Where a transaction of another outbox may hide it, that one's end
     * is waited for.
     *
     * @throws TimeoutException when that does not come
     */
    Optional<OutboxPosition> readLatest(String name) {
        return Optional.ofNullable(all(hiddenEnd(name)).get(name));
    }

    /** Offset after the last record of an outbox that committed readers cannot see yet; else 0. */
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
     * Up to which event time each outbox of partials has sent all, by name; none while Kafka is
     * away.
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
     * @param leastEnd what is before this offset is waited for
     */
    private Map<String, OutboxPosition> all(long leastEnd) {
        Map<String, OutboxPosition> last = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = TopicTail.consumer(settings, CLIENT)) {
            waiting = consumer;
            consumer.assign(List.of(TOPIC));
            consumer.seekToBeginning(List.of(TOPIC));
            long end = Math.max(leastEnd, consumer.endOffsets(List.of(TOPIC)).get(TOPIC));
            long deadlineNs = System.nanoTime() + LONGEST_WAIT.toNanos();
            while (consumer.position(TOPIC) < end) {
                if (System.nanoTime() > deadlineNs) {
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
