package io.weir.cluster.trigger;

import io.weir.operators.when.WhenState;

/** Receives the wakes of other processes, and the time up to which all are known. Any thread. */
@FunctionalInterface
public interface Triggers {
    /** Is told that a query wakes, or that its activation's end moves. It may be told again. */
    void changed(String query, long version, WhenState.Change change);

    /**
     * Is told that all windows of the merge that end by then were emitted, and their wakes
     * published.
     */
    default void settled(long settledNs) {}
}
