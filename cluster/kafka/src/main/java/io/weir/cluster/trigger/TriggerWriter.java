package io.weir.cluster.trigger;

/**
 * Writes wakes and ends for others, and reports when each is written. The next process writes those
 * that are not written when this one ends. A repeated write changes nothing. Any thread.
 */
public interface TriggerWriter extends AutoCloseable {
    /**
     * Writes that the query counts packets from {@code fromNs} on and before {@code untilNs}.
     *
     * @param written runs once it is there, on any thread; never if it could not be written
     */
    void wake(String query, long version, long fromNs, long untilNs, Runnable written);

    /**
     * Writes that the activation that began at {@code fromNs} ends at {@code untilNs}; as above.
     */
    void until(String query, long version, long fromNs, long untilNs, Runnable written);

    /**
     * Writes that all windows of the merge that end by then were emitted, and their wakes
     * published.
     */
    void settled(long settledNs);

    /** Writes nothing more. */
    @Override
    default void close() {}
}
