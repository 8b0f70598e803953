package io.weir.cluster.kafka.results;

import io.weir.cluster.outbox.OutboxReader;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What the entries of an outbox become in Kafka. The sender's thread. */
public interface OutboxEntries {
    /** Empty when the entry cannot be read. */
    Optional<ProducerRecord<byte[], byte[]>> record(OutboxReader.Entry entry);

    /** Whether a transaction may end after it: what belongs together does. */
    default boolean isEnd(OutboxReader.Entry entry) {
        return true;
    }

    /** Up to which event time all was sent, with this entry; empty where it says nothing of it. */
    default OptionalLong passedNs(OutboxReader.Entry entry) {
        return OptionalLong.empty();
    }

    /** A topic of the last entries may be missing. */
    void ensureTopics();
}
