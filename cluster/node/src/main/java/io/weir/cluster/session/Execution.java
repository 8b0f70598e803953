package io.weir.cluster.session;

import io.weir.cluster.node.RowProducer;
import io.weir.cluster.sink.JdbcValues;
import io.weir.cluster.sink.OutputClosed;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.io.IOException;
import java.util.List;

/**
 * A query that runs for one statement. A thread of its own produces rows, fetches take them. A
 * fetch that is repeated (its answer was lost on the way) gets the same rows again.
 */
public final class Execution implements AutoCloseable {
    /** Rows that wait for a fetch. A producer that is further ahead waits. */
    private static final int QUEUE_ROWS = 4096;

    private final RowProducer producer;
    private final RowQueue queue = new RowQueue(QUEUE_ROWS);
    private final Thread thread;
    private long restRows;
    private long nextOffset;
    private Fetched last = new Fetched(0, true, List.of());

    /** Rows from {@code offset} on. A row has Long, Double, Boolean, String or null. */
    public record Fetched(long offset, boolean done, List<Object> rows) {}

    /**
     * @param maxRows after which the result ends; negative for no limit
     */
    Execution(String name, RowProducer producer, long maxRows) {
        this.producer = producer;
        this.restRows = maxRows < 0 ? Long.MAX_VALUE : maxRows;
        this.thread = new Thread(this::produce, name);
        thread.setDaemon(true);
    }

    Execution start() {
        thread.start();
        return this;
    }

    /**
     * Takes at most {@code limit} rows, waiting up to {@code timeoutNs} for the first.
     *
     * @param offset of the first row wanted: that of the row after the last fetch, or of the last
     *     fetch again
     */
    public synchronized Fetched fetch(long offset, int limit, long timeoutNs)
            throws InterruptedException {
        if (offset != nextOffset) {
            if (offset == last.offset()) {
                return last;
            }
            throw new IllegalArgumentException("row " + offset + " is gone");
        }
        RowQueue.Fetched taken = queue.take((int) Math.min(limit, restRows), timeoutNs);
        nextOffset += taken.rows().size();
        restRows -= taken.rows().size();
        boolean done = taken.done() || restRows == 0;
        if (done) {
            close();
        }
        last = new Fetched(offset, done, taken.rows());
        return last;
    }

    private void produce() {
        try {
            producer.produce(new QueueSink(queue));
            queue.end(null);
        } catch (OutputClosed e) {
            queue.end(null); // nobody wants the rows any more
        } catch (RuntimeException e) {
            queue.end(e);
        } catch (Error e) {
            queue.end(new IllegalStateException(e));
        }
    }

    /** Stops the producer; does not wait for it. */
    @Override
    public void close() {
        queue.close();
        producer.stop();
    }

    /** Waits for the producer's end, which follows a close. For orderly shutdown and tests. */
    boolean awaitEnd(long timeoutMs) throws InterruptedException {
        thread.join(timeoutMs);
        return !thread.isAlive();
    }

    boolean isRunning() {
        return thread.isAlive();
    }

    private static final class QueueSink implements RowSink {
        private final RowQueue queue;
        private final JdbcValues values = new JdbcValues();

        QueueSink(RowQueue queue) {
            this.queue = queue;
        }

        @Override
        public void rows(RowBatch batch) {
            try {
                for (int row = 0; row < batch.rows(); row++) {
                    if (!queue.put(values.row(batch, row))) {
                        throw new OutputClosed(new IOException("stream closed"));
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new OutputClosed(new IOException("stream closed", e));
            }
        }
    }
}
