package io.weir.ingest.packets;

import java.util.List;

/**
 * Frames of a source, one after another, each in place: {@link #next} moves to a frame, the
 * accessors describe it until the next call. A capture file reads them from its pages; a receive
 * queue from its buffers. Nothing is allocated per frame. One thread.
 *
 * <p>A class, so that the accessors cost no call: subclasses set the fields in {@link #next}.
 */
public abstract class PacketCursor implements AutoCloseable {
    protected long address;
    protected int capLen;
    protected long wireLen;
    protected long tsNs;
    protected int linkType;
    protected int interfaceIndex;
    protected long packets;
    protected long lost;

    protected PacketCursor() {}

    /**
     * Moves to the next frame. False where there is none: at the end, of which {@link #hasEnded}
     * tells, or because none has come yet, and {@link #await} waits for one.
     */
    public abstract boolean next();

    /** Waits for more frames, or the end; false when nothing came in this time. */
    public abstract boolean await(long timeoutNs);

    /** Returns whether no frame comes any more. */
    public abstract boolean hasEnded();

    /**
     * Returns whether frames come at their own time. Then the wall clock can judge their stamps,
     * and a silence has a length.
     */
    public abstract boolean followsClock();

    /** Sentences for the user about what was not read. */
    public abstract List<String> notes();

    /**
     * Fails where memory that held frames is gone, as of a file that was shortened meanwhile.
     *
     * @throws io.weir.operators.error.WeirException UNREADABLE_INPUT
     */
    public abstract void checkMemory();

    /** Returns the address of the frame's first captured byte. */
    public final long address() {
        return address;
    }

    /** Captured bytes. */
    public final int capLen() {
        return capLen;
    }

    /** Bytes on the wire, link layer included. */
    public final long wireLen() {
        return wireLen;
    }

    /** Nanoseconds since the epoch. */
    public final long tsNs() {
        return tsNs;
    }

    /** LINKTYPE_ value of the frame's interface. */
    public final int linkType() {
        return linkType;
    }

    /** Number of the interface within its source, from 0. */
    public final int interfaceIndex() {
        return interfaceIndex;
    }

    /** Frames so far. */
    public final long packets() {
        return packets;
    }

    /** Packets that the source itself says were lost before they came here, so far. */
    public final long lost() {
        return lost;
    }

    @Override
    public abstract void close();
}
