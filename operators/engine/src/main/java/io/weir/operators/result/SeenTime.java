package io.weir.operators.result;

import io.weir.operators.graph.WindowEnds;
import java.util.concurrent.atomic.AtomicLong;

/** The time that the states of one {@link WindowMerger} have seen whole. Any thread. */
public final class SeenTime {
    private final AtomicLong fromNs = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong untilNs = new AtomicLong(Long.MAX_VALUE);
    private final boolean windowed;
    private volatile InputSpan input = InputSpan.ALWAYS;
    private volatile long delayNs;

    /** The time from which packets wait for states to begin. */
    private volatile long waitsNs = Long.MAX_VALUE;

    /**
     * @param windowed whether the query has windows: totals are never partial
     */
    SeenTime(boolean windowed) {
        this.windowed = windowed;
    }

    /**
     * Sets the span of the packet sources.
     *
     * @param delayNs packets are this much newer than their blocks' watermark, at most
     */
    public void of(InputSpan sources, long delayNs) {
        input = sources;
        this.delayNs = delayNs;
    }

    /** Notes that packets of this time, and later ones, wait until all states have begun. */
    public void waits(long fromNs) {
        waitsNs = fromNs;
    }

    /**
     * Notes that a state begins on a pipeline, behind blocks with packets.
     *
     * @param watermarkNs of these blocks; MIN_VALUE if there was none
     */
    public void begun(long watermarkNs) {
        // The last packets of those blocks may have that very time, and the state lacks them.
        long ns = WindowEnds.plus(WindowEnds.plus(watermarkNs, delayNs), 1);
        fromNs.accumulateAndGet(Math.min(ns, waitsNs), Math::max);
    }

    /** Notes that a state ended while packets flowed. It had all packets before this time. */
    public void until(long ns) {
        untilNs.accumulateAndGet(ns, Math::min);
    }

    /** Returns whether rows are of windows. */
    boolean isOfWindows() {
        return windowed;
    }

    /** Returns whether some source or state saw only a part of this time. */
    boolean lacks(long startNs, long endNs) {
        return startNs < fromNs.get() || endNs > untilNs.get() || input.lacks(startNs, endNs);
    }

    /** Returns whether no source brought packets in any of this time. */
    boolean isAway(long startNs, long endNs) {
        return input.isAway(startNs, endNs);
    }

    /** Returns the time from which it has seen packets; MIN_VALUE if that is not known. */
    long firstNs() {
        return Math.max(fromNs.get(), input.firstNs());
    }

    /** Returns the time of the newest packet of a source that has ended; MIN_VALUE if none has. */
    long newestNs() {
        return input.newestNs();
    }
}
