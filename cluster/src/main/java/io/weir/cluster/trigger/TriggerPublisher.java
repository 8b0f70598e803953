package io.weir.cluster.trigger;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.operators.account.Stage;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Triggers on their way to {@code weir.triggers}, by a plain idempotent producer: in milliseconds,
 * not the hundred of a transaction. What is sent again after a failure changes nothing at its
 * reader. While Kafka is away they wait in memory, for a day at most. Who tells keeps what is not
 * written when the process ends, for who goes on. Thread-safe; no call waits for Kafka, which a
 * thread of its own does.
 */
public final class TriggerPublisher implements Triggers, TriggerWriter, AutoCloseable {
    private static final int REQUEST_MS = 30_000;

    /** So many wait to be handed to the producer, which holds some 100,000 more. */
    private static final int MOST_WAITING = 65_536;

    /** In all: one that could not be told in so long is lost, and counted. */
    private static final Duration PATIENCE = Duration.ofDays(1);

    /** At the end, for what waits for the producer, and for what waits in it. */
    private static final Duration HAND_OVER = Duration.ofSeconds(1);

    private static final Duration LAST = Duration.ofSeconds(5);
    private static final String LOST = "not_told";

    /** By who tells: who goes on tells them again. */
    private static final String KEPT = "kept";

    private final String by;
    private final Stage told;
    private final KafkaProducer<byte[], byte[]> producer;
    private volatile boolean closing;
    private final ExecutorService sender =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(MOST_WAITING),
                    TriggerPublisher::thread);

    /**
     * @param by who sends, for people
     * @param told counts wakes and ends
     */
    public TriggerPublisher(KafkaSettings settings, String by, Stage told) {
        this(settings, by, told, PATIENCE);
    }

    TriggerPublisher(KafkaSettings settings, String by, Stage told, Duration kept) {
        this.by = by;
        this.told = told;
        told.lost(LOST).add(0);
        var config = settings.client("weir-triggers-" + by);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, kept.toMillis());
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) kept.toMillis());
        config.put(
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                (int) Math.min(REQUEST_MS, kept.toMillis()));
        // What is known of the topic is not forgotten while nothing is sent: Kafka may be away
        // then.
        config.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, PATIENCE.toMillis());
        producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        // The first record must not wait for what the producer has to ask first.
        sender.execute(this::ask);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "weir-triggers");
        thread.setDaemon(true);
        return thread;
    }

    private void ask() {
        try {
            producer.partitionsFor(Topics.TRIGGERS);
        } catch (KafkaException away) {
            // Then it asks with the first record.
        }
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs) {
        wake(query, version, fromNs, untilNs, () -> {});
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs) {
        until(query, version, fromNs, untilNs, () -> {});
    }

    @Override
    public void wake(String query, long version, long fromNs, long untilNs, Runnable written) {
        publish(TriggerMessage.wake(by, query, version, fromNs, untilNs), written);
    }

    @Override
    public void until(String query, long version, long fromNs, long untilNs, Runnable written) {
        publish(TriggerMessage.until(by, query, version, fromNs, untilNs), written);
    }

    @Override
    public void settled(long settledNs) {
        send(TriggerMessage.settled(by, settledNs), gone -> {});
    }

    /**
     * @param written run once it is in Kafka
     */
    public void publish(TriggerMessage message, Runnable written) {
        send(message, isThere -> told(isThere, written));
    }

    /**
     * @param done told whether it is in Kafka, once
     */
    private void send(TriggerMessage message, Consumer<Boolean> done) {
        Telling telling =
                new Telling(
                        producer,
                        new ProducerRecord<>(Topics.TRIGGERS, 0, message.key(), message.value()),
                        done);
        try {
            sender.execute(telling);
        } catch (RejectedExecutionException full) {
            done.accept(false);
        }
    }

    /** One record on its way to the producer. */
    private record Telling(
            KafkaProducer<byte[], byte[]> producer,
            ProducerRecord<byte[], byte[]> record,
            Consumer<Boolean> done)
            implements Runnable {
        @Override
        public void run() {
            try {
                var unused =
                        producer.send(record, (metadata, failure) -> done.accept(failure == null));
            } catch (KafkaException | IllegalStateException awayOrClosed) {
                done.accept(false);
            }
        }
    }

    /** By the thread that sends, or the producer's own. */
    private void told(boolean isThere, Runnable written) {
        if (isThere) {
            written.run();
        }
        synchronized (told) {
            told.offered().add(1);
            if (isThere) {
                told.processed().add(1);
            } else {
                (closing ? told.excluded(KEPT) : told.lost(LOST)).add(1);
            }
        }
    }

    /** What has not come to Kafka soon is for who goes on, and counted. */
    @Override
    public void close() {
        closing = true;
        sender.shutdown();
        boolean interrupted = !awaitSender();
        for (Runnable left : sender.shutdownNow()) {
            if (left instanceof Telling telling) {
                telling.done().accept(false);
            }
        }
        producer.close(LAST);
        // The one that it was waiting with is told of as well.
        interrupted |= !awaitSender();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** False where the caller's thread was interrupted. */
    private boolean awaitSender() {
        try {
            var unused = sender.awaitTermination(HAND_OVER.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
