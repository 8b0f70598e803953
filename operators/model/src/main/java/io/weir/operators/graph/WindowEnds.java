package io.weir.operators.graph;

/** Arithmetic on the ends of windows, including the ends of time. */
public final class WindowEnds {
    private WindowEnds() {}

    /**
     * Returns the least end of a window that is after a time; MIN_VALUE and MAX_VALUE stay
     * themselves.
     */
    public static long after(Window window, long timeNs) {
        if (timeNs == Long.MIN_VALUE || timeNs == Long.MAX_VALUE) {
            return timeNs;
        }
        long sinceEnd =
                Math.floorMod(timeNs - window.sizeNs() - window.offsetNs(), window.slideNs());
        return plus(timeNs, window.slideNs() - sinceEnd);
    }

    /**
     * Returns the last end of a window at or before a time; MIN_VALUE and MAX_VALUE stay
     * themselves.
     */
    public static long last(Window window, long timeNs) {
        boolean none = timeNs == Long.MIN_VALUE || timeNs == Long.MAX_VALUE;
        return none ? timeNs : after(window, timeNs) - window.slideNs();
    }

    /** Returns the sum. MIN_VALUE and MAX_VALUE stay themselves, and nothing wraps around. */
    public static long plus(long timeNs, long intervalNs) {
        if (timeNs == Long.MIN_VALUE) {
            return timeNs;
        }
        return timeNs > Long.MAX_VALUE - intervalNs ? Long.MAX_VALUE : timeNs + intervalNs;
    }

    /**
     * Returns the end of an activation from two reports, which come in any order and perhaps again.
     * UNTIL gives an end if none was known. FOR ends at the latest of its renewals.
     */
    public static long laterEnd(long knownNs, long toldNs) {
        if (knownNs == Long.MAX_VALUE || toldNs == Long.MAX_VALUE) {
            return Math.min(knownNs, toldNs);
        }
        return Math.max(knownNs, toldNs);
    }
}
