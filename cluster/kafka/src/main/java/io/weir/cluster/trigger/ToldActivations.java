package io.weir.cluster.trigger;

import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.TriggerRecord;
import io.weir.operators.when.WhenState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The activations of queries that use values, as {@code weir.triggers} tells them now: the topic
 * keeps the latest begin and end of each binding. One thread.
 */
public final class ToldActivations {
    private static final TopicPartition TRIGGERS = new TopicPartition(Topics.TRIGGERS, 0);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Map<Version, WhenState> states = new HashMap<>();

    private record Version(String query, long version) {}

    /**
     * Reads the topic to its end.
     *
     * @throws io.weir.operators.error.WeirException when Kafka cannot be asked
     */
    public static ToldActivations read(KafkaSettings kafka) {
        ToldActivations told = new ToldActivations();
        KafkaCalls.run(
                kafka,
                "the bindings cannot be read",
                () -> {
                    try (KafkaConsumer<byte[], byte[]> consumer =
                            TopicTail.consumerOfAll(kafka, "weir-bindings")) {
                        consumer.assign(List.of(TRIGGERS));
                        consumer.seekToBeginning(List.of(TRIGGERS));
                        told.read(consumer);
                    }
                });
        return told;
    }

    private void read(KafkaConsumer<byte[], byte[]> consumer) {
        long end = consumer.endOffsets(List.of(TRIGGERS)).get(TRIGGERS);
        while (consumer.position(TRIGGERS) < end) {
            consumer.poll(POLL).records(TRIGGERS).forEach(record -> read(record.value()));
        }
    }

    /** Takes a record, unless it is of a query without values, or of another release. */
    void read(byte[] value) {
        try {
            TriggerRecord record = TriggerRecord.parseFrom(value == null ? new byte[0] : value);
            if (record.getFormat() == TriggerMessage.FORMAT && !record.getWaking().isEmpty()) {
                Version of = new Version(record.getQuery(), record.getVersion());
                states.computeIfAbsent(of, v -> new WhenState(Integer.MAX_VALUE, 0))
                        .report(TriggerMessage.change(record));
            }
        } catch (InvalidProtocolBufferException | IllegalArgumentException unreadable) {
            return; // those who follow the topic count it
        }
    }

    /** Returns the latest activation of each binding of a query, in the order of their begins. */
    public List<WhenState.Change> of(String query, long version) {
        WhenState state = states.get(new Version(query, version));
        return state == null ? List.of() : state.latestOfEach();
    }
}
