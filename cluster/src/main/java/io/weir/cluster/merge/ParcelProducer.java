package io.weir.cluster.merge;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.merge.Parcel;
import io.weir.operators.merge.PartialSender;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Parcels of a worker on their way to {@code weir.partials}, each to its shard's partition. Without
 * a transaction: a parcel that arrives twice is known by its number, and one that does not by the
 * gap. While Kafka is away as many as fit into its buffer wait; beyond that they are lost and
 * counted, for the packet path waits for nobody. The results' thread.
 */
public final class ParcelProducer implements PartialSender.Out, AutoCloseable {
    private static final long BUFFER_BYTES = 64L << 20;
    private static final int LARGEST_BYTES = 4 << 20;
    private static final int DELIVERY_MS = 120_000;

    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();

    public ParcelProducer(KafkaSettings settings, String worker) {
        var config = settings.client("weir-partials-" + worker);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_BYTES);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MS);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Returns when Kafka has told where the topic is; a send before that would be lost. */
    public boolean awaitReady(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < deadline) {
            try {
                if (producer.partitionsFor(Topics.PARTIALS).size() == Topics.SHARDS) {
                    return true;
                }
            } catch (KafkaException notYet) {
                Thread.sleep(10);
            }
        }
        return false;
    }

    @Override
    public void send(int shard, Parcel parcel) {
        byte[] key = parcel.source().worker().getBytes(StandardCharsets.UTF_8);
        byte[] value = ParcelCodec.bytes(parcel);
        try {
            var unused =
                    producer.send(
                            new ProducerRecord<>(Topics.PARTIALS, shard, key, value),
                            (metadata, failure) -> lost.addAndGet(failure == null ? 0 : 1));
            sentBytes.addAndGet(value.length);
        } catch (KafkaException away) {
            lost.incrementAndGet();
        }
    }

    public void flush() {
        producer.flush();
    }

    /** Of all parcels that were sent, before compression. */
    public long sentBytes() {
        return sentBytes.get();
    }

    public long lost() {
        return lost.get();
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
