package io.weir.ingest.source;

import java.util.Arrays;

/**
 * How many packets there were before a time: exact at whole {@link #BUCKET_NS}, over the last
 * {@link #SPAN_NS} of event time; what is older is one number. Added to by the reader's thread;
 * asked by any about times that the reader's watermark has passed, which is how it knows of them.
 */
public final class PacketTimes {
    public static final long BUCKET_NS = 10_000_000L;

    private static final int BLOCK = 512;
    private static final int BUCKETS = BLOCK * BLOCK;

    public static final long SPAN_NS = BUCKETS * BUCKET_NS;

    private final long[] counts = new long[BUCKETS];

    /** Of each {@link #BLOCK} buckets together. */
    private final long[] sums = new long[BLOCK];

    /** Of buckets before {@link #first}. */
    private long older;

    private long first;
    private long last = -1;
    private boolean begun;

    /** The bucket of the packet before: most are in the same one. */
    private long fromNs = 1;

    private long untilNs = 0;
    private int index;

    /** A packet of this time. */
    public void add(long tsNs) {
        if (tsNs >= fromNs && tsNs < untilNs) {
            counts[index]++;
            sums[index / BLOCK]++;
        } else {
            addTo(tsNs, 1);
        }
    }

    /** So many packets, of which no more than this time is known. */
    public void add(long tsNs, long packets) {
        addTo(tsNs, packets);
    }

    private void addTo(long tsNs, long packets) {
        long bucket = Math.floorDiv(tsNs, BUCKET_NS);
        if (bucket > last || !begun) {
            moveTo(bucket);
        }
        if (bucket < first) {
            older += packets;
        } else {
            index = Math.floorMod(bucket, BUCKETS);
            fromNs = bucket * BUCKET_NS;
            untilNs = fromNs + BUCKET_NS;
            counts[index] += packets;
            sums[index / BLOCK] += packets;
        }
    }

    private static int block(long bucket) {
        return Math.floorMod(bucket, BUCKETS) / BLOCK;
    }

    /** Under the lock, for who asks walks from the first bucket on. */
    private synchronized void moveTo(long bucket) {
        if (!begun) {
            begun = true;
            first = bucket;
        } else if (bucket - last >= BUCKETS) {
            for (long sum : sums) {
                older += sum;
            }
            Arrays.fill(counts, 0);
            Arrays.fill(sums, 0);
            first = bucket;
        }
        for (; bucket - first >= BUCKETS; first++) {
            int index = Math.floorMod(first, BUCKETS);
            older += counts[index];
            sums[block(first)] -= counts[index];
            counts[index] = 0;
        }
        last = bucket;
    }

    /** A time after the newest packet; MIN_VALUE before the first. */
    synchronized long afterAllNs() {
        return begun ? (last + 1) * BUCKET_NS : Long.MIN_VALUE;
    }

    /** Packets whose time is before this one. */
    public synchronized long before(long timeNs) {
        long end = timeNs == Long.MAX_VALUE ? last + 1 : Math.floorDiv(timeNs, BUCKET_NS);
        end = Math.min(end, last + 1);
        long count = older;
        if (!begun || end <= first) {
            return timeNs == Long.MIN_VALUE || !begun ? 0 : count;
        }
        long bucket = first;
        while (bucket < end) {
            int index = Math.floorMod(bucket, BUCKETS);
            if (index % BLOCK == 0 && bucket + BLOCK <= end) {
                count += sums[index / BLOCK];
                bucket += BLOCK;
            } else {
                count += counts[index];
                bucket++;
            }
        }
        return count;
    }
}
