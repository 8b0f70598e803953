package io.weir.ingest.wire.afpacket;

import io.weir.ingest.packets.BurstCursor;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A receive queue of an interface: a ring of blocks that the kernel fills with frames, and counts
 * those that find no room. The ring is the kernel's memory. One thread.
 */
final class AfPacketQueue extends BurstCursor {
    /** The reason for loss of packets that the kernel dropped. */
    static final String KERNEL = "kernel";

    /** The time beyond a block's in which the kernel hands the block over. */
    private static final long MARGIN_NS = 50_000_000L;

    private static final long MS_NS = 1_000_000L;

    private final String name;
    private final long ring;
    private final long delayNs;
    private long lostSoFar;

    private AfPacketQueue(
            NativeAllocator allocator, String name, long ring, int linkType, long delayNs) {
        super(allocator, linkType, List.of(KERNEL));
        this.name = name;
        this.ring = ring;
        this.delayNs = delayNs;
    }

    /**
     * Opens a queue.
     *
     * @param group that shares the interface's packets; -1 if it gets all
     * @throws WeirException UNREADABLE_INPUT, SOURCE_GONE, NOT_SUPPORTED, OUT_OF_NATIVE_MEMORY
     */
    static AfPacketQueue open(
            NativeAllocator allocator, String name, AfPacketOptions options, int group) {
        long settings = allocator.allocate(AfPacket.BYTES, MemoryTag.SCRATCH);
        try {
            put(settings, name, options, group);
            long ring = AfPacket.open(settings);
            if (ring < 0) {
                throw AfPacketErrors.opening(name, (int) -ring, text(settings));
            }
            return of(allocator, name, options, ring, hardwareType(settings));
        } finally {
            allocator.free(settings, AfPacket.BYTES, MemoryTag.SCRATCH);
        }
    }

    private static AfPacketQueue of(
            NativeAllocator allocator, String name, AfPacketOptions options, long ring, int type) {
        try {
            int linkType =
                    options.all() ? HardwareTypes.COOKED : HardwareTypes.linkType(name, type);
            long delayNs = options.blockMs() * MS_NS + MARGIN_NS;
            return new AfPacketQueue(allocator, name, ring, linkType, delayNs);
        } catch (WeirException e) {
            AfPacket.close(ring);
            throw e;
        }
    }

    private static void put(long to, String name, AfPacketOptions options, int group) {
        byte[] bytes = (options.all() ? "" : name).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            Memory.putByte(to + AfPacket.NAME + i, bytes[i]);
        }
        Memory.putLong(to + AfPacket.BLOCK_BYTES, options.blockBytes());
        Memory.putLong(to + AfPacket.BLOCKS, options.ringBytes() / options.blockBytes());
        Memory.putLong(to + AfPacket.BLOCK_MS, options.blockMs());
        Memory.putLong(to + AfPacket.SNAP, options.snap());
        Memory.putLong(to + AfPacket.PROMISCUOUS, options.promiscuous() ? 1 : 0);
        Memory.putLong(to + AfPacket.DIRECTION, options.direction());
        Memory.putLong(to + AfPacket.FANOUT, group);
        Memory.putLong(to + AfPacket.HARDWARE, options.hardware() ? 1 : 0);
    }

    private static int hardwareType(long settings) {
        return (int) Memory.getLong(settings + AfPacket.HARDWARE_TYPE);
    }

    private static String text(long settings) {
        StringBuilder text = new StringBuilder();
        long at = settings + AfPacket.TEXT;
        while (at < settings + AfPacket.BYTES && Memory.getByte(at) != 0) {
            text.append((char) Memory.getByte(at++));
        }
        return text.toString();
    }

    @Override
    protected int receive(long frames) {
        int count = (int) AfPacket.receive(ring, frames, MOST);
        countLost();
        return count;
    }

    @Override
    protected boolean poll(long timeoutNs) {
        long result = AfPacket.poll(ring, Math.max(1, timeoutNs / MS_NS));
        countLost();
        if (result < 0) {
            fail(AfPacketErrors.gone(name, (int) -result));
        }
        return result != 0;
    }

    private void countLost() {
        long now = Memory.getLong(ring + AfPacket.LOST);
        if (now != lostSoFar) {
            lose(0, now - lostSoFar);
            lostSoFar = now;
        }
    }

    @Override
    public long delayNs() {
        return delayNs;
    }

    @Override
    public List<String> notes() {
        if (lost() == 0) {
            return List.of();
        }
        return List.of(
                AfPacketFactory.SCHEME
                        + ":"
                        + name
                        + ": "
                        + lost()
                        + " packets found no room in the kernel's ring ("
                        + KERNEL
                        + "); a larger ring=, or more queues=, take more");
    }

    @Override
    protected void release() {
        AfPacket.close(ring);
    }
}
