package io.weir.ingest.capture;

import io.weir.ingest.packets.PacketCursor;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The packets of a capture, one after another, in place in mapped memory or in a pipe's. {@link
 * #next} moves to a packet, and the accessors describe it until the next call. Nothing is allocated
 * per packet.
 *
 * <p>It reads pcap in both byte orders, with micro- and nanoseconds and Kuznetzov's longer records.
 * It reads pcapng with any number of sections, byte orders and interfaces. A record that is cut off
 * by the end of the file, or has an impossible header, ends the reading and is not a packet. {@link
 * #ending} and {@link #notes} report it. One thread.
 *
 * <p>Sources: draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng.
 */
public abstract class CaptureFile extends PacketCursor {
    /** The name of the process's standard input; a file of this name is {@code ./-}. */
    public static final Path STANDARD_INPUT = Path.of("-");

    /**
     * The bound of captured lengths; a length above this and above the file's snap length is
     * impossible.
     */
    static final long LONGEST_PACKET_BYTES = 262_144;

    /**
     * The bound of times: 2^62 ns around 1970 (the years 1823 to 2116), so that sums do not wrap.
     */
    static final long FARTHEST_SECONDS = 4_611_686_018L;

    private static final int PCAPNG_SECTION = 0x0A0D0D0A;

    final ByteWindow file;
    private final Path path;

    /** The position of the next record. */
    long position;

    private Ending ending = Ending.NONE;

    CaptureFile(Path path, ByteWindow file) {
        this.path = path;
        this.file = file;
    }

    /**
     * Opens a file of any known format.
     *
     * @throws WeirException UNREADABLE_INPUT or NOT_A_CAPTURE, naming the file
     */
    public static CaptureFile open(Path path) {
        return open(path, MappedFile.WINDOW_BYTES);
    }

    static CaptureFile open(Path path, int windowBytes) {
        return of(path, MappedFile.open(path, windowBytes));
    }

    /**
     * Returns the parts of a capture that have a clock each: the sections of a pcapng file,
     * otherwise one part. A pipe is one part, since its later sections are not known before they
     * come.
     *
     * @throws WeirException UNREADABLE_INPUT or NOT_A_CAPTURE, naming the file
     */
    public static List<Section> sections(Path path) {
        if (isPipe(path)) {
            return List.of(Section.WHOLE_FILE);
        }
        try (CaptureFile file = open(path)) {
            try {
                return file instanceof PcapngFile
                        ? PcapngSections.of(path, MappedFile.WINDOW_BYTES)
                        : List.of(Section.WHOLE_FILE);
            } catch (InternalError e) { // so the JVM reports that a mapped page is gone
                file.checkMemory();
                throw e;
            }
        }
    }

    /**
     * Opens a part of a file.
     *
     * @param section of {@link #sections}
     * @throws WeirException as {@link #open(Path)}
     */
    public static CaptureFile open(Path path, Section section) {
        return of(path, MappedFile.open(path, MappedFile.WINDOW_BYTES), section);
    }

    /**
     * Opens a file, a pipe or {@link #STANDARD_INPUT}. It waits until a pipe's format is known.
     *
     * @param allocator of a pipe's memory
     * @throws WeirException as {@link #open(Path)}, and OUT_OF_NATIVE_MEMORY
     */
    public static CaptureFile open(Path path, NativeAllocator allocator) {
        return isPipe(path) ? of(path, PipedBytes.open(path, allocator)) : open(path);
    }

    /** Returns whether this can be read only once, from front to back. */
    public static boolean isPipe(Path path) {
        return path.equals(STANDARD_INPUT)
                || Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    /** Returns whether its bytes come from a pipe. */
    public final boolean isPiped() {
        return file instanceof PipedBytes;
    }

    /** Returns the name of a capture in messages. */
    public static String name(Path path) {
        return path.equals(STANDARD_INPUT) ? "standard input" : path.toString();
    }

    private static CaptureFile of(Path path, ByteWindow file) {
        return of(path, file, Section.WHOLE_FILE);
    }

    private static CaptureFile of(Path path, ByteWindow file, Section section) {
        try {
            return section.position() > 0
                    ? PcapngFile.of(path, file, section)
                    : ofFormat(path, file, section);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static CaptureFile ofFormat(Path path, ByteWindow file, Section section) {
        long start = file.awaitAddress(0, Integer.BYTES);
        if (start == 0) {
            boolean empty = file.sizeBytes() == 0;
            throw notCapture(path, empty ? "is empty" : "is shorter than any capture", null);
        }
        int magic = Memory.getInt(start);
        if (magic == PCAPNG_SECTION) {
            return PcapngFile.of(path, file, section);
        }
        PcapFormat format = PcapFormat.of(magic);
        if (format != null) {
            return PcapFile.of(path, file, format);
        }
        throw notCapture(
                path,
                "is not a capture file (it starts with "
                        + String.format(Locale.ROOT, "%08x", Integer.reverseBytes(magic))
                        + ")",
                Compression.of(magic)
                        .map(by -> "it is compressed: " + by.command() + " … | weir run … --pcap -")
                        .orElse("pcap and pcapng are read; editcap makes them of other formats"));
    }

    static WeirException notCapture(Path path, String what, String hint) {
        return new WeirException(ErrorCode.NOT_A_CAPTURE, name(path) + " " + what, hint);
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
        return file.isEnded()
                && end(position == file.sizeBytes() ? Ending.WHOLE : Ending.CUT_RECORD);
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
            notes.add(name(path) + ": " + ending.text() + where);
        }
        if (impossibleLosses() > 0) {
            notes.add(
                    name(path)
                            + ": "
                            + impossibleLosses()
                            + " statistics of lost packets are impossible, and are not counted");
        }
        return notes;
    }

    /**
     * Fails if the file has become shorter since it was opened, because the missing part can no
     * longer be read in place.
     *
     * @throws WeirException UNREADABLE_INPUT, naming the file
     */
    @Override
    public final void checkMemory() {
        file.checkLength();
    }

    @Override
    public final void close() {
        file.close();
    }
}
