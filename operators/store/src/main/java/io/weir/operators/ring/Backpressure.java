package io.weir.operators.ring;

/** Lets a writer wait while its ring is full. */
@FunctionalInterface
public interface Backpressure {
    /**
     * Is called again and again until there is room. It lets the consumer run, by idling or by
     * being the consumer. Throws when the consumer has failed and will never make room.
     */
    void await();

    /** Is called after a block was dropped. Throws when the consumer has failed. */
    default void refused() {}

    /** Is called after each published block. A producer that is its own consumer consumes here. */
    default void published() {}
}
