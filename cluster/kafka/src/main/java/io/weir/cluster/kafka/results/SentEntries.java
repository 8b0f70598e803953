package io.weir.cluster.kafka.results;

import io.weir.cluster.kafka.Topics;
import io.weir.cluster.outbox.Outbox;
import io.weir.operators.account.Stage;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Counts the outcome of an outbox' entries in its stage. Entries left by an earlier process are
 * offered again as this one passes them. The sender's thread; {@link #leftTriggers} is for any.
 */
final class SentEntries {
    /** Reason: they had to make room. */
    private static final String DROPPED = "outbox_full";

    /** Reason: their writer was killed before the last entry of their group. */
    private static final String CUT = "cut";

    private static final String LEFT_BEHIND = "left_behind";

    /** Reason: Kafka will never take them. */
    private static final String REFUSED = "refused_by_kafka";

    /** Reason: they are no rows. */
    private static final String TRIGGERS = "triggers";

    private final Outbox outbox;
    private final Stage stage;
    private volatile long leftTriggers;

    SentEntries(Outbox outbox) {
        this.outbox = outbox;
        this.stage = outbox.stage();
    }

    /** The content of a transaction: all entries from a number on and before another. */
    final class Batch {
        private final long from;
        private final long next;
        private long entries;
        private long rows;
        private long triggers;
        private long refused;
        private long leftHere;

        private Batch(long from, long next) {
            this.from = from;
            this.next = next;
        }

        /**
         * Counts an entry.
         *
         * @param record empty if it could not be read
         */
        void add(long number, Optional<ProducerRecord<byte[], byte[]>> record) {
            entries++;
            if (record.isEmpty()) {
                return;
            } else if (!record.get().topic().equals(Topics.TRIGGERS)) {
                rows++;
                return;
            }
            triggers++;
            leftHere += number < outbox.opened() ? 1 : 0;
        }

        /** Counts an entry that is not sent. */
        void refused() {
            entries++;
            refused++;
        }

        long next() {
            return next;
        }
    }

    Batch batch(long from, long next) {
        return new Batch(from, next);
    }

    /** Notes that the transaction was committed. */
    void sent(Batch batch) {
        offerAgain(batch.from, batch.next);
        long left = leftTriggers;
        leftTriggers = left + batch.leftHere;
        stage.processed().add(batch.rows);
        if (batch.triggers > 0) {
            stage.excluded(TRIGGERS).add(batch.triggers);
        }
        if (batch.refused > 0) {
            stage.lost(REFUSED).add(batch.refused);
        }
        stage.lost("unreadable").add(batch.entries - batch.rows - batch.triggers - batch.refused);
        long gone = batch.next - batch.from - batch.entries;
        long cutOff = outbox.cutOff(batch.from, batch.next);
        stage.lost(CUT).add(cutOff);
        stage.lost(DROPPED).add(gone - cutOff);
    }

    /**
     * Counts the entries of an earlier process that are not sent, because another outbox has been
     * used since.
     */
    void leftBehind(long from, long next) {
        offerAgain(from, next);
        stage.lost(LEFT_BEHIND).add(next - from);
    }

    /**
     * Notes that the process ends. The next one reports cut entries, and those that it sends.
     *
     * @param first number of the first entry that exists
     */
    void left(long from, long first) {
        offerAgain(from, outbox.next());
        long dropped = first - from - outbox.cutOff(from, first);
        stage.lost(DROPPED).add(dropped);
        stage.excluded("kept_on_disk").add(outbox.next() - from - dropped);
    }

    private void offerAgain(long from, long to) {
        outbox.offerAgain(Math.max(0, Math.min(to, outbox.opened()) - from));
    }

    long leftTriggers() {
        return leftTriggers;
    }
}
