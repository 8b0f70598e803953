package io.weir.cluster.kafka;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Ends a transaction with all that was sent in it. Kafka's client (4.3.1) by itself may not: its
 * sender looks whether records wait, and takes up the commit after that (Sender.java,
 * maybeSendAndPollTransactionalRequest); what was sent in between is left over, since with
 * transactions of version 2 no request comes before the commit. A record that is there shows that
 * the sender has come round since: it sees all that was sent before it.
 */
public final class Commit {
    private Commit() {}

    /**
     * Throws what {@link Producer#commitTransaction} does, and Kafka's time-out.
     *
     * @param last what was sent last
     * @param mostMs how long that is waited for
     */
    public static void of(Producer<?, ?> producer, Future<RecordMetadata> last, long mostMs) {
        try {
            var unused = last.get(mostMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            // The commit says what is the matter, which may be another record's.
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer to what was sent", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
        producer.commitTransaction();
    }
}
