package io.weir.ingest.cache;

import io.weir.ingest.decode.PacketHeaders;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;

/**
 * Groups packets into GPVs, as *Flow's switch does (USENIX ATC 2018, section 4). There is one slot
 * for each hash of the flow key. A packet of another flow evicts the GPV in its slot. When a slot's
 * narrow buffer is full for the first time, it takes a wide one, and keeps that until eviction. A
 * full GPV is written out. A GPV leaves before its first packet is as old as the time-out.
 *
 * <p>A flow is the 5-tuple and the interface. In the {@code full} layout it is also both MAC
 * addresses, both VLANs, the priority and the direction. Packets of one GPV never go back in time.
 * Every packet that comes in goes out, in exactly one GPV. In native memory; one thread; no
 * allocation.
 */
public final class GpvCache implements AutoCloseable {
    private final CacheMemory memory;
    private final PartitionedWriter out;
    private final CacheMetrics metrics;
    private final int mask;
    private final int narrow;
    private final int wideTuples;
    private final int strideBytes;
    private final long slots;

    /** A slot for packets that go out at once. */
    private final long single;

    private final WideBuffers wide;
    private final ExpiryWheel wheel;
    private final boolean full;
    private final long maxDeltaNs;
    private final GpvFormat formatV4;
    private final GpvFormat formatV6;
    private final GpvFormat fullV4 = made(GpvLayout.FULL_V4);
    private final GpvFormat fullV6 = made(GpvLayout.FULL_V6);
    private int flushed;
    private boolean closed;

    /** Keeps the results of {@link #touch}'s loads, so that HotSpot does not remove them. */
    @SuppressWarnings("UnusedVariable")
    private long touched;

    /**
     * Allocates its memory at once.
     *
     * @throws IllegalArgumentException when the writers' blocks are too small for its GPVs
     */
    public GpvCache(
            NativeAllocator allocator,
            CacheConfig config,
            PartitionedWriter out,
            CacheMetrics metrics) {
        int most = out.maxCount(config);
        if (config.maxCount() > most) {
            throw new IllegalArgumentException(
                    "cache: GPVs of " + config.maxCount() + " packets; blocks take " + most);
        }
        this.out = out;
        this.metrics = metrics;
        mask = config.slots() - 1;
        narrow = config.narrowTuples();
        wideTuples = config.wideTuples();
        strideBytes = SlotLayout.strideBytes(narrow);
        memory = new CacheMemory(allocator, config, out.writers());
        slots = memory.slots;
        single = slots + (long) config.slots() * strideBytes;
        wide = new WideBuffers(memory, config.wideBuffers(), wideTuples);
        long timeoutNs = config.timeoutNs();
        wheel =
                new ExpiryWheel(
                        memory.address + CacheMemory.WHEEL,
                        memory.links,
                        config.slots(),
                        timeoutNs);
        formatV4 = made(config.layouts().get(0));
        formatV6 = made(config.layouts().get(1));
        full = config.layout().equals("full");
        maxDeltaNs = formatV4.maxDeltaNs();
        memory.put(CacheMemory.MAX_DELTA_NS, maxDeltaNs);
    }

    /**
     * Moves on to a time: writes the GPVs whose time is out. The caller must do this before each
     * {@link #add} with the newest time so far.
     *
     * @return false if it has published a block and more may be left: the caller ends its step, and
     *     then calls again
     */
    public boolean advance(long newestNs) {
        return newestNs < memory.get(CacheMemory.NEXT_ADVANCE_NS) || expire(newestNs);
    }

    private boolean expire(long newestNs) {
        long nextNs = wheel.advance(newestNs);
        for (int slot = wheel.expiredSlot(); slot >= 0; slot = wheel.expiredSlot()) {
            if (out.hasPublished()) {
                memory.put(CacheMemory.NEXT_ADVANCE_NS, Long.MIN_VALUE);
                return false;
            }
            evict(slot, Eviction.TIMEOUT);
        }
        memory.put(CacheMemory.NEXT_ADVANCE_NS, nextNs);
        return true;
    }

    /**
     * Returns a lower bound on the time of every packet that is still here; MAX_VALUE without any.
     */
    public long oldestNs() {
        return wheel.oldestNs();
    }

    /**
     * Returns the slot of a packet's flow, for {@link #touch} and {@link #add}. Only the 5-tuple
     * chooses it. So GPVs of one 5-tuple over several VLANs or interfaces evict one another. Its
     * packets then leave in order, which folds like OUT_OF_SEQUENCE need.
     */
    public int slot(PacketHeaders p) {
        return (int) PacketWords.hash(p) & mask;
    }

