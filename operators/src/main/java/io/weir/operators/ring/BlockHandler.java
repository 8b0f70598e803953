package io.weir.operators.ring;

/** What a ring's consumer does with a block. */
@FunctionalInterface
public interface BlockHandler {
    /**
     * Called on the consumer's thread; the bytes are the ring's again when it returns.
     *
     * @param address of the block's header
     * @param length bytes of the ring record; the block itself may be shorter
     */
    void block(long address, int length);
}
