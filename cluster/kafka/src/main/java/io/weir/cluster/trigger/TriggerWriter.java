package io.weir.cluster.trigger;

import io.weir.operators.when.WhenState;

/**
 * Writes wakes and ends for others, and reports when each is written. The next process writes those
 * that are not written when this one ends. A repeated write changes nothing. Any thread.
 */
public interface TriggerWriter extends AutoCloseable {
    /**
     * Writes a change of a query.
     *
     * @param written runs once it is there, on any thread; never if it could not be written
     */
    void write(String query, long version, WhenState.Change change, Runnable written);

    /**
     * Writes that all windows of the merge that end by then were emitted, and their wakes
     * published.
     */
    void settled(long settledNs);

    /** Writes nothing more. */
    @Override
    default void close() {}
}
