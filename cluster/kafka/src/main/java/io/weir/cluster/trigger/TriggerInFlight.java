package io.weir.cluster.trigger;

import io.weir.cluster.kafka.Topics;
import io.weir.operators.account.Stage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;

/** A trigger on its way to Kafka, until its outcome is known: written or not, once. */
final class TriggerInFlight {
    static final String LOST = "not_told";

    /** The sender has stored it, and its successor sends it again. */
    static final String KEPT = "kept";

    /** The new owner of the place publishes what its own rows fire. */
    static final String REPLACED = "replaced";

    private final TriggerMessage message;
    private final Runnable written;
    private final long madeNs;

    /** Set by the producer's thread, before the transaction fails because of it. */
    private volatile boolean refused;

    /**
     * @param madeNs by the clock of {@link #isInVain}
     * @param written runs once it is in Kafka
     */
    TriggerInFlight(TriggerMessage message, long madeNs, Runnable written) {
        this.message = message;
        this.madeNs = madeNs;
        this.written = written;
    }

    ProducerRecord<byte[], byte[]> toRecord() {
        return record(message);
    }

    static ProducerRecord<byte[], byte[]> record(TriggerMessage message) {
        return new ProducerRecord<>(Topics.TRIGGERS, 0, message.key(), message.value());
    }

    /** Takes Kafka's answer for the record; null: it is there. */
    void sent(Exception failure) {
        refused = failure instanceof RecordTooLargeException;
    }

    /** Returns whether another attempt is useless. */
    boolean isInVain(long nowNs, long patienceNs) {
        return refused || nowNs - madeNs > patienceNs;
    }

    /** Notes that it is in Kafka, for good. */
    void told(Stage stage) {
        written.run();
        count(stage, "");
    }

    /** Notes that this process will not write it. */
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
