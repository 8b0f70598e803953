package io.weir.operators.ring;

import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * A ring of blocks between one producer thread and one consumer thread, which may be the same.
 * Blocks are written and read in place, in native memory. Bounded: when it is full, {@link
 * #tryClaim} refuses, and its caller decides.
 */
public final class BlockRing implements AutoCloseable {
    private static final int BLOCK_TYPE = 1;

    private final NativeAllocator allocator;
    private final long address;
    private final long bytes;
    private final OneToOneRingBuffer ring;
    private final Adapter adapter = new Adapter();
    private long besideBytes;
    private long beside;
    private boolean closed;

    /**
     * @param capacityBytes a power of two
     */
    public BlockRing(NativeAllocator allocator, int capacityBytes) {
        if (Integer.bitCount(capacityBytes) != 1 || capacityBytes < 4096) {
            throw new IllegalArgumentException("ring of " + capacityBytes + " bytes");
        }
        this.allocator = allocator;
        this.bytes = capacityBytes + (long) RingBufferDescriptor.TRAILER_LENGTH;
        this.address = allocator.allocate(bytes, MemoryTag.RING);
        this.ring = new OneToOneRingBuffer(new UnsafeBuffer(address, (int) bytes));
    }

    /** Returns the largest block that this ring takes: an eighth of the capacity. */
    public int maxBlockBytes() {
        return ring.maxMsgLength();
    }

    /**
     * Producer: returns the address for a block of that many bytes, at a multiple of 8; 0 when
     * full.
     */
    long tryClaim(int blockBytes) {
        int index = ring.tryClaim(BLOCK_TYPE, blockBytes);
        return index > 0 ? address + index : 0;
    }

    /** Returns how full it is, from 0 to 1. Any thread. */
    double fill() {
        return ring.size() / (double) ring.capacity();
    }

    /** Producer: publishes the block that was claimed there. */
    void commit(long blockAddress) {
        ring.commit((int) (blockAddress - address));
    }

    /** Producer: returns room for a block beside the ring. It is freed with the ring. */
    long beside(int blockBytes) {
        if (beside == 0) {
            beside = allocator.allocate(blockBytes, MemoryTag.RING);
            besideBytes = blockBytes;
        }
        return beside;
    }

    /** Consumer: hands up to {@code limit} blocks to the handler. Returns their number. */
    public int read(BlockHandler handler, int limit) {
        adapter.handler = handler;
        return ring.read(adapter, limit);
    }

    /** Frees the ring. Producer and consumer must have ended. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            allocator.free(address, bytes, MemoryTag.RING);
            if (beside != 0) {
                allocator.free(beside, besideBytes, MemoryTag.RING);
            }
        }
    }

    private final class Adapter implements MessageHandler {
        private BlockHandler handler;

        @Override
        public void onMessage(int type, MutableDirectBuffer buffer, int index, int length) {
            handler.block(address + index, length);
        }
    }
}
