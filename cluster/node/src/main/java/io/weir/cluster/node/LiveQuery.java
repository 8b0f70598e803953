package io.weir.cluster.node;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A query of the catalogue that runs in a shared engine: gives its rows to all who subscribe, and
 * keeps its last window for SELECT. The results thread calls {@link #rows}; any thread the rest.
 */
final class LiveQuery implements RowSink, AutoCloseable {
    private static final long MOST_BYTES = 1L << 30;

    private final Query query;
    private final NativeAllocator allocator = new NativeAllocator(MOST_BYTES);
    private final List<LiveRows> subscribers = new CopyOnWriteArrayList<>();

    // Under this object's monitor.
    private RowBatch last;
    private boolean ended;
    private RuntimeException failure;

    LiveQuery(Query query) {
        this.query = query;
    }

    Query query() {
        return query;
    }

    @Override
    public void rows(RowBatch batch) {
        if (!query.isTable()) {
            keep(batch);
        }
        subscribers.forEach(rows -> rows.rows(batch));
    }

    /** All rows of a table, after a change. */
    void table(RowBatch batch) {
        keep(batch);
    }

    private synchronized void keep(RowBatch batch) {
        if (ended) {
            return;
        }
        try {
            RowBatch copy = batch.copy(allocator);
            free();
            last = copy;
            notifyAll();
        } catch (WeirException noMemory) {
            end(noMemory);
        }
    }

    private void free() {
        if (last != null) {
            last.close();
            last = null;
        }
    }

    /** Gives it all rows from now on, and its end. */
    synchronized void subscribe(LiveRows rows) {
        if (ended) {
            rows.end(failure);
        } else {
            subscribers.add(rows);
        }
    }

    void leave(LiveRows rows) {
        subscribers.remove(rows);
    }

    synchronized boolean isEnded() {
        return ended;
    }

    /** No row comes any more; a failure says why. */
    synchronized void end(RuntimeException failureOrNull) {
        if (!ended) {
            ended = true;
            failure = failureOrNull;
            subscribers.forEach(rows -> rows.end(failureOrNull));
            subscribers.clear();
            notifyAll();
        }
    }

    /**
     * Passes the last window through a select. Waits for the first window, or the end.
     *
     * @param stopped whether nobody wants it any more
     */
    synchronized void select(CompiledQuery select, RowSink sink, LiveRows stopped) {
        while (last == null && !ended && !stopped.isStopped()) {
            try {
                wait(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        if (failure != null) {
            throw failure;
        }
        try (LastWindow window = new LastWindow(select)) {
            if (last != null) {
                window.rows(last);
            }
            if (!stopped.isStopped()) {
                window.select(sink);
            }
        }
    }

    @Override
    public synchronized void close() {
        end(null);
        free();
        allocator.close();
    }
}
