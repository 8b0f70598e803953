package io.weir.cluster.trigger;

import io.weir.cluster.kafka.Topics;
import io.weir.operators.account.Stage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;

/** A trigger on its way to Kafka, until it is known what became of it: told or not, once. */
final class Telling {
    static final String LOST = "not_told";

    /** By who tells: who goes on tells them again. */
    static final String KEPT = "kept";

    /** Who has the place now tells what its own rows fire. */
    static final String REPLACED = "replaced";

    private final TriggerMessage message;
    private final Runnable written;
    private final long madeNs = System.nanoTime();

    /** By the producer's thread, before the transaction fails for its sake. */
    private volatile boolean refused;

    /**
     * @param written run once it is in Kafka
     */
    Telling(TriggerMessage message, Runnable written) {
        this.message = message;
        this.written = written;
    }

    ProducerRecord<byte[], byte[]> toRecord() {
        return record(message);
    }

    static ProducerRecord<byte[], byte[]> record(TriggerMessage message) {
        return new ProducerRecord<>(Topics.TRIGGERS, 0, message.key(), message.value());
    }

    /** What Kafka says of the record; null: it is there. */
    void sent(Exception failure) {
        refused = failure instanceof RecordTooLargeException;
    }

    /** Whether there is no use in telling it again. */
    boolean isInVain(long patienceNs) {
        return refused || System.nanoTime() - madeNs > patienceNs;
    }

    /** It is in Kafka, for good. */
    void told(Stage stage) {
        written.run();
        count(stage, "");
    }

    /** It will not be told by this process. */
    void untold(Stage stage, String why) {
        count(stage, why);
    }

    private void count(Stage stage, String why) {
        if (message.isSettled()) {
            return; // of no query
        }
        synchronized (stage) {
            stage.offered().add(1);
            switch (why) {
                case "" -> stage.processed().add(1);
                case LOST -> stage.lost(why).add(1);
                default -> stage.excluded(why).add(1);
            }
        }
    }
}
