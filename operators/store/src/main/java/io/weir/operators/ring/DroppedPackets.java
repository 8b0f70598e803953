package io.weir.operators.ring;

import io.weir.operators.gpv.BlockCursor;
import io.weir.operators.gpv.BlockFault;
import io.weir.operators.gpv.BlockLayout;
import io.weir.operators.gpv.GpvCursor;
import io.weir.operators.gpv.GpvLayout;
import java.util.List;

/**
 * Packets of blocks that found no room in their ring, by their times, until a later block tells
 * them. Times are cut to buckets of {@link #BUCKET_NS}. There are at most {@link #MOST_BUCKETS} of
 * them: where more would be needed, all buckets become twice as long. The writer's thread; no
 * allocation.
 */
final class DroppedPackets {
    static final long BUCKET_NS = 10_000_000L;
    static final int MOST_BUCKETS = 4096;

    private final GpvCursor[] gpvs;
    private final BlockCursor blocks = new BlockCursor(true);

    /** Their beginnings, in order of time, from {@link #first} to {@link #end}. */
    private final long[] buckets = new long[MOST_BUCKETS];

    private final long[] counts = new long[MOST_BUCKETS];
    private int first;
    private int end;
    private long widthNs = BUCKET_NS;
    private long late;
    private long lateCameNs = Long.MIN_VALUE;

    DroppedPackets() {
        List<GpvLayout> layouts = GpvLayout.all();
        gpvs = layouts.stream().map(GpvCursor::new).toArray(GpvCursor[]::new);
    }

    boolean isEmpty() {
        return first == end && late == 0;
    }

    /** Returns whether the next packets to tell were in time. All of those come first. */
    boolean isNextInTime() {
        return first < end;
    }

    /** When these packets were; of late ones, the newest time of their source when they came. */
    long nextNs() {
        return isNextInTime() ? buckets[first] : lateCameNs;
    }

    /** Returns their number, at most what a block can tell. */
    int nextPackets() {
        return (int) Math.min(isNextInTime() ? counts[first] : late, Integer.MAX_VALUE);
    }

    /** They are told. */
    void told() {
        int packets = nextPackets();
        if (!isNextInTime()) {
            late -= packets;
            return;
        }
        counts[first] -= packets;
        if (counts[first] == 0 && ++first == end) {
            first = 0;
            end = 0;
            widthNs = BUCKET_NS;
        }
    }

    /** Counts the packets of a whole block of this process. */
    void add(long block, int length) {
        BlockFault fault = blocks.wrap(block, length);
        assert fault == BlockFault.NONE : fault;
        while (blocks.nextSegment()) {
            if ((blocks.segmentFlags() & BlockLayout.SEGMENT_FLAG_LATE) != 0) {
                late += blocks.segmentPackets();
                lateCameNs = Math.max(lateCameNs, blocks.cameNs());
            } else {
                addSegment();
            }
        }
    }

    /** Counts packets in time that a source has lost. */
    void add(long packets, long atNs) {
        count(atNs, packets);
    }

    private void addSegment() {
        GpvCursor gpv = gpvs[blocks.layoutId()];
        long address = blocks.gpvsAddress();
        for (int i = 0; i < blocks.gpvs(); i++) {
            gpv.wrap(address);
            add(gpv);
            address += gpv.gpvBytes();
        }
    }

    /** Its packets are in order of time. */
    private void add(GpvCursor gpv) {
        int count = gpv.count();
        if (bucket(gpv.tsNs(0)) == bucket(gpv.tsNs(count - 1))) {
            count(gpv.tsNs(0), count);
            return;
        }
        for (int i = 0; i < count; i++) {
            count(gpv.tsNs(i), 1);
        }
    }

    private long bucket(long timeNs) {
        return timeNs - Math.floorMod(timeNs, widthNs);
    }

    private void count(long timeNs, long packets) {
        long bucket = bucket(timeNs);
        int at = end;
        while (at > first && buckets[at - 1] > bucket) {
            at--;
        }
        if (at > first && buckets[at - 1] == bucket) {
            counts[at - 1] += packets;
        } else if (end - first < MOST_BUCKETS) {
            insert(at, bucket, packets);
        } else {
            widen();
            count(timeNs, packets);
        }
    }

    private void insert(int before, long bucket, long packets) {
        int at = before;
        if (end == MOST_BUCKETS) {
            System.arraycopy(buckets, first, buckets, 0, end - first);
            System.arraycopy(counts, first, counts, 0, end - first);
            at -= first;
            end -= first;
            first = 0;
        }
        System.arraycopy(buckets, at, buckets, at + 1, end - at);
        System.arraycopy(counts, at, counts, at + 1, end - at);
        buckets[at] = bucket;
        counts[at] = packets;
        end++;
    }

    private void widen() {
        widthNs *= 2;
        int to = first;
        for (int from = first; from < end; from++) {
            long bucket = bucket(buckets[from]);
            long packets = counts[from];
            if (to > first && buckets[to - 1] == bucket) {
                counts[to - 1] += packets;
            } else {
                buckets[to] = bucket;
                counts[to] = packets;
                to++;
            }
        }
        end = to;
    }
}
