package io.weir.cluster.trigger;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.TriggerRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Triggers on their way to {@code weir.triggers}, by a plain idempotent producer: in milliseconds,
 * not the hundred of a transaction. What is sent again after a failure changes nothing at its
 * reader. Thread-safe; a call waits only while Kafka is away and much has been sent, and no longer
 * than {@value #MAX_BLOCK_MS} ms.
 */
public final class TriggerPublisher implements Triggers, AutoCloseable {
    static final int FORMAT = 1;

    private static final int MAX_BLOCK_MS = 1_000;
    private static final int DELIVERY_MS = 120_000;

    private final String by;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicLong lost = new AtomicLong();

    /**
     * @param by who sends, for people
     */
    public TriggerPublisher(KafkaSettings settings, String by) {
        this.by = by;
        var config = settings.client("weir-triggers-" + by);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MS);
        producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        // The first record must not wait for what the producer has to ask first.
        try {
            producer.partitionsFor(Topics.TRIGGERS);
        } catch (KafkaException away) {
            // Then it asks with the first record.
        }
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs) {
        send(query, version, record -> record.setWake(activity(fromNs, untilNs)));
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs) {
        send(query, version, record -> record.setUntil(activity(fromNs, untilNs)));
    }

    @Override
    public void settled(String query, long version, long settledNs) {
        send(query, version, record -> record.setSettledNs(settledNs));
    }

    private static Activity activity(long fromNs, long untilNs) {
        return Activity.newBuilder().setFromNs(fromNs).setUntilNs(untilNs).build();
    }

    private interface What {
        void put(TriggerRecord.Builder record);
    }

    private void send(String query, long version, What what) {
        TriggerRecord.Builder record =
                TriggerRecord.newBuilder()
                        .setFormat(FORMAT)
                        .setQuery(query)
                        .setVersion(version)
                        .setBy(by)
                        .setMadeMs(System.currentTimeMillis());
        what.put(record);
        byte[] key = query.getBytes(StandardCharsets.UTF_8);
        try {
            var unused =
                    producer.send(
                            new ProducerRecord<>(
                                    Topics.TRIGGERS, 0, key, record.build().toByteArray()),
                            (metadata, failure) -> lost.addAndGet(failure == null ? 0 : 1));
        } catch (KafkaException away) {
            lost.incrementAndGet();
        }
    }

    /** Triggers that could not be told. */
    public long lost() {
        return lost.get();
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
