package io.weir.operators.ring;

import io.weir.operators.memory.Memory;

/**
 * The open segment of a {@link BlockWriter} while C writes GPVs into it: the struct Writer of
 * {@code native-ingest/wire/c/cache.h}. C's assertions hold the places.
 */
public final class LentSegment {
    public static final int BYTES = 40;

    private static final int KIND = 0;
    private static final int NEXT = 8;
    private static final int END = 16;
    private static final int GPVS = 24;
    private static final int PACKETS = 32;

    private LentSegment() {}

    static void put(long to, int kind, long next, long end, int gpvs, int packets) {
        Memory.putLong(to + KIND, kind);
        Memory.putLong(to + NEXT, next);
        Memory.putLong(to + END, end);
        Memory.putLong(to + GPVS, gpvs);
        Memory.putLong(to + PACKETS, packets);
    }

    static long next(long from) {
        return Memory.getLong(from + NEXT);
    }

    static int gpvs(long from) {
        return (int) Memory.getLong(from + GPVS);
    }

    static int packets(long from) {
        return (int) Memory.getLong(from + PACKETS);
    }
}
