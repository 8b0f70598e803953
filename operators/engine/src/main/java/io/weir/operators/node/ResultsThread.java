package io.weir.operators.node;

import io.weir.operators.ring.ThreadEnd;
import org.agrona.concurrent.IdleStrategy;

/** The thread that makes rows of windows, tests conditions and feeds sinks. */
final class ResultsThread implements AutoCloseable {
    private final ResultLoop results;
    private final IdleStrategy idle;
    private final Failure failure;
    private final Thread thread;
    private volatile boolean stopped;

    ResultsThread(ResultLoop results, IdleStrategy idle, Failure failure) {
        this.results = results;
        this.idle = idle;
        this.failure = failure;
        thread = new Thread(this::run, "results");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!stopped && !results.isEnded()) {
                idle.idle(results.turnUntilAwaited() ? 1 : 0);
            }
        } catch (Throwable broken) {
            failure.set(broken);
        }
    }

    /** Stops between two turns, and waits for that. */
    @Override
    public void close() {
        stopped = true;
        ThreadEnd.await(thread);
    }
}
