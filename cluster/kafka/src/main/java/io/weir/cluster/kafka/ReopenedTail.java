package io.weir.cluster.kafka;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A tail that opens again, after a pause, when it has ended. The cause may be mended meanwhile, for
 * example rights that were taken away by mistake. Each time it begins at its start position. Any
 * thread.
 */
public final class ReopenedTail implements AutoCloseable {
    private static final long REOPEN_MS = 2_000;

    private final KafkaSettings settings;
    private final String clientId;
    private final String topic;
    private final TopicTail.Start start;
    private final Reader reader;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile TopicTail tail;
    private volatile String trouble = "";

    /** The tail's threads call it, one at a time. */
    @FunctionalInterface
    public interface Reader {
        /**
         * @param records in order; none if there was nothing new
         * @param position offset of the next one
         */
        void read(List<ConsumerRecord<byte[], byte[]>> records, long position);

        /**
         * Is told why nothing is read, once for each reason in a row. An empty text says that
         * records are read again.
         */
        default void troubled(String why) {}
    }

    public ReopenedTail(
            KafkaSettings settings,
            String clientId,
            String topic,
            TopicTail.Start start,
            Reader reader) {
        this.settings = settings;
        this.clientId = clientId;
        this.topic = topic;
        this.start = start;
        this.reader = reader;
        this.tail = tail();
    }

    private TopicTail tail() {
        return new TopicTail(settings, clientId, topic, start, new Reading());
    }

    public ReopenedTail start() {
        tail.start();
        return this;
    }

    /** Returns the reason why nothing is read; empty if records are read. */
    public String trouble() {
        return trouble;
    }

    /** Returns how long Kafka has not answered. */
    public long silentMs() {
        return tail.silentMs();
    }

    private void tell(String now) {
        if (!now.equals(trouble)) {
            trouble = now;
            reader.troubled(now);
        }
    }

    private void open() {
        tail = tail().start();
        if (closing.getCount() == 0) {
            tail.close();
        }
    }

    private final class Reading implements TopicTail.Reader {
        @Override
        public void read(List<ConsumerRecord<byte[], byte[]>> records, long position) {
            if (!records.isEmpty()) { // an empty poll may have come before the refusal
                tell("");
            }
            reader.read(records, position);
        }

        @Override
        public void failed(WeirException failure) {
            tell(failure.getMessage());
            try {
                if (!closing.await(REOPEN_MS, MILLISECONDS)) {
                    open();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends it soon. Idempotent. */
    @Override
    public void close() {
        closing.countDown();
        tail.close();
    }
}
