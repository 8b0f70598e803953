package io.weir.ingest.cache;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;

/** Writes the {@code flow32} and {@code flow64} layouts: big endian, deltas in microseconds. */
final class FlowFormat extends GpvFormat {
    /** Places in a tuple of the cache, which is a tuple of {@code full}. */
    private static final int BYTES_IN_SLOT = 4;

    private static final int SEQUENCE_IN_SLOT = 16;
    private static final int BYTES_BITS = 11;
    private static final int BYTES_SHIFT = 1;
    private static final int DELTA_SHIFT = 12;
    private static final int INTERFACE_BITS = 8;

    private final int ports;
    private final int headerBytes;
    private final int tupleBytes;
    private final int unitNs;
    private final boolean v4;

    FlowFormat(GpvLayout layout) {
        super(layout);
        v4 = layout.family() == 4;
        ports = layout.field("src_port").orElseThrow().offset();
        headerBytes = layout.headerBytes();
        tupleBytes = layout.tupleBytes();
        unitNs = layout.deltaUnitNs();
    }

    /** Returns whether this layout can hold a packet. */
    static boolean fits(int bytes, int interfaceIndex) {
        return bytes >>> BYTES_BITS == 0 && interfaceIndex >>> INTERFACE_BITS == 0;
    }

    @Override
    void write(long to, long slot, int count, int narrow, long wide) {
        long header = slot + SlotLayout.HEADER;
        if (v4) {
            Memory.putIntBigEndian(to, Memory.getInt(header));
            Memory.putIntBigEndian(to + 4, Memory.getInt(header + 4));
        } else {
            for (int at = 0; at < 32; at += Long.BYTES) {
                Memory.putLongBigEndian(to + at, Memory.getLong(header + at));
            }
        }
        writeRest(to + ports, header + ports, count);
        long tuple = to + headerBytes;
        for (int i = 0; i < count; i++) {
            long from =
                    i < narrow
                            ? slot + SlotLayout.TUPLES + (long) i * SlotLayout.TUPLE_BYTES
                            : wide + (long) (i - narrow) * SlotLayout.TUPLE_BYTES;
            writeTuple(tuple, from);
            tuple += tupleBytes;
        }
    }

    /** Writes the part after the addresses; {@code from} is its place in the slot's header. */
    private void writeRest(long to, long from, int count) {
        int link = v4 ? SlotLayout.V4_LINK : SlotLayout.V4_LINK + SlotLayout.V6_SHIFT;
        long linkAt = from - ports - SlotLayout.HEADER + link;
        Memory.putShortBigEndian(to, Memory.getShort(from));
        Memory.putShortBigEndian(to + 2, Memory.getShort(from + 2));
        Memory.putByte(to + 4, Memory.getByte(from + 4));
        Memory.putByte(to + 5, Memory.getByte(linkAt + Integer.BYTES));
        Memory.putShortBigEndian(to + 6, (short) count);
        Memory.putLongBigEndian(to + 8, Memory.getLong(from + 8));
    }

    private void writeTuple(long to, long from) {
        int delta = (int) ((Memory.getInt(from) & 0xFFFF_FFFFL) / unitNs);
        int bytes = Memory.getInt(from + BYTES_IN_SLOT);
        Memory.putIntBigEndian(to, delta << DELTA_SHIFT | bytes << BYTES_SHIFT);
        if (tupleBytes == Long.BYTES) {
            Memory.putIntBigEndian(to + 4, Memory.getInt(from + SEQUENCE_IN_SLOT));
        }
    }
}
