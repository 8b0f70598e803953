package io.weir.ingest.packets;

import io.weir.operators.memory.Memory;

/**
 * Frames in memory that C reads: the struct Pass of {@code
 * native-ingest/wire/src/main/c/packets/frames.h}, where the fields are explained. C's assertions
 * hold the places.
 */
public final class LentFrames {
    public static final int AT = 0;
    public static final int END = 8;
    public static final int FORM = 16;
    public static final int UNIT_NS = 24;
    public static final int LONGEST = 32;
    public static final int ON = 40;
    public static final int SHIFT_NS = 48;
    public static final int STOP_NS = 56;
    public static final int FLUSH_NS = 64;
    public static final int MOST = 72;
    public static final int PASSED = 80;
    public static final int CLOCK = 88;
    public static final int BUCKET_NS = 128;
    public static final int BUCKETS = 152;

    /** The place of the first bucket: its time, and its packets. */
    public static final int FIRST_BUCKET = 160;

    public static final int BUCKET_BYTES = 16;
    public static final int WIRE_BYTES = FIRST_BUCKET + 64 * BUCKET_BYTES;
    public static final int BYTES = WIRE_BYTES + Long.BYTES;

    /** The forms of frames: records of a pcap file, such records in the other byte order. */
    public static final int RECORDS = 0;

    public static final int SWAPPED_RECORDS = 1;

    /** Frames that lie anywhere, described by an array. */
    public static final int FRAMES = 2;

    /** Enhanced packet blocks of a pcapng file, and those in the other byte order. */
    public static final int BLOCKS = 3;

    public static final int SWAPPED_BLOCKS = 4;

    private LentFrames() {}

    /** Writes the bytes that frames, or their descriptions, lie in. */
    public static void put(long to, long at, long end, int form) {
        Memory.putLong(to + AT, at);
        Memory.putLong(to + END, end);
        Memory.putLong(to + FORM, form);
    }
}
