package io.weir.cluster.kafka.results;

import io.weir.operators.error.WeirException;

/** Is told the events of an outbox on its way to Kafka. The sender's thread. */
@FunctionalInterface
public interface SenderListener {
    /**
     * Is told that another process has the place, or that this one may not write there: it has
     * ended.
     */
    void replaced(WeirException cause);

    /** Is told a sentence that a person should know. */
    default void note(String text) {}
}
