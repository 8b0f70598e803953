package io.weir.cluster.kafka.results;

import io.weir.operators.error.WeirException;

/** Told what befalls an outbox on its way to Kafka. The sender's thread. */
@FunctionalInterface
public interface SenderListener {
    /** Another process has taken the place, or this one may not write there: it has ended. */
    void replaced(WeirException cause);

    /** Something that a person should know. */
    default void note(String text) {}
}
