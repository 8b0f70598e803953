package io.weir.cluster.kafka.results;

import io.weir.cluster.outbox.OutboxReader;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Turns the entries of an outbox into Kafka records. The sender's thread. */
public interface OutboxEntries {
    /** Returns the name of the outbox, for people. */
    String title();

    /** Returns the record; empty when the entry cannot be read. */
    Optional<ProducerRecord<byte[], byte[]>> record(OutboxReader.Entry entry);

    /**
     * Returns whether a transaction may end after it. Entries that belong together are in one
     * transaction.
     */
    default boolean isEnd(OutboxReader.Entry entry) {
        return true;
    }

    /**
     * Returns the event time up to which all was sent, with this entry; empty if the entry does not
     * say it.
     */
    default OptionalLong passedNs(OutboxReader.Entry entry) {
        return OptionalLong.empty();
    }

    /** Creates topics of the last entries that may be missing. */
    void ensureTopics();
}
