package io.weir.ingest.wire.gpv;

import io.weir.ingest.wire.SocketLibrary;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;

/**
 * A UDP socket that receives blocks, up to 64 with each call of C: the struct GpvUdp of
 * sockets/gpv_udp.h. One thread.
 */
final class UdpBlocks implements AutoCloseable {
    private static final int NETWORKS_COUNT = 4;
    private static final int DROPPED = 8;
    private static final int NOT_ALLOWED = 16;
    private static final int PORT = 24;
    private static final int BUFFER_BYTES = 28;
    private static final int NETWORKS = 32;
    private static final int BLOCKS = NETWORKS + Network.BYTES * Network.MOST;

    private final NativeAllocator allocator;
    private final int bytes;
    private final ReceivedBlock block = new ReceivedBlock();
    private long address;

    /**
     * Opens and binds it.
     *
     * @param port 0: the kernel chooses one
     * @param allowed senders
     * @param bufferBytes of the kernel; 0 leaves the system's
     * @throws io.weir.operators.error.WeirException NOT_SUPPORTED, UNREADABLE_INPUT,
     *     OUT_OF_NATIVE_MEMORY; nothing stays open
     */
    UdpBlocks(
            NativeAllocator allocator,
            Network listen,
            int port,
            List<Network> allowed,
            int bufferBytes) {
        SocketLibrary.require(GpvUdpFactory.SCHEME);
        this.allocator = allocator;
        bytes = size();
        address = allocator.allocate(bytes, MemoryTag.RING);
        Memory.zero(address, bytes);
        Memory.putInt(address + NETWORKS_COUNT, allowed.size());
        Network.putAll(address + NETWORKS, allowed);
        int failed = open(address, listen.high(), listen.low(), port, bufferBytes);
        if (failed < 0) {
            free();
            throw SocketErrors.cannotListen(listen, port, -failed);
        }
    }

    /**
     * Receives a burst. Waits for its first datagram, at most for the time-out.
     *
     * @return the number of blocks
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT
     */
    int receive(int timeoutMs) {
        int received = receive(address, timeoutMs);
        if (received < 0) {
            throw SocketErrors.cannotReceive(-received);
        }
        return received;
    }

    /** Returns a block of the last burst; one object is used for all. */
    ReceivedBlock block(int index) {
        return block.wrap(address + BLOCKS + (long) index * ReceivedBlock.BYTES);
    }

    /** Returns the datagrams that the kernel has dropped, as far as it has told. */
    long dropped() {
        return Memory.getLong(address + DROPPED);
    }

    /** Returns the datagrams of senders that are not allowed. */
    long notAllowed() {
        return Memory.getLong(address + NOT_ALLOWED);
    }

    int port() {
        return Memory.getInt(address + PORT);
    }

    /** Returns the size of the kernel's buffer; the kernel counts twice what was asked for. */
    int bufferBytes() {
        return Memory.getInt(address + BUFFER_BYTES);
    }

    @Override
    public void close() {
        if (address != 0) {
            close(address);
            free();
        }
    }

    private void free() {
        allocator.free(address, bytes, MemoryTag.RING);
        address = 0;
    }

    private static native int size();

    private static native int open(long udp, long high, long low, int port, int bufferBytes);

    private static native int receive(long udp, int timeoutMs);

    /** Checks a datagram in memory, as {@link #receive} does. Returns its fault. */
    static native int check(long datagram, int length, long block);

    private static native void close(long udp);
}
