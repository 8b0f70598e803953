package io.weir.cluster.kafka.audit;

import io.weir.cluster.audit.Audit;
import io.weir.cluster.audit.AuditEntry;
import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The cluster's audit: a retained topic, with the user as key. All servers write to it. */
public final class AuditTopic implements Audit {
    private static final TopicPartition TOPIC = new TopicPartition(Topics.AUDIT, 0);
    private static final Duration POLL = Duration.ofSeconds(1);

    /** The longest wait of a statement for its note; then it fails. */
    private static final int LONGEST_WAIT_MS = 10_000;

    /**
     * The longest wait of a statement that only shows the server's knowledge, and of a reader of
     * the audit.
     */
    private static final Duration SOON = Duration.ofSeconds(2);

    /**
     * The offsets of a note: the note of a change, its transaction's marker, and as much that was
     * aborted.
     */
    private static final int OFFSETS_A_NOTE = 4;

    private final KafkaSettings settings;
    private final KafkaProducer<byte[], byte[]> producer;
    private final WaitingNotes waiting;

    /** The topic must exist. */
    public AuditTopic(KafkaSettings settings) {
        this.settings = settings;
        Map<String, Object> config = settings.client("weir-audit");
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, LONGEST_WAIT_MS);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, LONGEST_WAIT_MS / 2);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, LONGEST_WAIT_MS);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        // Metadata of the topic is kept while no statement comes.
        config.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, Duration.ofDays(1).toMillis());
        this.producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.waiting = new WaitingNotes(this::write, SOON);
    }

    /** Makes the record of a note, for itself or for the transaction of a change. */
    public static ProducerRecord<byte[], byte[]> record(AuditNoting.Note note) {
        byte[] user = note.user().getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(Topics.AUDIT, 0, note.timeMs(), user, note.text());
    }

    @Override
    public void write(AuditEntry entry) {
        write(List.of(entry));
    }

    private void write(List<AuditEntry> entries) {
        KafkaCalls.run(
                settings,
                "the statement cannot be noted in " + Topics.AUDIT,
                () -> {
                    List<Future<RecordMetadata>> sent = new ArrayList<>();
                    for (AuditEntry entry : entries) {
                        sent.add(producer.send(record(entry.note())));
                    }
                    for (Future<RecordMetadata> one : sent) {
                        await(one);
                    }
                });
    }

    private static void await(Future<RecordMetadata> sent) throws Exception {
        try {
            var unused = sent.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** While Kafka is away the note waits in memory. */
    @Override
    public void writeSoon(AuditEntry entry) {
        waiting.add(entry);
    }

    /**
     * Records of strangers are skipped. It fails at once if Kafka was away a moment ago, because a
     * client repeats a failed statement.
     */
    @Override
    public List<AuditEntry> last(int count) {
        Deque<AuditEntry> last = new ArrayDeque<>();
        try {
            KafkaCalls.run(
                    settings,
                    Topics.AUDIT + " cannot be read",
                    () -> {
                        if (waiting.isAway()) {
                            throw new WeirException(
                                    ErrorCode.KAFKA_UNAVAILABLE,
                                    Topics.AUDIT
                                            + " cannot be read: "
                                            + settings
                                            + " has not answered recently",
                                    "is Kafka running there? SHOW EVENTS shows since when");
                        }
                        read(count, last);
                    });
        } catch (WeirException e) {
            if (KafkaCalls.isAway(e)) {
                waiting.away();
            }
            throw e;
        }
        return List.copyOf(last);
    }

    private void read(int count, Deque<AuditEntry> last) {
        Map<String, Object> config = settings.client("weir-audit-reader");
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) SOON.toMillis());
        config.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) SOON.toMillis());
        try (KafkaConsumer<byte[], byte[]> consumer = TopicTail.consumer(config)) {
            consumer.assign(List.of(TOPIC));
            long begin = consumer.beginningOffsets(List.of(TOPIC)).get(TOPIC);
            long end = consumer.endOffsets(List.of(TOPIC)).get(TOPIC);
            consumer.seek(TOPIC, Math.max(begin, end - (long) count * OFFSETS_A_NOTE));
            while (consumer.position(TOPIC) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.value() != null) {
                        AuditEntry.parse(record.value()).ifPresent(last::add);
                    }
                }
                while (last.size() > count) {
                    last.remove();
                }
            }
        }
    }

    @Override
    public void close() {
        waiting.close();
        producer.close(Duration.ZERO);
    }
}
