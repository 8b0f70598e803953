package io.weir.cluster.kafka.results;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.outbox.OutboxReader;
import io.weir.cluster.wire.OutboxRow;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Turns a worker's outbox entries into records: rows for the topics of results, and the triggers
 * that they have fired.
 */
public final class ResultEntries implements OutboxEntries {
    private static final int FORMAT = 1;
    private static final int TRIGGER = 2;
    private static final int MOST_QUERIES = 4_096;

    private final KafkaSettings settings;
    private final String worker;

    /** The queries whose topics had records recently. */
    private final Set<String> queries = new LinkedHashSet<>();

    public ResultEntries(KafkaSettings settings, String worker) {
        this.settings = settings;
        this.worker = worker;
    }

    @Override
    public String title() {
        return "worker " + worker + ": the outbox of rows";
    }

    @Override
    public Optional<ProducerRecord<byte[], byte[]>> record(OutboxReader.Entry entry) {
        try {
            OutboxRow row = OutboxRow.parseFrom(entry.bytes());
            if (row.getFormat() == TRIGGER) {
                return Optional.of(trigger(row));
            } else if (row.getFormat() != FORMAT) {
                return Optional.empty();
            }
            remember(row.getQuery());
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(
                            Topics.results(row.getQuery()),
                            0,
                            RecordTime.ms(row, settings.clock().millis()),
                            row.hasKey() ? row.getKey().toByteArray() : null,
                            row.getValue().toByteArray());
            ResultHeaders.write(record.headers(), row, worker, entry.number());
            return Optional.of(record);
        } catch (InvalidProtocolBufferException e) {
            return Optional.empty();
        }
    }

    /** Makes the entry of a trigger from its Kafka record. */
    public static byte[] trigger(byte[] key, byte[] value) {
        return OutboxRow.newBuilder()
                .setFormat(TRIGGER)
                .setKey(ByteString.copyFrom(key))
                .setValue(ByteString.copyFrom(value))
                .build()
                .toByteArray();
    }

    private static ProducerRecord<byte[], byte[]> trigger(OutboxRow entry) {
        byte[] key = entry.getKey().toByteArray();
        return new ProducerRecord<>(Topics.TRIGGERS, 0, key, entry.getValue().toByteArray());
    }

    private void remember(String query) {
        if (queries.add(query) && queries.size() > MOST_QUERIES) {
            queries.remove(queries.iterator().next());
        }
    }

    @Override
    public void ensureTopics() {
        Topics.ensureResults(settings, queries);
    }
}
