package io.weir.operators.node;

import io.weir.operators.ring.Backpressure;
import io.weir.operators.ring.OwnPipelines;

/** Runs the pipelines and the results, on threads of their own or on the reader's. */
interface PipelineRunner extends AutoCloseable {
    /** Returns how pipeline {@code p} hands over its windows. */
    WindowHandover handover(int p);

    /** Returns how the writer of pipeline {@code p} waits while its ring is full. */
    Backpressure backpressure(int p);

    /**
     * Returns how a pipeline's thread waits until the results have done all that they can. It is
     * null if the results run before the pipeline's next block anyway.
     */
    Runnable resultsTurn();

    void start();

    /** Starts a pipeline that was added to the rings. */
    void start(int p);

    /**
     * Reader, between two steps of its source: runs the pipeline over the blocks that the step has
     * published, if the reader's thread runs the pipeline. Throws on a failure.
     */
    void poll();

    /** Returns some pipelines, for the reader that writes to their rings. */
    OwnPipelines own(int first, int count);

    /**
     * Reader: returns when all published blocks are processed; throws on a failure. It does not
     * wait for pipelines that other readers run.
     */
    void drain();

    /** Reader, after its writers' end: returns after the last rows; throws on a failure. */
    void awaitEnd();

    /** Returns the error of a reader that has filled the ring which it must empty itself. */
    static IllegalStateException tooLargeStep() {
        return new IllegalStateException(
                "the ring is full, and the reader has not polled since it was empty");
    }

    /** Stops all threads at any point. */
    @Override
    void close();
}
