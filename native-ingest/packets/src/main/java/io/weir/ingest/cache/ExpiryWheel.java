package io.weir.ingest.cache;

import java.util.Arrays;

/**
 * Lists the slots by the start time of their GPV. It is a ring of buckets of event time, each a
 * doubly linked list. So linking, unlinking and finding the oldest do not slow down with more
 * slots. A bucket is a power of two of nanoseconds, at most a 16th of the time-out. A slot leaves
 * with its bucket: up to that much before its time is out, never after. One thread; no allocation.
 */
final class ExpiryWheel {
    private static final int BUCKETS = 64;
    private static final int NONE = -1;

    private final long timeoutNs;
    private final int bucketShift;
    private final int[] first = new int[BUCKETS];
    private final long[] oldestNs = new long[BUCKETS];
    private final int[] after;
    private final int[] before;
    private final int[] bucket;

    /** All buckets up to this one have expired. */
    private long expired = Long.MIN_VALUE;

    /** All buckets up to this one are empty. */
    private long emptied = Long.MIN_VALUE;

    ExpiryWheel(int slots, long timeoutNs) {
        this.timeoutNs = timeoutNs;
        // A bucket is half a time-out's 32nd to one, so live slots span at most 33 to 34 of the 64
        // buckets.
        this.bucketShift = Math.max(0, 64 - Long.numberOfLeadingZeros(timeoutNs >> 5));
        after = new int[slots];
        before = new int[slots];
        bucket = new int[slots];
        Arrays.fill(first, NONE);
        Arrays.fill(bucket, NONE);
    }

    /** Moves on to this time. Returns the time at which to do that again. */
    long advance(long newestNs) {
        expired = Math.max(expired, newestNs - timeoutNs >> bucketShift);
        return (expired + 1 << bucketShift) + timeoutNs;
    }

    /** Returns whether a GPV that starts now would have expired already. */
    boolean isExpired(long startNs) {
        return startNs >> bucketShift <= expired;
    }

    /** Returns a slot whose time is out; -1 when there is none. */
    int expiredSlot() {
        emptied = Math.max(emptied, expired - BUCKETS);
        while (emptied < expired) {
            int slot = first[(int) (emptied + 1) & BUCKETS - 1];
            if (slot != NONE) {
                return slot;
            }
            emptied++;
        }
        return NONE;
    }

    /** Returns a lower bound on the start of every linked slot; MAX_VALUE when there is none. */
    long oldestNs() {
        for (long number = expired + 1; number <= expired + BUCKETS; number++) {
            int index = (int) number & BUCKETS - 1;
            if (first[index] != NONE) {
                return oldestNs[index];
            }
        }
        return Long.MAX_VALUE;
    }

    void link(int slot, long startNs) {
        int index = (int) (startNs >> bucketShift) & BUCKETS - 1;
        int head = first[index];
        oldestNs[index] = head == NONE ? startNs : Math.min(oldestNs[index], startNs);
        after[slot] = head;
        before[slot] = NONE;
        if (head != NONE) {
            before[head] = slot;
        }
        first[index] = slot;
        bucket[slot] = index;
    }

    /** Takes a slot out, if it is in. */
    void unlink(int slot) {
        int index = bucket[slot];
        if (index == NONE) {
            return;
        }
        int next = after[slot];
        int previous = before[slot];
        if (previous == NONE) {
            first[index] = next;
        } else {
            after[previous] = next;
        }
        if (next != NONE) {
            before[next] = previous;
        }
        bucket[slot] = NONE;
    }
}
