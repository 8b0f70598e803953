package io.weir.cluster.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Rows between the thread that runs a query and those that fetch for its client. Bounded: when it
 * is full the producer waits, and with it the replay behind. Thread-safe.
 */
final class RowQueue {
    private final int capacityRows;
    private final Deque<Object[]> rows = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition changed = lock.newCondition();
    private boolean ended;
    private boolean closed;
    private RuntimeException failure;

    /**
     * The result of a fetch.
     *
     * @param done no row will follow
     */
    record Fetched(List<Object> rows, boolean done) {}

    RowQueue(int capacityRows) {
        this.capacityRows = capacityRows;
    }

    /** Adds a row, and waits for room. Returns false when nobody wants rows any more. */
    boolean put(Object[] row) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (rows.size() == capacityRows && !closed) {
                notFull.await();
            }
            if (closed) {
                return false;
            }
            rows.add(row);
            changed.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the rows. {@code failure} is the reason if it is not the end of the input. */
    void end(RuntimeException failureOrNull) {
        lock.lock();
        try {
            ended = true;
            failure = failureOrNull;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Drops the rows and releases all waiting threads. */
    void close() {
        lock.lock();
        try {
            closed = true;
            rows.clear();
            notFull.signalAll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the present rows, at most {@code limit}, and waits for the first. It is empty and not
     * done when the time is over. Throws the producer's failure once its rows are taken.
     */
    Fetched take(int limit, long timeoutNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long restNs = timeoutNs;
            while (rows.isEmpty() && !ended && !closed && restNs > 0) {
                restNs = changed.awaitNanos(restNs);
            }
            List<Object> taken = new ArrayList<>(Math.min(limit, rows.size()));
            while (taken.size() < limit && !rows.isEmpty()) {
                taken.add(rows.remove());
            }
            notFull.signal();
            if (taken.isEmpty() && ended && failure != null) {
                throw failure;
            }
            boolean last = rows.isEmpty() && (closed || ended && failure == null);
            return new Fetched(taken, last);
        } finally {
            lock.unlock();
        }
    }
}
