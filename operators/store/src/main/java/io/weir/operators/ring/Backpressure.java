package io.weir.operators.ring;

/** Lets a writer wait while its ring is full. It does not run the consumer. */
@FunctionalInterface
public interface Backpressure {
    /**
     * Is called again and again until there is room. Throws when nobody will ever make room: the
     * consumer has failed, or is this thread itself.
     */
    void await();

    /** Is called after a wait that has found room. */
    default void resumed() {}

    /** Is called after a block was dropped. Throws when the consumer has failed. */
    default void refused() {}
}
