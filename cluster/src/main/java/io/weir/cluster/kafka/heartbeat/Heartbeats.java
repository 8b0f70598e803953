package io.weir.cluster.kafka.heartbeat;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.wire.Heartbeat;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Tells every half second that a worker lives, and how it is. One that cannot be sent is dropped:
 * the next says more. A thread of its own.
 */
public final class Heartbeats implements AutoCloseable {
    static final int FORMAT = 1;
    static final long EVERY_MS = 500;

    private static final int MAX_BLOCK_MS = 1_000;

    private final Supplier<Heartbeat.Builder> beats;
    private final String worker;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch taken = new CountDownLatch(1);
    private volatile long takenNs = System.nanoTime();

    /**
     * @param beats what to tell now
     */
    public Heartbeats(KafkaSettings settings, String worker, Supplier<Heartbeat.Builder> beats) {
        this.beats = beats;
        this.worker = worker;
        Map<String, Object> config = settings.client("weir-heartbeats-" + worker);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS);
        config.put(ProducerConfig.ACKS_CONFIG, "1");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2 * MAX_BLOCK_MS);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * MAX_BLOCK_MS);
        this.producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.thread = new Thread(this::run, "weir-heartbeats-" + worker);
        thread.setDaemon(true);
    }

    public Heartbeats start() {
        thread.start();
        return this;
    }

    private void run() {
        byte[] key = worker.getBytes(StandardCharsets.UTF_8);
        try {
            do {
                Heartbeat beat =
                        beats.get()
                                .setFormat(FORMAT)
                                .setWorker(worker)
                                .setSentMs(System.currentTimeMillis())
                                .build();
                send(new ProducerRecord<>(Topics.HEARTBEATS, 0, key, beat.toByteArray()));
            } while (!closed.await(EVERY_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private void send(ProducerRecord<byte[], byte[]> beat) {
        try {
            var unused =
                    producer.send(
                            beat,
                            (metadata, failure) -> {
                                if (failure == null) {
                                    takenNs = System.nanoTime();
                                    taken.countDown();
                                }
                            });
        } catch (KafkaException e) {
            return; // Kafka is away; the next one says more
        }
    }

    /**
     * Waits until others can know of this worker; returns whether they can, in time. Whoever sends
     * windows of packets that come sooner may find that others' were made without them.
     */
    public boolean awaitTaken(long timeoutMs) throws InterruptedException {
        return taken.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Since Kafka took the last one, or since there was none yet. Any thread. */
    public long ageMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - takenNs);
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
