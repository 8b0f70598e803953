package io.weir.ingest.cache;

import io.weir.operators.memory.Memory;

/**
 * Lists the slots by the start time of their GPV. It is a ring of buckets of event time, each a
 * doubly linked list. So linking, unlinking and finding the oldest do not slow down with more
 * slots. A bucket is a power of two of nanoseconds, at most a 16th of the time-out. A slot leaves
 * with its bucket: up to that much before its time is out, never after. One thread; no allocation.
 * It is the struct Wheel of {@code native-ingest/wire/src/main/c/packets/cache.h}.
 */
final class ExpiryWheel {
    private static final int BUCKETS = 64;
    private static final int NONE = -1;

    private static final int TIMEOUT_NS = 0;
    private static final int SHIFT = 8;
    private static final int EXPIRED = 16;
    private static final int EMPTIED = 24;
    private static final int LINKS = 32;
    private static final int OLDEST_NS = 40;
    private static final int FIRST = OLDEST_NS + BUCKETS * Long.BYTES;

    /** The bytes of the struct. */
    static final int BYTES = FIRST + BUCKETS * Integer.BYTES;

    /** A slot's place in its bucket's list. */
    private static final int AFTER = 0;

    private static final int BEFORE = 4;
    private static final int BUCKET = 8;
    static final int LINK_BYTES = 16;

    private final long timeoutNs;
    private final int bucketShift;
    private final long at;
    private final long links;

    /**
     * @param address of the struct
     * @param links so many bytes for each slot: {@link #LINK_BYTES}
     */
    ExpiryWheel(long address, long links, int slots, long timeoutNs) {
        this.timeoutNs = timeoutNs;
        // A bucket is half a time-out's 32nd to one, so live slots span at most 33 to 34 of the 64
        // buckets.
        this.bucketShift = Math.max(0, 64 - Long.numberOfLeadingZeros(timeoutNs >> 5));
        at = address;
        this.links = links;
        Memory.putLong(at + TIMEOUT_NS, timeoutNs);
        Memory.putLong(at + SHIFT, bucketShift);
        Memory.putLong(at + EXPIRED, Long.MIN_VALUE);
        Memory.putLong(at + EMPTIED, Long.MIN_VALUE);
        Memory.putLong(at + LINKS, links);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            Memory.putInt(first(bucket), NONE);
        }
        for (int slot = 0; slot < slots; slot++) {
            Memory.putInt(link(slot) + BUCKET, NONE);
        }
    }

    private long first(int bucket) {
        return at + FIRST + (long) bucket * Integer.BYTES;
    }

    private long oldest(int bucket) {
        return at + OLDEST_NS + (long) bucket * Long.BYTES;
    }

    private long link(int slot) {
        return links + (long) slot * LINK_BYTES;
    }

    private long expired() {
        return Memory.getLong(at + EXPIRED);
    }

    /** Moves on to this time. Returns the time at which to do that again. */
    long advance(long newestNs) {
        long expired = Math.max(expired(), newestNs - timeoutNs >> bucketShift);
        Memory.putLong(at + EXPIRED, expired);
        return (expired + 1 << bucketShift) + timeoutNs;
    }

    /** Returns whether a GPV that starts now would have expired already. */
    boolean isExpired(long startNs) {
        return startNs >> bucketShift <= expired();
    }

    /** Returns a slot whose time is out; -1 when there is none. */
    int expiredSlot() {
        long expired = expired();
        long emptied = Math.max(Memory.getLong(at + EMPTIED), expired - BUCKETS);
        int slot = NONE;
        while (emptied < expired && slot == NONE) {
            slot = Memory.getInt(first((int) (emptied + 1) & BUCKETS - 1));
            emptied += slot == NONE ? 1 : 0;
        }
        Memory.putLong(at + EMPTIED, emptied);
        return slot;
    }

    /** Returns a lower bound on the start of every linked slot; MAX_VALUE when there is none. */
    long oldestNs() {
        long expired = expired();
        for (long number = expired + 1; number <= expired + BUCKETS; number++) {
            int bucket = (int) number & BUCKETS - 1;
            if (Memory.getInt(first(bucket)) != NONE) {
                return Memory.getLong(oldest(bucket));
            }
        }
        return Long.MAX_VALUE;
    }

    void link(int slot, long startNs) {
        int bucket = (int) (startNs >> bucketShift) & BUCKETS - 1;
        int head = Memory.getInt(first(bucket));
        if (head == NONE || startNs < Memory.getLong(oldest(bucket))) {
            Memory.putLong(oldest(bucket), startNs);
        }
        long link = link(slot);
        Memory.putInt(link + AFTER, head);
        Memory.putInt(link + BEFORE, NONE);
        Memory.putInt(link + BUCKET, bucket);
        if (head != NONE) {
            Memory.putInt(link(head) + BEFORE, slot);
        }
        Memory.putInt(first(bucket), slot);
    }

    /** Takes a slot out, if it is in. */
    void unlink(int slot) {
        long link = link(slot);
        int bucket = Memory.getInt(link + BUCKET);
        if (bucket == NONE) {
            return;
        }
        int next = Memory.getInt(link + AFTER);
        int previous = Memory.getInt(link + BEFORE);
        if (previous == NONE) {
            Memory.putInt(first(bucket), next);
        } else {
            Memory.putInt(link(previous) + AFTER, next);
        }
        if (next != NONE) {
            Memory.putInt(link(next) + BEFORE, previous);
        }
        Memory.putInt(link + BUCKET, NONE);
    }
}
