package io.weir.cluster.trigger;

/**
 * Who writes wakes and ends down for others to hear, and says when each is written: one that is not
 * when the process ends is for the next to write. What is written twice changes nothing. Any
 * thread.
 */
public interface TriggerWriter extends AutoCloseable {
    /**
     * The query counts packets from then on and before {@code untilNs}.
     *
     * @param written run once it is there, by any thread; never where it could not be written
     */
    void wake(String query, long version, long fromNs, long untilNs, Runnable written);

    /** The activation that began at {@code fromNs} ends then; as before. */
    void until(String query, long version, long fromNs, long untilNs, Runnable written);

    /** All windows of the merge that end by then were emitted, and what they wake was told. */
    void settled(long settledNs);

    /** Writes nothing more. */
    @Override
    default void close() {}
}
