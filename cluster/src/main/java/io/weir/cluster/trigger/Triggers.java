package io.weir.cluster.trigger;

/** Who is told of wakes and ends. What is told twice changes nothing. Any thread. */
public interface Triggers {
    /** The query counts packets from then on and before {@code untilNs}. */
    void wake(String query, long version, long fromNs, long untilNs);

    /** The activation that began at {@code fromNs} ends then. */
    void until(String query, long version, long fromNs, long untilNs);

    /** All windows of the merge that end by then were emitted, and what they wake was told. */
    void settled(long settledNs);
}
