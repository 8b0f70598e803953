package io.weir.operators.pipeline;

import io.weir.operators.ring.ThreadEnd;
import java.util.function.Consumer;
import org.agrona.concurrent.IdleStrategy;

/**
 * A thread that polls one pipeline until its last block, {@link #close}, or a failure, which it
 * hands on.
 */
public final class PipelineThread implements AutoCloseable {
    private static final int BLOCKS_A_POLL = 4;

    private final Pipeline pipeline;
    private final IdleStrategy idle;
    private final Runnable onStart;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;
    private volatile boolean stopped;

    /**
     * @param idle how it waits while the ring is empty; its own
     * @param onStart called on this thread before anything else
     * @param onFailure called on this thread before it ends
     */
    public PipelineThread(
            String name,
            Pipeline pipeline,
            IdleStrategy idle,
            Runnable onStart,
            Consumer<Throwable> onFailure) {
        this.onStart = onStart;
        this.pipeline = pipeline;
        this.idle = idle;
        this.onFailure = onFailure;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Waits until the pipeline has ended or failed. */
    public void join() throws InterruptedException {
        thread.join();
    }

    /** Stops between two polls and waits for that. Blocks in the ring stay there. */
    @Override
    public void close() {
        stopped = true;
        ThreadEnd.await(thread);
    }

    private void run() {
        try {
            onStart.run();
            while (!stopped && !pipeline.isEnded()) {
                idle.idle(pipeline.poll(BLOCKS_A_POLL));
            }
        } catch (Throwable failure) {
            onFailure.accept(failure);
        }
    }
}
