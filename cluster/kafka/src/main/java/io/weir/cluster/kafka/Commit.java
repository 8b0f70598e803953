package io.weir.cluster.kafka;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Commits a transaction with all records that were sent in it. Kafka's client (4.3.1) may leave
 * some out. Its sender checks for waiting records and then takes up the commit (Sender.java,
 * maybeSendAndPollTransactionalRequest). It misses records sent between the two, since with
 * transactions of version 2 no request comes before the commit. Once the last record is
 * acknowledged, the sender has seen all earlier ones.
 */
public final class Commit {
    private Commit() {}

    /**
     * Throws what {@link Producer#commitTransaction} does, and Kafka's time-out.
     *
     * @param last the last record sent
     * @param mostMs the longest wait for it
     */
    public static void of(Producer<?, ?> producer, Future<RecordMetadata> last, long mostMs) {
        try {
            var unused = last.get(mostMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            // The commit throws the real cause, which may concern another record.
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer to the last record", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        producer.commitTransaction();
    }
}
