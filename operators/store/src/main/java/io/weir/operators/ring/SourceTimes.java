package io.weir.operators.ring;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The times of one ring: how far its blocks have come, and between which times its sources have
 * brought packets. A source may fail, and come back. It keeps the latest {@value #MOST} spans. The
 * ring's producer writes, any thread asks.
 */
public final class SourceTimes {
    static final int MOST = 64;

    private final AtomicLong passedNs = new AtomicLong(Long.MIN_VALUE);

    /** Begin, end, begin, end, and so on. */
    private volatile long[] bounds = {};

    /** True while a source that has ended is expected back. */
    private volatile boolean awaited;

    /** Notes the watermark of a block. */
    void pass(long ns) {
        passedNs.setRelease(ns);
    }

    /** Returns the watermark of the newest block; MIN_VALUE before the first. */
    public long passedNs() {
        return passedNs.getAcquire();
    }

    /** Returns whether a source has brought packets, and has not ended. */
    public boolean isOpen() {
        return bounds.length % 2 == 1;
    }

    /** Notes the time of a source's first packet. Only the first call after an end counts. */
    void begin(long ns) {
        if (bounds.length % 2 == 0) {
            add(ns);
            awaited = false;
        }
    }

    /** Notes a source's newest time at its end. */
    void end(long ns) {
        if (bounds.length % 2 == 1) {
            add(Math.max(ns, bounds[bounds.length - 1]));
        }
    }

    /** Notes that packets may be missing between two times, of a source that goes on. */
    public void gap(long fromNs, long toNs) {
        if (isOpen()) {
            long[] before = bounds;
            int dropped = before.length > 2 * (MOST - 1) ? 2 : 0;
            long[] after = Arrays.copyOfRange(before, dropped, before.length + 2);
            after[after.length - 2] = Math.max(fromNs, before[before.length - 1]);
            after[after.length - 1] = Math.max(toNs, after[after.length - 2]);
            bounds = after;
        }
    }

    /** Notes whether a source is to come back: until then, time passes without its packets. */
    public void await(boolean back) {
        awaited = back;
    }

    private void add(long ns) {
        long[] before = bounds;
        int dropped = before.length == 2 * MOST ? 2 : 0;
        long[] after = Arrays.copyOfRange(before, dropped, before.length + 1);
        after[after.length - 1] = ns;
        bounds = after;
    }

    /**
     * Returns whether a source began or ended within this time, or was expected back in it. A
     * source that has not begun lacks nothing.
     */
    public boolean lacks(long startNs, long endNs) {
        long[] all = bounds;
        boolean back = awaited;
        if (all.length > 0 && startNs < all[0]) {
            return true; // a packet of the first one may be a little older than its first packet
        }
        for (int end = 1; end < all.length; end += 2) {
            long untilNs = all[end];
            if (end + 1 < all.length) {
                untilNs = all[end + 1] - 1;
            } else if (back) {
                untilNs = Long.MAX_VALUE;
            }
            if (startNs <= untilNs && endNs > all[end]) {
                return true;
            }
        }
        return false;
    }

    /** Returns the time of the first packet that is remembered; MAX_VALUE before there is one. */
    public long firstNs() {
        long[] all = bounds;
        return all.length == 0 ? Long.MAX_VALUE : all[0];
    }

    /** Returns the newest time of a source that has ended; MIN_VALUE if none has. */
    public long endedNs() {
        long[] all = bounds;
        return all.length < 2 ? Long.MIN_VALUE : all[all.length / 2 * 2 - 1];
    }

    /** Returns whether sources had begun before this time, and were away in all of it. */
    public boolean isAway(long startNs, long endNs) {
        long[] all = bounds;
        if (all.length == 0 || startNs < all[0]) {
            return false;
        }
        for (int begin = 0; begin < all.length; begin += 2) {
            long untilNs = begin + 1 < all.length ? all[begin + 1] : Long.MAX_VALUE;
            if (all[begin] < endNs && untilNs >= startNs) {
                return false;
            }
        }
        return true;
    }
}
