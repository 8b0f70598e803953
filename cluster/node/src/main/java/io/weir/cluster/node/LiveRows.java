package io.weir.cluster.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Rows of a shared engine on their way to one statement. The engine's results thread copies them
 * in; the statement's thread passes them on. Bounded by {@link #MOST_BYTES}. If more rows wait and
 * packets can wait, the engine waits for the statement. Else the statement ends with an error, and
 * the others go on.
 */
final class LiveRows implements RowSink {
    static final long MOST_BYTES = 64L << 20;

    private final boolean waits;
    private final NativeAllocator allocator = new NativeAllocator(2 * MOST_BYTES);
    private final Queue<RowBatch> batches = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long bytes;
    private boolean ended;
    private boolean stopped;
    private RuntimeException failure;

    /**
     * @param waits whether the engine waits for room
     */
    LiveRows(boolean waits) {
        this.waits = waits;
    }

    @Override
    public void rows(RowBatch batch) {
        lock.lock();
        try {
            while (waits && bytes > MOST_BYTES && !stopped) {
                changed.awaitUninterruptibly();
            }
            if (!ended && !stopped) {
                add(batch);
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(RowBatch batch) {
        if (bytes > MOST_BYTES) {
            end(
                    new WeirException(
                            ErrorCode.BUDGET_EXCEEDED,
                            "rows come faster than this client reads them",
                            "read faster, or ask for fewer rows"));
            return;
        }
        try {
            RowBatch copy = batch.copy(allocator);
            bytes += copy.bytes();
            batches.add(copy);
            changed.signalAll();
        } catch (WeirException noMemory) {
            end(noMemory);
        }
    }

    /** No row follows. A failure is thrown after the last row. */
    void end(RuntimeException failureOrNull) {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                failure = failureOrNull;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nobody wants rows any more. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /** Passes rows on until their end or {@link #stop}. The statement's thread, once. */
    void passTo(RowSink sink) {
        RowBatch next = next();
        while (next != null) {
            try (RowBatch batch = next) {
                sink.rows(batch);
            }
            next = next();
        }
        lock.lock();
        try {
            if (failure != null && !stopped) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Null at the end. */
    private RowBatch next() {
        lock.lock();
        try {
            while (batches.isEmpty() && !ended && !stopped) {
                changed.awaitUninterruptibly();
            }
            RowBatch next = stopped ? null : batches.poll();
            if (next != null) {
                bytes -= next.bytes();
                changed.signalAll();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Frees what waits; the engine gives no more rows. */
    void free() {
        stop();
        lock.lock();
        try {
            batches.forEach(RowBatch::close);
            batches.clear();
            allocator.close();
        } finally {
            lock.unlock();
        }
    }
}
