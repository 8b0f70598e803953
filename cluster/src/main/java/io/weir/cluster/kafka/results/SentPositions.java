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

/** How far workers' outboxes were sent, as their topic tells: read whole, for it is compacted. */
public final class SentPositions {
    private static final int FORMAT = 1;
    private static final TopicPartition TOPIC = new TopicPartition(Topics.OUTBOX, 0);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final KafkaSettings settings;

    public SentPositions(KafkaSettings settings) {
        this.settings = settings;
    }

    /**
     * Where the position of an outbox is kept when the worker goes on with another: it may come
     * back to it.
     */
    static String aside(String worker, String outbox) {
        return worker + "/" + outbox;
    }

    /** The committed position of an outbox. What cannot be read is as if it were not there. */
    Optional<OutboxPosition> read(String name) {
        return Optional.ofNullable(all().get(name));
    }

    /**
     * Up to which event time each outbox of partials has sent all, by name; none while Kafka is
     * away.
     */
    public Map<String, Long> passedNs() {
        Map<String, Long> passed = new HashMap<>();
        try {
            all().forEach(
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

    private Map<String, OutboxPosition> all() {
        Map<String, OutboxPosition> last = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                TopicTail.consumer(settings, "weir-outbox-positions")) {
            consumer.assign(List.of(TOPIC));
            consumer.seekToBeginning(List.of(TOPIC));
            long end = consumer.endOffsets(List.of(TOPIC)).get(TOPIC);
            while (consumer.position(TOPIC) < end) {
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
