package io.weir.ingest.packets;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;
import java.util.Optional;

/**
 * The frames of a receive queue, which come in bursts. C describes the frames of a burst in an
 * array of structs Frame ({@code native-ingest/wire/src/main/c/packets/frames.h}). It does that in
 * one call per burst. The frames stay in the queue's buffers until the next burst is received. One
 * thread.
 *
 * <pre>
 * Frame   0 address 8   8 captured 4   12 wire length 4   16 time in ns 8   24 interface 4
 *         28 direction 1: 0 unknown, 1 inward, 2 outward   29 unused 3
 * </pre>
 */
public abstract class BurstCursor extends PacketCursor {
    /** The most frames of a burst. */
    public static final int MOST = 256;

    public static final int FRAME_BYTES = 32;

    /** After so many bursts the reader has a turn without a frame: it may have been stopped. */
    private static final int MOST_IN_A_ROW = 64;

    private static final int CAPTURED = 8;
    private static final int WIRE = 12;
    private static final int TIME = 16;
    private static final int ON = 24;
    private static final int DIRECTION = 28;

    private final NativeAllocator allocator;
    private final long frames;
    private final List<String> lossReasons;
    private final long[] lostBy;

    /** The next frame's description, and the end of all. */
    private long at;

    private long end;
    private int inARow;
    private boolean ended;
    private WeirException failure;
    private boolean closed;

    /**
     * @param linkType LINKTYPE_ value of all frames
     * @param lossReasons why packets can be lost before they come here, as the account names it
     * @throws WeirException OUT_OF_NATIVE_MEMORY
     */
    protected BurstCursor(NativeAllocator allocator, int linkType, List<String> lossReasons) {
        this.allocator = allocator;
        this.linkType = linkType;
        this.lossReasons = List.copyOf(lossReasons);
        lostBy = new long[lossReasons.size()];
        frames = allocator.allocate((long) MOST * FRAME_BYTES, MemoryTag.CACHE);
    }

    /**
     * Gives the buffers of the last burst back, and receives the next one.
     *
     * @param frames the address of {@value #MOST} descriptions to fill
     * @return the number of frames; 0 if there is none now
     */
    protected abstract int receive(long frames);

    /**
     * Waits until there may be frames.
     *
     * @return false if the time was over
     */
    protected abstract boolean poll(long timeoutNs);

    /** Gives everything back. It is called once. */
    protected abstract void release();

    /**
     * Counts packets that were lost before they came here.
     *
     * @param reason a place in {@link #lossReasons}
     */
    protected final void lose(int reason, long more) {
        lostBy[reason] += more;
        lost += more;
    }

    /** Ends the source: no frame comes any more. */
    protected final void end() {
        ended = true;
    }

    /** Ends the source because of a failure. */
    protected final void fail(WeirException why) {
        failure = why;
        ended = true;
    }

    @Override
    public final boolean next() {
        if (at == end && !receive()) {
            return false;
        }
        address = Memory.getLong(at);
        capLen = Memory.getInt(at + CAPTURED);
        wireLen = Memory.getInt(at + WIRE) & 0xFFFF_FFFFL;
        tsNs = Memory.getLong(at + TIME);
        interfaceIndex = Memory.getInt(at + ON);
        direction = Memory.getByte(at + DIRECTION);
        at += FRAME_BYTES;
        packets++;
        return true;
    }

    private boolean receive() {
        if (ended || inARow == MOST_IN_A_ROW) {
            inARow = 0;
            return false;
        }
        inARow++;
        at = frames;
        end = frames + (long) receive(frames) * FRAME_BYTES;
        return at != end;
    }

    @Override
    public final boolean lend(long to) {
        if (linkType != ETHERNET) {
            return false;
        }
        LentFrames.put(to, at, end, LentFrames.FRAMES);
        return true;
    }

    @Override
    public final void takeBack(long from) {
        long next = Memory.getLong(from + LentFrames.AT);
        packets += (next - at) / FRAME_BYTES;
        at = next;
    }

    @Override
    public final boolean await(long timeoutNs) {
        return at != end || ended || poll(timeoutNs);
    }

    @Override
    public final boolean hasEnded() {
        return ended && at == end;
    }

    @Override
    public boolean followsClock() {
        return true;
    }

    @Override
    public final boolean isStampedByClock() {
        return followsClock();
    }

    @Override
    public final List<String> lossReasons() {
        return lossReasons;
    }

    @Override
    public final long lost(int reason) {
        return lostBy[reason];
    }

    @Override
    public final Optional<WeirException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            release();
            allocator.free(frames, (long) MOST * FRAME_BYTES, MemoryTag.CACHE);
        }
    }
}
