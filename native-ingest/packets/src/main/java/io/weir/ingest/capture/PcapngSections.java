package io.weir.ingest.capture;

import io.weir.operators.memory.Memory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the sections of a pcapng file before it is read. It walks over the headers of all blocks.
 * Most files have only one section. In others it reads the times of packets too.
 */
final class PcapngSections {
    private static final int HEADER_BYTES = 12;

    private PcapngSections() {}

    static List<Section> of(Path path, int windowBytes) {
        try (ByteWindow file = Captures.file(path, windowBytes)) {
            if (!hasSeveral(file)) {
                return List.of(Section.WHOLE_FILE);
            }
        }
        try (PcapngFile file =
                PcapngFile.of(path, Captures.file(path, windowBytes), Section.WHOLE_FILE)) {
            return sections(file);
        }
    }

    private static boolean hasSeveral(ByteWindow file) {
        boolean swapped = false;
        long position = 0;
        long address = file.address(position, HEADER_BYTES);
        while (address != 0) {
            if (Memory.getInt(address) == PcapngFile.SECTION) {
                if (position > 0) {
                    return true;
                }
                swapped = Memory.getInt(address + 8) != PcapngFile.BYTE_ORDER;
            }
            int length = Memory.getInt(address + 4);
            long bytes = (swapped ? Integer.reverseBytes(length) : length) & 0xFFFF_FFFFL;
            if (bytes < HEADER_BYTES) {
                return false;
            }
            position += bytes + 3 & -4L;
            address = file.address(position, HEADER_BYTES);
        }
        return false;
    }

    private static List<Section> sections(PcapngFile file) {
        List<Section> sections = new ArrayList<>();
        Section open = new Section(0, Long.MAX_VALUE, 0, Long.MAX_VALUE);
        while (file.next()) {
            long position = file.sectionPosition();
            if (position != open.position()) {
                add(sections, open, position);
                open = new Section(position, Long.MAX_VALUE, file.packets() - 1, Long.MAX_VALUE);
            }
            if (file.tsNs() < open.earliestNs()) {
                open = new Section(position, Long.MAX_VALUE, open.packetsBefore(), file.tsNs());
            }
        }
        add(sections, open, Long.MAX_VALUE);
        return sections;
    }

    /** Sections without packets are skipped, except the last, whose end is the file's. */
    private static void add(List<Section> sections, Section section, long endPosition) {
        boolean last = endPosition == Long.MAX_VALUE;
        if (last || section.earliestNs() != Long.MAX_VALUE) {
            sections.add(
                    new Section(
                            section.position(),
                            endPosition,
                            section.packetsBefore(),
                            section.earliestNs()));
        }
    }
}
