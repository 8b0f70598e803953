package io.weir.cluster.worker;

import io.weir.cluster.node.Listener;

/** What happens in a worker, for people. Any thread. */
public interface WorkerListener extends Listener {
    /**
     * It has the catalogue and begins.
     *
     * @param queries in the catalogue
     */
    default void ready(int queries) {}

    /** Something that a person should know. */
    default void note(String text) {}
}
