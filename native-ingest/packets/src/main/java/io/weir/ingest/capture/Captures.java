package io.weir.ingest.capture;

import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Opens captures of any format. Stateless. */
public final class Captures {
    private static final int ZIP = 0x0403_4B50;
    private static final int PCAPNG_SECTION = 0x0A0D0D0A;

    private Captures() {}

    /**
     * Opens a file of any known format.
     *
     * @throws WeirException UNREADABLE_INPUT or NOT_A_CAPTURE, naming the file
     */
    public static CaptureFile open(Path path) {
        return open(path, FileBytes.WINDOW_BYTES);
    }

    static CaptureFile open(Path path, int windowBytes) {
        return of(path, file(path, windowBytes));
    }

    /** Opens a file's bytes, decompressed. */
    static ByteWindow file(Path path, int windowBytes) {
        FileBytes bytes = FileBytes.open(path, windowBytes);
        long first = bytes.address(0, Compression.MAGIC_BYTES);
        if (first == 0 || Compression.of(Memory.getInt(first)).isEmpty()) {
            return bytes;
        }
        bytes.close();
        return UnpackedBytes.open(path);
    }

    /**
     * Returns the parts of a capture that have a clock each: the sections of a pcapng file,
     * otherwise one part. A pipe is one part, since its later sections are not known before they
     * come.
     *
     * @throws WeirException UNREADABLE_INPUT or NOT_A_CAPTURE, naming the file
     */
    public static List<Section> sections(Path path) {
        if (CapturePath.isPipe(path)) {
            return List.of(Section.WHOLE_FILE);
        }
        try (CaptureFile file = open(path)) {
            return file instanceof PcapngFile
                    ? PcapngSections.of(path, FileBytes.WINDOW_BYTES)
                    : List.of(Section.WHOLE_FILE);
        }
    }

    /**
     * Opens a part of a file.
     *
     * @param section of {@link #sections}
     * @throws WeirException as {@link #open(Path)}
     */
    public static CaptureFile open(Path path, Section section) {
        return of(path, file(path, FileBytes.WINDOW_BYTES), section);
    }

    /**
     * Opens a file, a pipe or {@link CapturePath#STANDARD_INPUT}. It waits until a pipe's format is
     * known.
     *
     * @param allocator of a pipe's memory
     * @throws WeirException as {@link #open(Path)}, and OUT_OF_NATIVE_MEMORY
     */
    public static CaptureFile open(Path path, NativeAllocator allocator) {
        return CapturePath.isPipe(path) ? of(path, PipedBytes.open(path, allocator)) : open(path);
    }

    static CaptureFile of(Path path, ByteWindow file) {
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
            throw CaptureFile.notCapture(path, tooShort(file), null);
        }
        int magic = Memory.getInt(start);
        if (magic == PCAPNG_SECTION) {
            return PcapngFile.of(path, file, section);
        }
        PcapFormat format = PcapFormat.of(magic);
        if (format != null) {
            return PcapFile.of(path, file, format);
        }
        throw CaptureFile.notCapture(
                path,
                "is not a capture file (it starts with "
                        + String.format(Locale.ROOT, "%08x", Integer.reverseBytes(magic))
                        + ")",
                magic == ZIP
                        ? "unzip -p … | weir run … --pcap -"
                        : "pcap and pcapng are read; editcap makes them of other formats");
    }

    private static String tooShort(ByteWindow file) {
        if (file.damage() != null) {
            return "cannot be decompressed (" + file.damage() + ")";
        }
        return file.sizeBytes() == 0 ? "is empty" : "is shorter than any capture";
    }
}
