package io.weir.ingest.packets;

import io.weir.operators.error.WeirException;
import java.util.List;
import java.util.Optional;

/**
 * Frames of a source, one after another, each in place. {@link #next} moves to a frame, and the
 * accessors describe it until the next call. A capture file reads them from its window; a receive
 * queue from its buffers. Nothing is allocated per frame. One thread.
 *
 * <p>It is a class, so that the accessors cost no call: subclasses set the fields in {@link #next}.
 */
public abstract class PacketCursor implements AutoCloseable {
    protected long address;
    protected int capLen;
    protected long wireLen;
    protected long tsNs;
    protected int linkType;
    protected int interfaceIndex;
    protected int direction;
    protected long packets;
    protected long lost;

    private static final List<String> DROPPED = List.of("dropped_at_capture");

    /** The longest delay of a packet that comes by a pipe after it was seen. */
    private static final long PIPE_DELAY_NS = 2_000_000_000L;

    /** The LINKTYPE_ value of frames that C reads. */
    protected static final int ETHERNET = 1;

    protected PacketCursor() {}

    /**
     * Moves to the next frame. Returns false at the end, which {@link #hasEnded} confirms. It also
     * returns false if no frame has come yet; {@link #await} then waits for one.
     */
    public abstract boolean next();

    /** Takes the place of another cursor's frame. */
    protected final void copyFrame(PacketCursor of) {
        address = of.address;
        capLen = of.capLen;
        wireLen = of.wireLen;
        tsNs = of.tsNs;
        linkType = of.linkType;
        interfaceIndex = of.interfaceIndex;
        direction = of.direction;
    }

    /** Returns how often packets were lost before the current one, and nobody knows how many. */
    public long gaps() {
        return 0;
    }

    /** Waits for more frames, or the end. Returns false when nothing came in this time. */
    public abstract boolean await(long timeoutNs);

    /** Returns whether no frame comes any more. */
    public abstract boolean hasEnded();

    /**
     * Returns whether frames come at their own time. Then the wall clock can judge their stamps,
     * and a silence has a length.
     */
    public abstract boolean followsClock();

    /**
     * Lends the frames behind the current one to C, as far as they are in memory.
     *
     * @param to the address of {@link LentFrames}
     * @return false if only Java can read them
     */
    public boolean lend(long to) {
        return false;
    }

    /** Goes on behind the frames that C has read. */
    public void takeBack(long from) {}

    /**
     * Returns the longest time from a packet's stamp to its coming here, if frames come at their
     * own time. Within it, a silence makes no packet late.
     */
    public long delayNs() {
        return PIPE_DELAY_NS;
    }

    /**
     * Returns whether stamps are certainly those of the wall clock. Then time can go on before the
     * first packet.
     */
    public boolean isStampedByClock() {
        return false;
    }

    /** Returns the reasons for its lost packets, as the account names them. */
    public List<String> lossReasons() {
        return DROPPED;
    }

    /**
     * Returns the part of {@link #lost} for a reason.
     *
     * @param reason a place in {@link #lossReasons}
     */
    public long lost(int reason) {
        return lost;
    }

    /** Returns why it has ended, if that was no ordinary end. All frames before it were read. */
    public Optional<WeirException> failure() {
        return Optional.empty();
    }

    /** Returns sentences for the user about parts that were not read. */
    public abstract List<String> notes();

    /** Returns the address of the frame's first captured byte. */
    public final long address() {
        return address;
    }

    /** Returns the captured bytes. */
    public final int capLen() {
        return capLen;
    }

    /** Returns the bytes on the wire, link layer included. */
    public final long wireLen() {
        return wireLen;
    }

    /** Returns nanoseconds since the epoch. */
    public final long tsNs() {
        return tsNs;
    }

    /** Returns the LINKTYPE_ value of the frame's interface. */
    public final int linkType() {
        return linkType;
    }

    /** Returns the number of the interface within its source, from 0. */
    public final int interfaceIndex() {
        return interfaceIndex;
    }

    /**
     * Returns the frame's direction as its source tells it: 0 unknown, 1 in, 2 out. These are the
     * values of the column.
     */
    public final int direction() {
        return direction;
    }

    /** Returns the frames so far. */
    public final long packets() {
        return packets;
    }

    /** Returns the packets that the source itself reports as lost before they came here, so far. */
    public final long lost() {
        return lost;
    }

    @Override
    public abstract void close();
}