    /**
     * Loads slots into the CPU's cache, all at a time, before packets are added to them.
     *
     * @param indexes of slots; only the first {@code count} are used
     */
    public void touch(int[] indexes, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Memory.getLong(slots + (long) indexes[i] * strideBytes);
        }
        touched = sum;
    }

    /**
     * Adds one packet.
     *
     * @param tsNs its time, not after the last {@link #advance}
     * @param interfaceIndex its ingress interface
     * @param index its {@link #slot}
     */
    public void add(PacketHeaders p, long tsNs, int interfaceIndex, int index) {
        add(p, tsNs, interfaceIndex, 0, tsNs, index);
    }

    /**
     * Adds one packet that windows leave out. It goes out at once.
     *
     * @param flags of a late segment of {@link io.weir.operators.gpv.BlockLayout}
     * @param cameNs the newest time of its source
     */
    public void addLate(
            PacketHeaders p, long tsNs, int interfaceIndex, int flags, long cameNs, int index) {
        add(p, tsNs, interfaceIndex, flags, cameNs, index);
    }

    private void add(
            PacketHeaders p, long tsNs, int interfaceIndex, int flags, long cameNs, int index) {
        long source = PacketWords.source(p, full);
        long destination = PacketWords.destination(p, full);
        long ports = PacketWords.ports(p);
        long link = PacketWords.link(p, full, interfaceIndex);
        long slot = slots + (long) index * strideBytes;
        boolean same = PacketWords.isFlow(slot, p, ports, source, destination, link);
        boolean fits = full || FlowFormat.fits(p.bytes, interfaceIndex);
        if (flags != 0 || !fits || wheel.isExpired(tsNs)) {
            if (same || PacketWords.isFiveTuple(slot, p, ports)) {
                // Its flow's GPV leaves first, to keep the flow's order.
                evict(index, cause(flags, fits));
            }
            addSingle(p, tsNs, interfaceIndex, flags, cameNs, fits);
            return;
        }
        int count = 0;
        if (same) {
            count = settle(slot, tsNs);
        } else {
            if (Memory.getByte(slot + SlotLayout.FAMILY) != 0) {
                evict(index, Eviction.COLLISION);
            }
            PacketWords.putFlow(slot, p, ports, source, destination, link);
            Memory.putByte(slot + SlotLayout.FAMILY, (byte) p.family);
            Memory.putInt(slot + SlotLayout.WIDE, SlotLayout.NO_WIDE);
        }
        append(slot, index, count, p, tsNs);
    }

    /**
     * Writes the GPV if a packet of this time cannot be added to it. Returns the number of packets
     * left.
     */
    private int settle(long slot, long tsNs) {
        int count = count(slot);
        if (count == 0) {
            return 0;
        }
        boolean back = tsNs < Memory.getLong(slot + SlotLayout.LAST);
        if (back || tsNs - Memory.getLong(startAt(slot)) > maxDeltaNs) {
            write(slot, back ? Eviction.TIME_BACK : Eviction.DELTA_OVERFLOW);
            return 0;
        }
        return count;
    }

    private void append(long slot, int index, int count, PacketHeaders p, long tsNs) {
        long startNs = tsNs;
        if (count == 0) {
            wheel.unlink(index);
            wheel.link(index, tsNs);
            Memory.putLong(startAt(slot, p.family), tsNs);
        } else {
            startNs = Memory.getLong(startAt(slot, p.family));
        }
        long tuple =
                count < narrow
                        ? slot + SlotLayout.TUPLES + (long) count * SlotLayout.TUPLE_BYTES
                        : wideAt(slot) + (long) (count - narrow) * SlotLayout.TUPLE_BYTES;
        PacketWords.putTuple(tuple, p, tsNs - startNs);
        Memory.putLong(slot + SlotLayout.LAST, tsNs);
        Memory.putShort(slot + SlotLayout.COUNT, (short) (count + 1));
        if (count + 1 == narrow) {
            narrowFilled(slot);
        } else if (count + 1 == narrow + wideTuples) {
            write(slot, Eviction.WIDE_FULL);
        }
    }

    private void narrowFilled(long slot) {
        if (Memory.getInt(slot + SlotLayout.WIDE) != SlotLayout.NO_WIDE) {
            return;
        }
        if (Memory.getByte(slot + SlotLayout.REFUSED) == 0) {
            int buffer = wide.take();
            if (buffer != SlotLayout.NO_WIDE) {
                Memory.putInt(slot + SlotLayout.WIDE, buffer);
                return;
            }
            Memory.putByte(slot + SlotLayout.REFUSED, (byte) 1);
            metrics.wideRefused();
        }
        write(slot, Eviction.NARROW_FULL);
    }

    private static Eviction cause(int flags, boolean fits) {
        return flags != 0 ? Eviction.LATE : fits ? Eviction.TIMEOUT : Eviction.UNFIT;
    }

    /** Writes a packet that is not grouped. */
    private void addSingle(
            PacketHeaders p, long tsNs, int interfaceIndex, int flags, long cameNs, boolean fits) {
        boolean asFull = full || !fits;
        long link = PacketWords.link(p, asFull, interfaceIndex);
        long ports = PacketWords.ports(p);
        long source = PacketWords.source(p, asFull);
        long destination = PacketWords.destination(p, asFull);
        PacketWords.putFlow(single, p, ports, source, destination, link);
        Memory.putLong(startAt(single, p.family), tsNs);
        PacketWords.putTuple(single + SlotLayout.TUPLES, p, 0);
        GpvFormat format = asFull ? fullFormat(p.family) : format(p.family);
        long to = out.claim(single + SlotLayout.HEADER, format.layout, flags, cameNs, 1);
        write(to, format, single, 1, 0);
        metrics.gpv(cause(flags, fits));
        if (flags != 0) {
            metrics.latePacket();
        }
    }

    /** Writes the GPV of a slot and frees the slot with its wide buffer. */
    private void evict(int index, Eviction cause) {
        long slot = slots + (long) index * strideBytes;
        if (count(slot) > 0) {
            write(slot, cause);
        }
        int buffer = Memory.getInt(slot + SlotLayout.WIDE);
        if (buffer != SlotLayout.NO_WIDE) {
            wide.giveBack(buffer);
        }
        // Count, family, refusal.
        Memory.putInt(slot, 0);
        wheel.unlink(index);
    }

    /** Writes the GPV of a slot, which its flow keeps. */
    private void write(long slot, Eviction cause) {
        int family = Memory.getByte(slot + SlotLayout.FAMILY);
        int count = count(slot);
        GpvFormat format = format(family);
        long to = out.claim(slot + SlotLayout.HEADER, format.layout, 0, Long.MIN_VALUE, count);
        write(to, format, slot, count, wideAt(slot));
        Memory.putShort(slot + SlotLayout.COUNT, (short) 0);
        metrics.gpv(cause);
    }

    private void write(long to, GpvFormat format, long slot, int count, long wideAt) {
        format.write(to, slot, count, narrow, wideAt);
        metrics.packets(count);
    }

    /**
     * Passes frames by C, over this memory. Nothing is published.
     *
     * @param frames the address of {@link io.weir.ingest.packets.LentFrames}
     * @return whether C needs room in a ring: the caller calls {@link #makeRoom}, and then again
     */
    public boolean pass(long frames) {
        out.lend(memory);
        int reason = NativeFrames.pass(frames, memory.address);
        out.takeBack(memory);
        metrics.add(memory);
        return reason == NativeFrames.ROOM;
    }

    /** Makes the room that C needs. Returns whether a block was published for it. */
    public boolean makeRoom() {
        out.room(memory);
        return out.hasPublished();
    }

    /**
     * Writes all remaining GPVs.
     *
     * @return false if it has published a block and more may be left, as {@link #advance} does
     */
    public boolean flush() {
        for (; flushed <= mask; flushed++) {
            if (out.hasPublished()) {
                return false;
            }
            if (Memory.getByte(slots + (long) flushed * strideBytes + SlotLayout.FAMILY) != 0) {
                evict(flushed, Eviction.END);
            }
        }
        flushed = 0;
        return true;
    }

    private static int count(long slot) {
        return Memory.getShort(slot + SlotLayout.COUNT) & 0xFFFF;
    }

    private long wideAt(long slot) {
        return wide.address(Memory.getInt(slot + SlotLayout.WIDE));
    }

    private static long startAt(long slot) {
        return startAt(slot, Memory.getByte(slot + SlotLayout.FAMILY));
    }

    private static long startAt(long slot, int family) {
        return slot + SlotLayout.V4_START + (family == 4 ? 0 : SlotLayout.V6_SHIFT);
    }

    private static GpvFormat made(GpvLayout layout) {
        return layout.name().equals("full") ? new FullFormat(layout) : new FlowFormat(layout);
    }

    private GpvFormat format(int family) {
        return family == 4 ? formatV4 : formatV6;
    }

    private GpvFormat fullFormat(int family) {
        return family == 4 ? fullV4 : fullV6;
    }

    /** Frees the memory. Packets that were not flushed are lost. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            memory.close();
        }
    }
}
