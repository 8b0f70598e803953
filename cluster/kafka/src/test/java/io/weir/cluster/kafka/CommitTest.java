package io.weir.cluster.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** What Kafka's client leaves over when it commits too early cannot be told from outside. */
class CommitTest {
    private static final long LONG_MS = 60_000;

    private final MockProducer<String, String> producer =
            new MockProducer<>(false, null, new StringSerializer(), new StringSerializer());

    private Future<RecordMetadata> begun() {
        producer.initTransactions();
        producer.beginTransaction();
        return producer.send(new ProducerRecord<>("t", "v"));
    }

    /** The commit of that would be Kafka's, with or without the record. */
    @Test
    void isNotBegunBeforeTheLastRecordIsThere() {
        Future<RecordMetadata> last = begun();
        assertThrows(TimeoutException.class, () -> Commit.of(producer, last, 1));
        assertFalse(producer.transactionCommitted());
        assertTrue(producer.completeNext());
        Commit.of(producer, last, LONG_MS);
        assertTrue(producer.transactionCommitted());
        assertEquals(1, producer.history().size());
    }

    /** As it says it of any record. */
    @Test
    void saysWhatBefellTheLastRecord() {
        Future<RecordMetadata> last = begun();
        assertTrue(producer.errorNext(new IllegalStateException("refused")));
        producer.commitTransactionException = new IllegalStateException("the commit's");
        Exception e =
                assertThrows(IllegalStateException.class, () -> Commit.of(producer, last, LONG_MS));
        assertEquals("the commit's", e.getMessage());
    }
}
