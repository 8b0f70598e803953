package io.weir.cluster.kafka.audit;

import io.weir.cluster.audit.AuditEntry;
import io.weir.cluster.kafka.KafkaCalls;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.ThreadEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Notes of statements that do not wait for Kafka. A thread of its own writes them in order, several
 * at once. While Kafka is away they wait in memory, {@value #MOST} at most. A process that ends
 * meanwhile loses them. Any thread.
 */
final class WaitingNotes implements AutoCloseable {
    static final int MOST = 10_000;

    private static final int MOST_AT_ONCE = 100;
    private static final long IDLE_MS = 100;
    private static final long AGAIN_MS = 250;

    private final Consumer<List<AuditEntry>> out;
    private final Duration patience;
    private final BlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(MOST);
    private final Thread thread = new Thread(this::run, "weir-audit");
    private volatile boolean away;
    private volatile boolean closed;

    /**
     * @param out writes them, each at least once, or throws why none can be
     * @param patience how long a statement waits for its note
     */
    WaitingNotes(Consumer<List<AuditEntry>> out, Duration patience) {
        this.out = out;
        this.patience = patience;
        thread.setDaemon(true);
        thread.start();
    }

    private static final class Waiting {
        final AuditEntry entry;
        final CountDownLatch over = new CountDownLatch(1);
        volatile WeirException refused;

        Waiting(AuditEntry entry) {
            this.entry = entry;
        }
    }

    /** Returns whether Kafka was away at the last attempt. */
    boolean isAway() {
        return away;
    }

    /** Notes that an attempt to reach Kafka has failed. */
    void away() {
        away = true;
    }

    /**
     * Returns when the note is written, or waits in memory because Kafka is away.
     *
     * @throws WeirException if Kafka refuses it, or too many wait
     */
    void add(AuditEntry entry) {
        Waiting note = new Waiting(entry);
        if (!queue.offer(note)) {
            throw new WeirException(
                    ErrorCode.KAFKA_UNAVAILABLE,
                    "the statement cannot be noted: " + MOST + " notes wait for Kafka",
                    "no statement runs without a note");
        }
        try {
            if (!away && !note.over.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                away = true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (note.refused != null) {
            throw note.refused;
        }
    }

    private void run() {
        List<Waiting> batch = new ArrayList<>();
        try {
            while (!closed || !batch.isEmpty() || !queue.isEmpty()) {
                if (batch.isEmpty()) {
                    take(batch);
                } else if (!isOver(batch)) {
                    Thread.sleep(AGAIN_MS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(List<Waiting> batch) throws InterruptedException {
        Waiting first = queue.poll(IDLE_MS, TimeUnit.MILLISECONDS);
        if (first != null) {
            batch.add(first);
            queue.drainTo(batch, MOST_AT_ONCE - 1);
        }
    }

    /** Returns whether they were written, or refused. Otherwise they are tried again. */
    private boolean isOver(List<Waiting> batch) {
        WeirException refused = null;
        try {
            out.accept(batch.stream().map(note -> note.entry).toList());
        } catch (WeirException e) {
            if (KafkaCalls.isAway(e)) {
                away = true;
                return false;
            }
            refused = e;
        }
        away = false;
        for (Iterator<Waiting> each = batch.iterator(); each.hasNext(); ) {
            Waiting note = each.next();
            note.refused = refused;
            note.over.countDown();
            each.remove();
        }
        return true;
    }

    /** Waiting notes get a short time. */
    @Override
    public void close() {
        closed = true;
        if (!ThreadEnd.awaitAtMost(thread, patience)) {
            thread.interrupt();
            ThreadEnd.await(thread, patience);
        }
    }
}
