package io.weir.cluster.trigger;

/** Who is told of wakes and ends. What is told twice changes nothing. */
public interface Wakes {
    /** The query counts packets from then on and before {@code untilNs}. */
    void wake(String query, long version, long fromNs, long untilNs);

    /** The activation that began at {@code fromNs} ends then. */
    void until(String query, long version, long fromNs, long untilNs);
}
