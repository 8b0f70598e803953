package io.weir.ingest.cache;

import io.weir.operators.memory.Memory;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.ring.LentSegment;

/**
 * The part of a {@link GpvCache} that Java and C take turns with: the struct Cache of {@code
 * native-ingest/wire/src/main/c/packets/cache.h}, where the fields are explained. C's assertions
 * hold the places.
 */
final class CacheMemory implements AutoCloseable {
    static final int SLOTS = 0;
    static final int MASK = 8;
    static final int STRIDE = 16;
    static final int NARROW = 24;
    static final int WIDE_TUPLES = 32;
    static final int WIDE = 40;
    static final int FREE_WIDE = 48;
    static final int FREE_COUNT = 56;
    static final int LAYOUT = 64;
    static final int MAX_DELTA_NS = 72;
    static final int NEXT_ADVANCE_NS = 80;
    static final int WHEEL = 88;
    static final int GPVS = 896;
    static final int PACKETS = 1024;
    static final int WIDE_REFUSED = 1032;
    static final int ROOM_LAYOUT = 1040;
    static final int ROOM_BYTES = 1048;
    static final int ROOM_WRITER = 1056;
    static final int WRITER = 1064;
    static final int WRITERS = 1072;
    static final int DUE_SLOT = 1080;

    /** The struct's bytes, and some. */
    private static final int STRUCT_BYTES = 6144;

    private static final int LINE_BYTES = 64;

    private final NativeAllocator allocator;
    private final long bytes;
    private final long writers;
    final long address;
    final long slots;
    final long links;
    final long wide;
    final long freeWide;

    /**
     * Allocates everything in one piece.
     *
     * @throws io.weir.operators.error.WeirException OUT_OF_NATIVE_MEMORY
     */
    CacheMemory(NativeAllocator allocator, CacheConfig config, int writerCount) {
        this.allocator = allocator;
        long stride = SlotLayout.strideBytes(config.narrowTuples());
        long toSlots = lines(STRUCT_BYTES + (long) writerCount * LentSegment.BYTES);
        long toLinks = toSlots + (config.slots() + 1L) * stride;
        long toWide = lines(toLinks + (long) config.slots() * ExpiryWheel.LINK_BYTES);
        long wideBytes = (long) config.wideTuples() * SlotLayout.TUPLE_BYTES;
        long toFree = toWide + config.wideBuffers() * wideBytes;
        bytes = toFree + (long) config.wideBuffers() * Integer.BYTES;
        address = allocator.allocate(bytes, MemoryTag.CACHE);
        writers = address + STRUCT_BYTES;
        slots = address + toSlots;
        links = address + toLinks;
        wide = address + toWide;
        freeWide = address + toFree;
        put(SLOTS, slots);
        put(MASK, config.slots() - 1L);
        put(STRIDE, stride);
        put(NARROW, config.narrowTuples());
        put(WIDE_TUPLES, config.wideTuples());
        put(WIDE, wide);
        put(FREE_WIDE, freeWide);
        put(LAYOUT, CacheConfig.LAYOUTS.indexOf(config.layout()));
        put(NEXT_ADVANCE_NS, Long.MIN_VALUE);
        put(WRITER, writers);
        put(WRITERS, writerCount);
        put(DUE_SLOT, -1);
    }

    private static long lines(long to) {
        return to + LINE_BYTES - 1 & -LINE_BYTES;
    }

    long get(int place) {
        return Memory.getLong(address + place);
    }

    void put(int place, long value) {
        Memory.putLong(address + place, value);
    }

    /** Returns a count since the last call, and clears it. */
    long take(int place) {
        long count = get(place);
        put(place, 0);
        return count;
    }

    /** Returns where a writer lends its open block. */
    long writer(int number) {
        return writers + (long) number * LentSegment.BYTES;
    }

    @Override
    public void close() {
        allocator.free(address, bytes, MemoryTag.CACHE);
    }
}
