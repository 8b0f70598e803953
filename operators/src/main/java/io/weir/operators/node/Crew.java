package io.weir.operators.node;

import io.weir.operators.ring.Backpressure;

/** Who runs the pipelines and the results: threads of their own, or the reader's. */
interface Crew extends AutoCloseable {
    /** How pipeline {@code p} hands over its windows. */
    Handover handover(int p);

    /** What the writer of pipeline {@code p} does while its ring is full. */
    Backpressure backpressure(int p);

    /**
     * How a pipeline's thread waits until the results have done all that they can; null where they
     * have before its next block.
     */
    Runnable resultsTurn();

    void start();

    /** Reader: returns when all that writers have published is done with; throws on a failure. */
    void drain();

    /** Reader, after its writers' end: returns after the last rows; throws on a failure. */
    void awaitEnd();

    /** Stops all threads, wherever they are. */
    @Override
    void close();
}
