package io.weir.operators.ring;

/** The rule of a {@link BlockWriter} for a block that finds its ring full. */
public enum OverflowPolicy {
    /** The writer waits for room: of a source that can wait. Nothing is lost. */
    BLOCK,

    /**
     * The block is dropped, and its packets are counted: of a live source, whose packets come
     * whether or not there is room. The next block that finds room tells them.
     */
    DROP
}
