package io.weir.operators.ring;

/** What a writer does while its ring is full. */
@FunctionalInterface
public interface Backpressure {
    /**
     * Called again and again until there is room: gives the consumer a chance, by idling or by
     * being the consumer. Throws when the consumer has failed and will never make room.
     */
    void await();

    /** After each published block: where the producer is its own consumer, it consumes here. */
    default void published() {}
}
