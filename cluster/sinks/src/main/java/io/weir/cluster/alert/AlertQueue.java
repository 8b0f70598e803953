package io.weir.cluster.alert;

import io.weir.operators.account.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Alerts that wait to be sent, bounded. The oldest are removed first, and counted, because new ones
 * matter more. Any thread.
 */
final class AlertQueue {
    private final int bound;
    private final Stage rows;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final ArrayDeque<String> waiting = new ArrayDeque<>();
    private int taken;

    AlertQueue(int bound, Stage rows) {
        this.bound = bound;
        this.rows = rows;
    }

    void put(String alert) {
        lock.lock();
        try {
            rows.offered().add(1);
            if (waiting.size() == bound) {
                waiting.removeFirst();
                rows.lost("queue_full").add(1);
            }
            waiting.addLast(alert);
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Returns up to so many, the oldest first; empty if none comes in time. */
    List<String> take(int most, long waitMs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = TimeUnit.MILLISECONDS.toNanos(waitMs);
            while (waiting.isEmpty() && leftNs > 0) {
                leftNs = news.awaitNanos(leftNs);
            }
            List<String> some = new ArrayList<>();
            while (some.size() < most && !waiting.isEmpty()) {
                some.add(waiting.removeFirst());
            }
            taken = some.size();
            return some;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets the outcome of the last alerts taken: null for sent, otherwise the reason for their
     * loss.
     */
    void settle(String reason) {
        lock.lock();
        try {
            (reason == null ? rows.processed() : rows.lost(reason)).add(taken);
            taken = 0;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return waiting.isEmpty() && taken == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Gives up the waiting alerts. */
    void abandon() {
        lock.lock();
        try {
            rows.lost("unreachable").add(waiting.size() + taken);
            waiting.clear();
            taken = 0;
        } finally {
            lock.unlock();
        }
    }
}
