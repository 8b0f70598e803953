package io.weir.ingest.capture;

import io.weir.ingest.packets.LentFrames;
import io.weir.operators.memory.Memory;
import java.nio.file.Path;

/**
 * A pcap file: 24 bytes of header, then records.
 *
 * <pre>
 * file    0 magic 4   4 major 2   6 minor 2   8 unused 8   16 snap length 4   20 link type 4
 * record  0 seconds 4   4 micro- or nanoseconds 4   8 captured length 4   12 wire length 4
 * </pre>
 *
 * Files before version 2.3 have the two lengths the other way round, and some of 2.3 do.
 */
final class PcapFile extends CaptureFile {
    private static final int FILE_HEADER_BYTES = 24;
    private static final int OLD_LINUX_MAJOR = 543;
    private static final int RECORD_BYTES = 16;

    /** Up to this minor version the two lengths may be the other way round. */
    private static final int OLD_LENGTHS_MINOR = 3;

    private final boolean swapped;
    private final int unitNs;
    private final int headerBytes;
    private final long longestBytes;
    private final int minor;

    private PcapFile(
            Path path, ByteWindow file, PcapFormat format, int minor, long snapLen, int linkType) {
        super(path, file);
        this.swapped = format.swapped();
        this.unitNs = format.unitNs();
        this.headerBytes = format.recordHeaderBytes();
        this.minor = minor;
        this.longestBytes =
                Math.min(
                        Math.max(snapLen, LONGEST_PACKET_BYTES),
                        ByteWindow.LONGEST_PIECE_BYTES - headerBytes);
        this.linkType = linkType;
        this.position = FILE_HEADER_BYTES;
    }

    static PcapFile of(Path path, ByteWindow file, PcapFormat format) {
        long header = file.awaitAddress(0, FILE_HEADER_BYTES);
        if (header == 0) {
            throw notCapture(path, "is cut off in the header of the file", null);
        }
        int versions = word(header + 4, format.swapped());
        int major = format.swapped() ? versions >>> 16 : versions & 0xFFFF;
        int minor = format.swapped() ? versions & 0xFFFF : versions >>> 16;
        if (major != 2 && major != OLD_LINUX_MAJOR) {
            throw notCapture(path, "is pcap of unknown version " + major + "." + minor, null);
        }
        long snapLen = word(header + 16, format.swapped()) & 0xFFFF_FFFFL;
        // The upper half holds the length of the frame check sequence, not the link type.
        int linkType = word(header + 20, format.swapped()) & 0xFFFF;
        int lengthsMinor = major == OLD_LINUX_MAJOR ? 4 : minor;
        return new PcapFile(path, file, format, lengthsMinor, snapLen, linkType);
    }

    @Override
    public boolean next() {
        long record = file.address(position, headerBytes);
        if (record == 0) {
            return endOfBytes();
        }
        int captured = word(record + 8, swapped);
        int wire = word(record + 12, swapped);
        if (minor < OLD_LENGTHS_MINOR
                || minor == OLD_LENGTHS_MINOR && Integer.compareUnsigned(captured, wire) > 0) {
            int first = captured;
            captured = wire;
            wire = first;
        }
        long length = captured & 0xFFFF_FFFFL;
        if (length > longestBytes) {
            return end(Ending.IMPOSSIBLE_LENGTH);
        }
        long whole = file.address(position, headerBytes + length);
        if (whole == 0) {
            return endOfBytes();
        }
        // Sliding the window may have moved the record.
        tsNs = time(word(whole, swapped), word(whole + 4, swapped));
        address = whole + headerBytes;
        capLen = captured;
        wireLen = wire & 0xFFFF_FFFFL;
        position += headerBytes + length;
        packets++;
        return true;
    }

    @Override
    public boolean lend(long to) {
        if (linkType != ETHERNET || minor <= OLD_LENGTHS_MINOR || headerBytes != RECORD_BYTES) {
            return false;
        }
        long end = file.base + Math.max(position, file.end);
        int form = swapped ? LentFrames.SWAPPED_RECORDS : LentFrames.RECORDS;
        LentFrames.put(to, file.base + position, end, form);
        Memory.putLong(to + LentFrames.UNIT_NS, unitNs);
        Memory.putLong(to + LentFrames.LONGEST, longestBytes);
        Memory.putLong(to + LentFrames.ON, interfaceIndex);
        return true;
    }

    @Override
    public void takeBack(long from) {
        position = Memory.getLong(from + LentFrames.AT) - file.base;
        packets += Memory.getLong(from + LentFrames.PASSED);
    }

    private long time(int seconds, int fraction) {
        return (seconds & 0xFFFF_FFFFL) * 1_000_000_000L + (fraction & 0xFFFF_FFFFL) * unitNs;
    }

    private static int word(long address, boolean swapped) {
        int word = Memory.getInt(address);
        return swapped ? Integer.reverseBytes(word) : word;
    }
}
