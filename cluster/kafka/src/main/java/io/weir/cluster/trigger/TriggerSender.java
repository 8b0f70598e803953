package io.weir.cluster.trigger;

import io.weir.cluster.kafka.Commit;
import io.weir.cluster.kafka.results.SenderPlace;
import io.weir.cluster.kafka.results.SenderReplacedException;
import io.weir.operators.account.Stage;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Writes triggers in transactions, one for all that wait. Brokers accept none from a process that
 * has lost its place. A transaction's first record takes some milliseconds longer, until brokers
 * know the transaction. So the next one is begun early, by a record without effect. A thread of its
 * own; {@link #send} is for any, and never waits.
 */
final class TriggerSender implements AutoCloseable {
    private static final int MOST_WAITING = 65_536;
    private static final int MOST_AT_ONCE = 1_000;

    /** The time-out of a transaction without triggers. A new one is begun long before. */
    private static final int TRANSACTION_TIMEOUT_MS = 60_000;

    private static final long RENEW_NS = Duration.ofSeconds(20).toNanos();
    private static final int MAX_BLOCK_MS = 5_000;
    private static final long RETRY_BACKOFF_MS = 2;
    private static final long IDLE_MS = 100;
    private static final long RETRY_MS = 250;

    /** A process without the right to write may get it later. */
    private static final long FORBIDDEN_MS = 10_000;

    /**
     * The time at the end for waiting triggers. If Kafka does not answer, the successor sends them.
     */
    private static final Duration LAST = Duration.ofSeconds(5);

    private static final Duration LAST_AWAY = Duration.ofSeconds(1);

    private final SenderPlace place;
    private final TriggerMessage ready;
    private final Stage told;
    private final Listener listener;
    private final Duration patience;
    private final BlockingQueue<TriggerInFlight> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Clock clock;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch known = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "weir-triggers");
    private volatile Deadline end = Deadline.afterMs(0);
    private boolean ended;
    private volatile boolean replaced;

    /** The thread's own: the triggers on their way now. */
    private final List<TriggerInFlight> batch = new ArrayList<>();

    /** The thread's own: the last record; whether and when a transaction was begun. */
    private Future<RecordMetadata> last;

    private boolean begun;
    private long begunNs;

    /** Only the thread writes it, others read it; null while there is none. */
    private volatile KafkaProducer<byte[], byte[]> producer;

    /** The sender's thread calls it. */
    interface Listener {
        /** Another process has the place; this one sends nothing more. */
        void replaced();

        /** This process may not write there for now. */
        void forbidden(KafkaException why);

        /** It may write again. */
        void allowed();
    }

    /**
     * @param by the sender, for people
     * @param told counts the outcomes
     * @param patience a trigger that takes longer is lost, and counted
     */
    TriggerSender(SenderPlace place, String by, Stage told, Listener listener, Duration patience) {
        this.place = place;
        this.clock = place.clock();
        ready = TriggerMessage.ready(clock, by);
        this.told = told;
        this.listener = listener;
        this.patience = patience;
        thread.setDaemon(true);
    }

    TriggerSender start() {
        thread.start();
        return this;
    }

    void send(TriggerInFlight telling) {
        if (!offer(telling)) {
            untold(telling);
        }
    }

    private synchronized boolean offer(TriggerInFlight telling) {
        return !ended && waiting.offer(telling);
    }

    private synchronized void end() {
        ended = true;
    }

    /**
     * Waits until it is known whether this process has the place. Returns false if it is not known
     * in time.
     */
    boolean awaitPlace(long timeoutMs) throws InterruptedException {
        return known.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            while (!isDone()) {
                tryToTell();
            }
        } catch (SenderReplacedException e) {
            replaced = true;
            listener.replaced();
        } finally {
            known.countDown();
            discard();
            end();
            waiting.drainTo(batch);
            batch.forEach(this::untold);
        }
    }

    private boolean isDone() {
        return closing.getCount() == 0 && (batch.isEmpty() && waiting.isEmpty() || end.isOver());
    }

    private void tryToTell() throws SenderReplacedException {
        try {
            if (producer == null) {
                producer = open();
                known.countDown();
                listener.allowed();
            }
            if (!begun) {
                begin();
            }
            take();
            if (!batch.isEmpty() || clock.nanos() - begunNs > RENEW_NS) {
                commit();
            }
        } catch (AuthenticationException | AuthorizationException e) {
            known.countDown();
            listener.forbidden(e);
            again(telling -> true, FORBIDDEN_MS);
        } catch (KafkaException away) {
            again(telling -> telling.isInVain(clock.nanos(), patience.toNanos()), RETRY_MS);
        } catch (InterruptedException e) {
            end = Deadline.afterMs(0); // so the sender learns that it has waited long enough
        }
    }

    private KafkaProducer<byte[], byte[]> open() throws SenderReplacedException {
        return place.open(
                Map.of(
                        ProducerConfig.LINGER_MS_CONFIG,
                        0,
                        ProducerConfig.RETRY_BACKOFF_MS_CONFIG,
                        RETRY_BACKOFF_MS,
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        TRANSACTION_TIMEOUT_MS,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        blockMs(),
                        // Metadata of the topic is kept while nothing is sent. Otherwise the next
                        // wake would have to fetch it first.
                        ProducerConfig.METADATA_MAX_IDLE_CONFIG,
                        Duration.ofDays(1).toMillis()));
    }

    private int blockMs() {
        return (int) Math.min(MAX_BLOCK_MS, patience.toMillis());
    }

    private void take() throws InterruptedException {
        if (batch.isEmpty()) {
            TriggerInFlight first = waiting.poll(IDLE_MS, TimeUnit.MILLISECONDS);
            if (first != null) {
                batch.add(first);
                waiting.drainTo(batch, MOST_AT_ONCE - 1);
            }
        }
    }

    private void begin() {
        producer.beginTransaction();
        begun = true;
        begunNs = clock.nanos();
        last = producer.send(TriggerInFlight.record(ready));
    }

    /** Commits the transaction. Only a commit proves that all of it is there. */
    private void commit() {
        for (TriggerInFlight telling : batch) {
            last = producer.send(telling.toRecord(), (there, failure) -> telling.sent(failure));
        }
        Commit.of(producer, last, blockMs());
        begun = false;
        batch.forEach(telling -> telling.told(told));
        batch.clear();
    }

    /** Begins again after a pause, without triggers for which that is in vain. */
    private void again(Predicate<TriggerInFlight> isInVain, long pauseMs) {
        discard();
        if (batch.isEmpty()) {
            waiting.drainTo(batch, MOST_AT_ONCE);
        }
        List<TriggerInFlight> inVain = batch.stream().filter(isInVain).toList();
        batch.removeAll(inVain);
        inVain.forEach(this::untold);
        try {
            // At its end it tries at once, without further pauses.
            boolean ends = closing.await(pauseMs, TimeUnit.MILLISECONDS);
            Thread.sleep(ends ? IDLE_MS : 0);
        } catch (InterruptedException e) {
            end = Deadline.afterMs(0);
        }
    }

    private void untold(TriggerInFlight telling) {
        boolean ends = closing.getCount() == 0;
        telling.untold(
                told,
                replaced
                        ? TriggerInFlight.REPLACED
                        : ends ? TriggerInFlight.KEPT : TriggerInFlight.LOST);
    }

    private void discard() {
        if (producer != null) {
            // Closing a producer fails on an interrupted thread, and would leak it.
            boolean interrupted = Thread.interrupted();
            producer.close(Duration.ZERO);
            producer = null;
            begun = false;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Stops. Triggers that do not reach Kafka soon are left to the successor, and counted. */
    @Override
    public void close() {
        end = Deadline.after(producer == null ? LAST_AWAY : LAST, Clock.SYSTEM);
        closing.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join(RETRY_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (end.isOver()) {
                thread.interrupt();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
