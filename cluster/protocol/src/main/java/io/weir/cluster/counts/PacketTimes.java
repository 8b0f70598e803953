package io.weir.cluster.counts;

/**
 * Counts packets before a time. The count is exact at whole buckets, over the last so many buckets
 * that have packets. Older packets are one number. A bucket is {@link #BUCKET_NS}, or longer where
 * it is asked about times that are long ago. Added to by the reader's thread; asked by any about
 * times that the reader's watermark has passed, which is how it knows of them.
 */
public final class PacketTimes {
    public static final long BUCKET_NS = 10_000_000L;

    /** A power of two. */
    static final int MOST_BUCKETS = 1 << 18;

    private static final int BLOCK = 512;

    private final long bucketNs;

    /** In order of time; each at its number modulo the length, which grows. */
    private long[] buckets = new long[2 * BLOCK];

    private long[] counts = new long[2 * BLOCK];

    /** The counts of each {@link #BLOCK} places together. */
    private long[] sums = new long[2];

    /** The count of buckets before {@link #first}. */
    private long older;

    /** Numbers of the first bucket that is known, and of the next that comes. */
    private long first;

    private long end;

    /** The bucket of the packet before: most are in the same one. */
    private long fromNs = 1;

    private long untilNs = 0;
    private int place;

    PacketTimes() {
        this(0);
    }

    /**
     * @param agoNs how long before the newest packet the times are that it is asked about
     */
    PacketTimes(long agoNs) {
        long width = BUCKET_NS;
        while (width * (MOST_BUCKETS / 2) < agoNs) {
            width *= 2;
        }
        bucketNs = width;
    }

    /** Counts are exact at multiples of this. */
    long bucketNs() {
        return bucketNs;
    }

    /** A packet of this time. */
    public void add(long tsNs) {
        if (tsNs >= fromNs && tsNs < untilNs) {
            counts[place]++;
            sums[place / BLOCK]++;
        } else {
            addTo(Math.floorDiv(tsNs, bucketNs), 1);
        }
    }

    /** So many packets, of which no more than this time is known. */
    public void add(long tsNs, long packets) {
        addTo(Math.floorDiv(tsNs, bucketNs), packets);
    }

    private void addTo(long bucket, long packets) {
        long at = end > first && buckets[place(end - 1)] < bucket ? end : find(bucket);
        if (at == first && end > first && buckets[place(first)] > bucket && older > 0) {
            older += packets; // where that was is not known any more
            return;
        }
        if (at == end || buckets[place(at)] != bucket) {
            at = insert(at, bucket);
        }
        place = place(at);
        fromNs = bucket * bucketNs;
        untilNs = fromNs + bucketNs;
        counts[place] += packets;
        sums[place / BLOCK] += packets;
    }

    private int place(long number) {
        return (int) number & buckets.length - 1;
    }

    /** The number of the first bucket that is not before this one. */
    private long find(long bucket) {
        long low = first;
        long high = end;
        while (low < high) {
            long middle = low + high >>> 1;
            if (buckets[place(middle)] < bucket) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Under the lock, for who asks looks for a bucket. Returns where it is. */
    private synchronized long insert(long at, long bucket) {
        if (end - first == MOST_BUCKETS) {
            older += count(first, 0);
            first++;
        } else if (end - first == buckets.length) {
            grow();
        }
        long to = Math.max(at, first);
        for (long number = end; number > to; number--) {
            buckets[place(number)] = buckets[place(number - 1)];
            count(number, count(number - 1, 0));
        }
        end++;
        buckets[place(to)] = bucket;
        count(to, 0);
        return to;
    }

    private void grow() {
        long[] oldBuckets = buckets;
        long[] oldCounts = counts;
        buckets = new long[2 * oldBuckets.length];
        counts = new long[buckets.length];
        sums = new long[buckets.length / BLOCK];
        for (long number = first; number < end; number++) {
            int from = (int) number & oldBuckets.length - 1;
            buckets[place(number)] = oldBuckets[from];
            count(number, oldCounts[from]);
        }
    }

    /** Sets the count of a bucket; returns what it was. */
    private long count(long number, long count) {
        int where = place(number);
        long before = counts[where];
        counts[where] = count;
        sums[where / BLOCK] += count - before;
        return before;
    }

    /** A time after the newest packet; MIN_VALUE before the first. */
    synchronized long afterAllNs() {
        return end == first ? Long.MIN_VALUE : (buckets[place(end - 1)] + 1) * bucketNs;
    }

    /** Packets whose time is before this one. */
    public synchronized long before(long timeNs) {
        if (timeNs == Long.MIN_VALUE) {
            return 0;
        }
        long until = timeNs == Long.MAX_VALUE ? end : find(Math.floorDiv(timeNs, bucketNs));
        long count = older;
        long number = first;
        while (number < until) {
            int where = place(number);
            if (where % BLOCK == 0 && number + BLOCK <= until) {
                count += sums[where / BLOCK];
                number += BLOCK;
            } else {
                count += counts[where];
                number++;
            }
        }
        return count;
    }
}
