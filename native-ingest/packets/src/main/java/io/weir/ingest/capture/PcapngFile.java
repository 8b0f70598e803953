package io.weir.ingest.capture;

import io.weir.ingest.packets.LentFrames;
import io.weir.operators.memory.Memory;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A pcapng file: blocks, of which those with packets, interfaces, sections and statistics are read
 * and the others skipped by their length.
 *
 * <pre>
 * block      0 type 4   4 length 4 (all of it)   8 body   length-4 length again
 * section    8 byte order 4   12 major 2   14 minor 2   16 section length 8
 * interface  8 link type 2   10 unused 2   12 snap length 4   16 options
 * enhanced   8 interface 4   12 time 8 (high, low)   20 captured 4   24 wire 4   28 packet
 * packet     8 interface 2   10 drops 2   12 time 8   20 captured 4   24 wire 4   28 packet
 * simple     8 wire 4   12 packet
 * statistics 8 interface 4   12 time 8   20 options
 * </pre>
 *
 * A simple packet block has no time: its packet takes that of the one before it. A section has at
 * most {@value #MOST_INTERFACES} interfaces.
 */
final class PcapngFile extends CaptureFile {
    static final int MOST_INTERFACES = 4096;

    static final int SECTION = 0x0A0D0D0A;
    private static final int INTERFACE = 1;
    private static final int PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int STATISTICS = 5;
    private static final int ENHANCED_PACKET = 6;

    static final int BYTE_ORDER = 0x1A2B3C4D;
    private static final int BLOCK_BYTES = 12;
    private static final int SECTION_BYTES = 28;
    private static final int INTERFACE_BYTES = 20;
    private static final int SIMPLE_BYTES = 16;
    private static final int PACKET_BYTES = 32;
    private static final int PACKET_OFFSET = 28;
    private static final int STATISTICS_BYTES = 24;
    private static final int STATISTICS_OFFSET = 20;

    /** The bound of statistics that are read. Longer ones are skipped: they have other options. */
    private static final int LONGEST_STATISTICS_BYTES = 64 << 10;

    /** The value of drops in a packet block if nobody has counted them. */
    private static final int DROPS_UNKNOWN = 0xFFFF;

    /** The option of a packet whose lowest bits are its direction: 1 in, 2 out. */
    private static final int OPTION_FLAGS = 2;

    private static final int DIRECTION = 3;

    private final PcapngLosses losses = new PcapngLosses();
    private PcapngInterface[] interfaces = new PcapngInterface[4];
    private int interfaceCount;
    private boolean swapped;
    private int type;

    /** Position of the previous block. */
    private long block;

    /** The begin of the packet's section, and the end of the reading. */
    private long sectionPosition;

    private final long endPosition;

    private PcapngFile(Path path, ByteWindow file, Section part) {
        super(path, file);
        position = part.position();
        packets = part.packetsBefore();
        endPosition = part.endPosition();
    }

    static PcapngFile of(Path path, ByteWindow file, Section part) {
        PcapngFile capture = new PcapngFile(path, file, part);
        long section = file.awaitAddress(part.position(), SECTION_BYTES);
        if (section == 0) {
            throw notCapture(path, "is cut off in its first block", null);
        }
        if (!capture.readSection(section)) {
            throw notCapture(path, "is pcapng of an unknown version or byte order", null);
        }
        return capture;
    }

    /** Returns the begin of the packet's section. */
    long sectionPosition() {
        return sectionPosition;
    }

    @Override
    public boolean next() {
        while (true) {
            if (!enterBlock()) {
                return false;
            }
            long padded = blockBytes();
            if (padded == 0) {
                return false;
            }
            boolean packet = type == ENHANCED_PACKET || type == PACKET || type == SIMPLE_PACKET;
            if ((packet || type == INTERFACE) && !readBlock(padded)) {
                return false;
            }
            if (type == STATISTICS && !readStatistics(padded)) {
                return false;
            }
            block = position;
            position += padded;
            if (packet) {
                packets++;
                return true;
            }
        }
    }

    /** Finds the type of the block at the position; a section's byte order with it. */
    private boolean enterBlock() {
        if (position >= endPosition) {
            return end(Ending.WHOLE);
        }
        long address = file.address(position, BLOCK_BYTES);
        if (address == 0) {
            return endOfBlocks();
        }
        type = word(address);
        return type != SECTION || nextSection();
    }

    /** The last block may have been skipped although a part of it is missing. */
    private boolean endOfBlocks() {
        if (file.isEnded() && position > file.sizeBytes()) {
            position = block;
        }
        return endOfBytes();
    }

    /** Returns the bytes to the next block; 0 at the end. */
    private long blockBytes() {
        long length = word(file.address(position, BLOCK_BYTES) + 4) & 0xFFFF_FFFFL;
        if (length < least(type)) {
            end(Ending.IMPOSSIBLE_LENGTH);
            return 0;
        }
        return length + 3 & -4L;
    }

    private boolean readBlock(long padded) {
        if (padded > ByteWindow.LONGEST_PIECE_BYTES) {
            return end(Ending.IMPOSSIBLE_LENGTH);
        }
        long block = file.address(position, padded);
        if (block == 0) {
            return endOfBytes();
        }
        if (word(block + padded - 4) != word(block + 4)) {
            return end(Ending.IMPOSSIBLE_LENGTH);
        }
        return type == INTERFACE ? readInterface(block, padded) : readPacket(block, padded);
    }

    private static int least(int type) {
        return switch (type) {
            case SECTION -> SECTION_BYTES;
            case INTERFACE -> INTERFACE_BYTES;
            case STATISTICS -> STATISTICS_BYTES;
            case SIMPLE_PACKET -> SIMPLE_BYTES;
            case PACKET, ENHANCED_PACKET -> PACKET_BYTES;
            default -> BLOCK_BYTES;
        };
    }

    private boolean nextSection() {
        long block = file.address(position, SECTION_BYTES);
        if (block == 0) {
            return endOfBytes();
        }
        return readSection(block) || end(Ending.UNKNOWN_VERSION);
    }

    private boolean readSection(long block) {
        int order = Memory.getInt(block + 8);
        if (order != BYTE_ORDER && order != Integer.reverseBytes(BYTE_ORDER)) {
            return false;
        }
        swapped = order != BYTE_ORDER;
        sectionPosition = position;
        interfaceCount = 0;
        losses.section();
        return half(block + 12) == 1;
    }

    private boolean readInterface(long block, long padded) {
        if (interfaceCount == MOST_INTERFACES) {
            return end(Ending.TOO_MANY_INTERFACES);
        }
        if (interfaceCount == interfaces.length) {
            interfaces = Arrays.copyOf(interfaces, 2 * interfaceCount);
        }
        interfaces[interfaceCount] = PcapngInterface.of(block + 8, block + padded - 4, swapped);
        interfaceCount++;
        return true;
    }

    /** Returns false if a pipe has not brought all of the block, or the file ends in it. */
    private boolean readStatistics(long padded) {
        if (padded > LONGEST_STATISTICS_BYTES) {
            return true;
        }
        long block = file.address(position, padded);
        if (block == 0) {
            return endOfBytes();
        }
        int index = word(block + 8);
        long end = block + padded - 4;
        losses.statistics(index, interfaceCount, block + STATISTICS_OFFSET, end, swapped);
        lost = losses.total();
        return true;
    }

    private void readOptions(int index, long block, long padded) {
        long options = address + (capLen + 3L & -4L);
        long end = block + padded - 4;
        int flags = PcapngOptions.ofInt(OPTION_FLAGS, options, end, swapped);
        direction = (flags & DIRECTION) == DIRECTION ? 0 : flags & DIRECTION;
        if (type == PACKET) {
            int drops = half(block + 10);
            losses.packet(index, drops == DROPS_UNKNOWN ? 0 : drops);
        } else {
            losses.packet(index, options, end, swapped);
        }
        lost = losses.total();
    }

    @Override
    long impossibleLosses() {
        return losses.impossible();
    }

    private boolean readPacket(long block, long padded) {
        if (type == SIMPLE_PACKET) {
            return readSimplePacket(block, padded);
        }
        int index = type == PACKET ? half(block + 8) : word(block + 8);
        if (Integer.compareUnsigned(index, interfaceCount) >= 0) {
            return end(Ending.UNKNOWN_INTERFACE);
        }
        PcapngInterface on = interfaces[index];
        long captured = word(block + 20) & 0xFFFF_FFFFL;
        if (captured > Math.max(on.snapLen, LONGEST_PACKET_BYTES)
                || captured > padded - PACKET_BYTES) {
            return end(Ending.IMPOSSIBLE_LENGTH);
        }
        long units = (long) word(block + 12) << 32 | word(block + 16) & 0xFFFF_FFFFL;
        tsNs = on.timeNs(units);
        address = block + PACKET_OFFSET;
        capLen = (int) captured;
        wireLen = word(block + 24) & 0xFFFF_FFFFL;
        linkType = on.linkType;
        interfaceIndex = index;
        direction = 0;
        if (type == PACKET || padded - captured >= PACKET_BYTES + Integer.BYTES) {
            readOptions(index, block, padded);
        }
        return true;
    }

    private boolean readSimplePacket(long block, long padded) {
        if (interfaceCount == 0) {
            return end(Ending.UNKNOWN_INTERFACE);
        }
        PcapngInterface on = interfaces[0];
        wireLen = word(block + 8) & 0xFFFF_FFFFL;
        long captured = Math.min(wireLen, on.snapLen == 0 ? wireLen : on.snapLen);
        if (captured > Math.max(on.snapLen, LONGEST_PACKET_BYTES)
                || captured > padded - SIMPLE_BYTES) {
            return end(Ending.IMPOSSIBLE_LENGTH);
        }
        address = block + BLOCK_BYTES;
        capLen = (int) captured;
        linkType = on.linkType;
        interfaceIndex = 0;
        direction = 0;
        return true;
    }

    @Override
    public boolean lend(long to) {
        PcapngInterface on = interfaces[interfaceIndex];
        if (linkType != ETHERNET || on.unitNs() == 0) {
            return false;
        }
        long end = Math.min(Math.max(position, file.end), endPosition);
        int form = swapped ? LentFrames.SWAPPED_BLOCKS : LentFrames.BLOCKS;
        LentFrames.put(to, file.base + position, file.base + end, form);
        Memory.putLong(to + LentFrames.UNIT_NS, on.unitNs());
        Memory.putLong(to + LentFrames.LONGEST, Math.max(on.snapLen, LONGEST_PACKET_BYTES));
        Memory.putLong(to + LentFrames.ON, interfaceIndex);
        return true;
    }

    @Override
    public void takeBack(long from) {
        position = Memory.getLong(from + LentFrames.AT) - file.base;
        packets += Memory.getLong(from + LentFrames.PASSED);
    }

    private int word(long address) {
        int word = Memory.getInt(address);
        return swapped ? Integer.reverseBytes(word) : word;
    }

    private int half(long address) {
        short half = Memory.getShort(address);
        return (swapped ? Short.reverseBytes(half) : half) & 0xFFFF;
    }
}
