package io.weir.ingest.capture;

import io.weir.ingest.packets.PacketCursor;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The packets of a capture, one after another, in place in mapped memory or in a pipe's. {@link
 * #next} moves to a packet, and the accessors describe it until the next call. Nothing is allocated
 * per packet. {@link Captures} opens one.
 *
 * <p>It reads pcap in both byte orders, with micro- and nanoseconds and Kuznetzov's longer records.
 * It reads pcapng with any number of sections, byte orders and interfaces. A record that is cut off
 * by the end of the file, or has an impossible header, ends the reading and is not a packet. {@link
 * #ending} and {@link #notes} report it. One thread.
 *
 * <p>Sources: draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng.
 */
public abstract class CaptureFile extends PacketCursor {
    /**
     * The bound of captured lengths; a length above this and above the file's snap length is
     * impossible.
     */
    static final long LONGEST_PACKET_BYTES = 262_144;

    /**
     * The bound of times: 2^62 ns around 1970 (the years 1823 to 2116), so that sums do not wrap.
     */
    static final long FARTHEST_SECONDS = 4_611_686_018L;

    final ByteWindow file;
    private final Path path;

    /** The position of the next record. */
    long position;

    private Ending ending = Ending.NONE;

    CaptureFile(Path path, ByteWindow file) {
        this.path = path;
        this.file = file;
    }

    /** Returns whether its bytes come from a pipe. */
    public final boolean isPiped() {
        return file instanceof PipedBytes;
    }

    static WeirException notCapture(Path path, String what, String hint) {
        return new WeirException(
                ErrorCode.NOT_A_CAPTURE, CapturePath.name(path) + " " + what, hint);
    }

    @Override
    public final boolean await(long timeoutNs) {
        return file.await(timeoutNs);
    }

    @Override
    public final boolean hasEnded() {
        return ending != Ending.NONE;
    }

    @Override
    public final boolean followsClock() {
        return isPiped();
    }

    /**
     * Handles a missing or partial record. In a pipe it may still come, and then this is not the
     * end.
     */
    final boolean endOfBytes() {
        return file.isEnded() && end(atLastByte());
    }

    private Ending atLastByte() {
        if (file.damage() != null) {
            return Ending.DAMAGED_COMPRESSION;
        }
        if (file.isCut()) {
            return Ending.OVERWRITTEN;
        }
        return position == file.sizeBytes() ? Ending.WHOLE : Ending.CUT_RECORD;
    }

    final boolean end(Ending reason) {
        ending = reason;
        return false;
    }

    /** Returns the number of impossible counts of lost packets, which are in no sum. */
    long impossibleLosses() {
        return 0;
    }

    public final Ending ending() {
        return ending;
    }

    /** Returns notes about the file for the user; empty when it was whole. */
    @Override
    public final List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (ending != Ending.WHOLE && ending != Ending.NONE) {
            String where = " at byte " + position + ", after " + packets + " packets";
            notes.add(CapturePath.name(path) + ": " + ending.text() + where);
        }
        if (impossibleLosses() > 0) {
            notes.add(
                    CapturePath.name(path)
                            + ": "
                            + impossibleLosses()
                            + " statistics of lost packets are impossible, and are not counted");
        }
        return notes;
    }

    @Override
    public final void close() {
        file.close();
    }
}
