package io.weir.operators.ring;

/** Takes the blocks of a ring. */
@FunctionalInterface
public interface BlockHandler {
    /**
     * Is called on the consumer's thread. The ring reuses the bytes after it returns.
     *
     * @param address of the block's header
     * @param length bytes of the ring record; the block itself may be shorter
     */
    void block(long address, int length);
}
