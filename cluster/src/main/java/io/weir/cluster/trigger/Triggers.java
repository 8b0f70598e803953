package io.weir.cluster.trigger;

/** Who hears what others tell of wakes, and up to when they have told all. Any thread. */
public interface Triggers extends Wakes {
    /** All windows of the merge that end by then were emitted, and what they wake was told. */
    void settled(long settledNs);
}
