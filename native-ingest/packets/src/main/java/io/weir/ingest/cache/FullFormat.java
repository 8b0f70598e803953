package io.weir.ingest.cache;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.memory.Memory;

/** Writes the {@code full} layouts: the content of a slot, copied word by word. */
final class FullFormat extends GpvFormat {
    private static final int WORD = Long.BYTES;

    private final int headerBytes;
    private final int countOffset;

    FullFormat(GpvLayout layout) {
        super(layout);
        headerBytes = layout.headerBytes();
        countOffset = layout.field(GpvLayout.COUNT).orElseThrow().offset();
    }

    @Override
    void write(long to, long slot, int count, int narrow, long wide) {
        copy(slot + SlotLayout.HEADER, to, headerBytes);
        Memory.putShort(to + countOffset, (short) count);
        long tuples = to + headerBytes;
        int inSlot = Math.min(count, narrow);
        copy(slot + SlotLayout.TUPLES, tuples, inSlot * SlotLayout.TUPLE_BYTES);
        if (count > narrow) {
            long bytes = (long) (count - narrow) * SlotLayout.TUPLE_BYTES;
            Memory.copy(wide, tuples + (long) narrow * SlotLayout.TUPLE_BYTES, bytes);
        }
    }

    /** Copies a few words. A loop costs less than a call that copies. */
    private static void copy(long from, long to, int bytes) {
        for (int at = 0; at < bytes; at += WORD) {
            Memory.putLong(to + at, Memory.getLong(from + at));
        }
    }
}
