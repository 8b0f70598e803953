package io.weir.cluster.kafka;

import io.weir.operators.error.WeirException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the committed records of a topic of one partition as it grows, on a thread of its own.
 * While Kafka is away it waits. Only a lasting error ends it.
 */
public final class TopicTail implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaSettings settings;
    private final TopicPartition partition;
    private final Start start;
    private final Reader reader;
    private final Supplier<KafkaConsumer<byte[], byte[]>> maker;
    private volatile KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread;
    private volatile boolean closed;

    /** The last time that Kafka answered, even with nothing new. */
    private volatile long answeredNs;

    /** The start position. */
    @FunctionalInterface
    public interface Start {
        /** Starts at the first existing record. */
        Start BEGINNING = (consumer, partition) -> consumer.seekToBeginning(List.of(partition));

        void seek(KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition);
    }

    /** The tail's thread calls it. */
    public interface Reader {
        /**
         * @param records in order; none if there was nothing new
         * @param position offset of the next one
         */
        void read(List<ConsumerRecord<byte[], byte[]>> records, long position);

        /** Is told that the tail has ended, with the reason. */
        void failed(WeirException failure);
    }

    public TopicTail(
            KafkaSettings settings, String clientId, String topic, Start start, Reader reader) {
        this(settings, topic, start, reader, () -> consumer(settings, clientId));
    }

    /** Makes a tail that does not wait for the end of transactions. It also reads aborted ones. */
    public static TopicTail ofAll(
            KafkaSettings settings, String clientId, String topic, Start start, Reader reader) {
        return new TopicTail(
                settings, topic, start, reader, () -> consumerOfAll(settings, clientId));
    }

    private TopicTail(
            KafkaSettings settings,
            String topic,
            Start start,
            Reader reader,
            Supplier<KafkaConsumer<byte[], byte[]>> maker) {
        this.settings = settings;
        this.partition = new TopicPartition(topic, 0);
        this.start = start;
        this.reader = reader;
        this.maker = maker;
        this.answeredNs = settings.clock().nanos();
        this.consumer = made();
        this.thread = new Thread(this::run, "weir-tail-" + topic);
        thread.setDaemon(true);
    }

    /** Returns null if no address of Kafka is known now. */
    private KafkaConsumer<byte[], byte[]> made() {
        try {
            return maker.get();
        } catch (KafkaException e) {
            if (KafkaCalls.isUnresolved(e)) {
                return null;
            }
            throw e;
        }
    }

    /** Makes a consumer of committed records that is in no group. */
    public static KafkaConsumer<byte[], byte[]> consumer(KafkaSettings settings, String clientId) {
        return consumer(settings.client(clientId));
    }

    /** Makes a consumer of all records, also of open and aborted transactions. */
    public static KafkaConsumer<byte[], byte[]> consumerOfAll(
            KafkaSettings settings, String clientId) {
        return consumer(settings.client(clientId), "read_uncommitted");
    }

    /** Makes a consumer of committed records with this configuration. */
    public static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> settings) {
        return consumer(settings, "read_committed");
    }

    private static KafkaConsumer<byte[], byte[]> consumer(
            Map<String, Object> settings, String isolation) {
        Map<String, Object> config = new HashMap<>(settings);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) POLL.toMillis());
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return new KafkaConsumer<>(
                config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    public TopicTail start() {
        thread.start();
        return this;
    }

    private void run() {
        try {
            while (consumer == null && !closed) {
                Thread.sleep(POLL.toMillis());
                consumer = made();
            }
            if (consumer != null) {
                follow(consumer);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (WakeupException e) {
            return; // closed
        } catch (KafkaException e) {
            if (!closed) {
                reader.failed(
                        KafkaCalls.failure(settings, partition.topic() + " cannot be read", e));
            }
        } catch (RuntimeException e) {
            reader.failed(KafkaCalls.failure(settings, "reading " + partition.topic(), e));
        }
    }

    /** Counts Kafka's answers to a consumer: at least five a second while Kafka is there. */
    private static final class Answers {
        private static final String COUNT = "fetch-total";

        private final Metric count;
        private double known;

        Answers(KafkaConsumer<byte[], byte[]> consumer) {
            count =
                    consumer.metrics().values().stream()
                            .filter(metric -> metric.metricName().name().equals(COUNT))
                            .findFirst()
                            .map(metric -> (Metric) metric)
                            .orElseThrow(() -> new IllegalStateException("no metric " + COUNT));
        }

        boolean isNew() {
            double now = ((Number) count.metricValue()).doubleValue();
            boolean is = now != known;
            known = now;
            return is;
        }
    }

    /** Returns how long Kafka has not answered, not even that there is nothing new. Any thread. */
    public long silentMs() {
        return TimeUnit.NANOSECONDS.toMillis(settings.clock().nanos() - answeredNs);
    }

    private void follow(KafkaConsumer<byte[], byte[]> own) {
        try (own) {
            own.assign(List.of(partition));
            start.seek(own, partition);
            Answers answers = new Answers(own);
            long known = -1;
            while (!closed) {
                List<ConsumerRecord<byte[], byte[]>> records = own.poll(POLL).records(partition);
                if (answers.isNew()) {
                    answeredNs = settings.clock().nanos();
                }
                long position = known < 0 || !records.isEmpty() ? position() : current(known);
                known = position;
                reader.read(records, position);
            }
        }
    }

    /** The first call must ask Kafka, which may be away. */
    private long position() {
        while (true) {
            try {
                return consumer.position(partition, POLL);
            } catch (org.apache.kafka.common.errors.TimeoutException e) {
                if (closed) {
                    throw new WakeupException();
                }
            }
        }
    }

    /** Markers of transactions move it without a record. */
    private long current(long known) {
        try {
            return consumer.position(partition, Duration.ZERO);
        } catch (org.apache.kafka.common.errors.TimeoutException e) {
            return known;
        }
    }

    /** Ends the thread soon. Idempotent. */
    @Override
    public void close() {
        closed = true;
        if (consumer != null) {
            consumer.wakeup();
        }
        if (thread != Thread.currentThread()) {
            try {
                thread.join(POLL.toMillis() * 10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
