package io.weir.cluster.kafka.catalog;

import io.weir.cluster.catalog.AuditNoting;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.audit.AuditTopic;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes to the catalogue, with one writer in the cluster at a time. A process that opens a
 * transaction under the shared id fences the previous writer. So each commit was judged with all
 * earlier records. A fenced writer begins again. Thread-safe.
 */
final class CatalogWriter implements AutoCloseable {
    private static final String SHARED_ID = "weir-catalog";
    private static final TopicPartition CATALOG = new TopicPartition(Topics.CATALOG, 0);
    private static final int TRANSACTION_TIMEOUT_MS = 10_000;
    private static final int MOST_ATTEMPTS = 40;
    private static final int LONGEST_PAUSE_MS = 100;

    private final KafkaSettings settings;
    private final Admin admin;
    private KafkaProducer<byte[], byte[]> producer;

    CatalogWriter(KafkaSettings settings) {
        this.settings = settings;
        this.admin = KafkaCalls.admin(settings, "weir-catalog-admin");
    }

    /** Returns the offset after the last committed record. */
    long end() throws Exception {
        return KafkaCalls.await(
                        admin.listOffsets(
                                        Map.of(CATALOG, OffsetSpec.latest()),
                                        new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                                .partitionResult(CATALOG))
                .offset();
    }

    /**
     * It uses the existing client, because a new one for each CREATE would cost more than the call.
     */
    void ensureResults(Collection<String> queries) throws Exception {
        Topics.ensureResults(admin, queries);
    }

    /**
     * Writes one record, and returns its offset when the log has read it. It returns nothing if
     * there was nothing to do, or if the answer of an attempt was lost.
     *
     * @param judge takes the state before the record and its end offset. It returns the value to
     *     write (null for a tombstone), or empty if there is nothing to do. It throws if the edit
     *     is wrong
     * @param noting written in the same transaction, even if there was nothing to do. It may then
     *     be there twice if Kafka's answer was lost
     */
    synchronized OptionalLong write(
            CatalogLog log,
            String name,
            BiFunction<CatalogState, Long, Optional<Edit>> judge,
            Optional<AuditNoting> noting)
            throws Exception {
        String id = UUID.randomUUID().toString();
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            try {
                return attempt(log, name, id, judge, noting);
            } catch (WeirException e) {
                abort(); // it was judged, or cannot be noted
                throw e;
            } catch (KafkaException e) {
                discard(); // fenced, or in doubt: the next attempt sees the outcome
                if (!isPassing(e)) {
                    throw e;
                }
            } catch (Exception e) {
                discard(); // its transaction is open
                throw e;
            }
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, LONGEST_PAUSE_MS));
        }
        throw new WeirException(
                ErrorCode.KAFKA_UNAVAILABLE,
                "the catalogue was changed by others " + MOST_ATTEMPTS + " times in between",
                "try again");
    }

    /** The value of an edit: the record's value, or null for a tombstone. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Edit(byte[] value) {}

    private OptionalLong attempt(
            CatalogLog log,
            String name,
            String id,
            BiFunction<CatalogState, Long, Optional<Edit>> judge,
            Optional<AuditNoting> noting)
            throws Exception {
        KafkaProducer<byte[], byte[]> open = open();
        open.beginTransaction();
        long end = end();
        CatalogState state = log.await(end);
        if (log.holds(id)) { // an earlier attempt, whose answer was lost
            open.abortTransaction();
            return OptionalLong.empty();
        }
        Optional<Edit> edit = judge.apply(state, end);
        OptionalLong offset = edit.isPresent() ? OptionalLong.of(end) : OptionalLong.empty();
        var written = edit.map(record -> open.send(record(name, id, record)));
        // A tombstone has an offset too, but is no version of its query.
        boolean isVersion = edit.isPresent() && edit.get().value() != null;
        OptionalLong version = isVersion ? offset : OptionalLong.empty();
        var noted = noting.map(note -> open.send(AuditTopic.record(note.of(version))));
        if (written.isPresent() && await(written.get()) != end) {
            throw new KafkaException("others write to " + Topics.CATALOG + " by themselves");
        }
        if (noted.isPresent()) {
            var unused = await(noted.get());
        }
        open.commitTransaction();
        if (offset.isPresent()) {
            log.await(end + 1);
        }
        return offset;
    }

    private static ProducerRecord<byte[], byte[]> record(String name, String id, Edit edit) {
        byte[] key = name.getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(Topics.CATALOG, 0, key, edit.value());
        record.headers().add(CatalogLog.EDIT, id.getBytes(StandardCharsets.UTF_8));
        return record;
    }

    /** Returns the record's offset, which it has only when the broker has it. */
    private static long await(Future<RecordMetadata> sent) throws Exception {
        try {
            return sent.get(KafkaCalls.TIMEOUT_MS, TimeUnit.MILLISECONDS).offset();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** Hides the attempt from all readers at once. If this fails, Kafka does it later. */
    private void abort() {
        try {
            producer.abortTransaction();
        } catch (RuntimeException e) {
            discard();
        }
    }

    private KafkaProducer<byte[], byte[]> open() {
        if (producer == null) {
            Map<String, Object> config = settings.client(SHARED_ID);
            config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, SHARED_ID);
            config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
            config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, KafkaCalls.TIMEOUT_MS);
            producer =
                    new KafkaProducer<>(
                            config, new ByteArraySerializer(), new ByteArraySerializer());
            producer.initTransactions();
        }
        return producer;
    }

    private static boolean isPassing(KafkaException e) {
        return !(e instanceof org.apache.kafka.common.errors.AuthenticationException
                || e instanceof org.apache.kafka.common.errors.AuthorizationException
                || e instanceof org.apache.kafka.common.errors.TimeoutException);
    }

    private void discard() {
        if (producer != null) {
            producer.close(Duration.ZERO);
            producer = null;
        }
    }

    @Override
    public synchronized void close() {
        discard();
        admin.close(Duration.ZERO);
    }
}
