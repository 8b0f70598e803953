package io.weir.cluster.trigger;

/** Receives wakes and ends. A repetition changes nothing. */
public interface Wakes {
    /** Is told that the query counts packets from {@code fromNs} on and before {@code untilNs}. */
    void wake(String query, long version, long fromNs, long untilNs);

    /** Is told that the activation that began at {@code fromNs} ends at {@code untilNs}. */
    void until(String query, long version, long fromNs, long untilNs);
}
