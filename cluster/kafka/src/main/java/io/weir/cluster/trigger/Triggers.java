package io.weir.cluster.trigger;

/** Receives the wakes of other processes, and the time up to which all are known. Any thread. */
public interface Triggers extends Wakes {
    /**
     * Is told that all windows of the merge that end by then were emitted, and their wakes
     * published.
     */
    void settled(long settledNs);
}
