package io.weir.operators.result;

import java.util.TreeMap;

/**
 * The losses that an activation has to report: with the next window that has rows, or with the
 * first that ends after their time. The results' thread only.
 */
final class PendingLosses {
    /** The bound of losses that wait for a window. Beyond it, the oldest two are joined. */
    private static final int MOST_WAITING = 4096;

    /** Lost packets. The key is the end of the last window reported before the loss was known. */
    private final TreeMap<Long, Long> waiting = new TreeMap<>();

    private long untold;
    private long late;

    /** Null if the source does not count its packets by their times. */
    private UnreportedPackets counted;

    void countedBy(UnreportedPackets packets) {
        counted = packets;
    }

    /** Returns whether the source counts its packets by their times. */
    boolean areCountedByTime() {
        return counted != null;
    }

    /**
     * Returns the packets of windows that made no rows. The next window with rows reports them as
     * lost.
     */
    long packets() {
        return untold;
    }

    /** Takes over the unreported packets of a predecessor. */
    void resume(long packets) {
        untold = packets;
    }

    /**
     * Returns the losses of earlier windows without rows, and those of this window that no pipeline
     * reports.
     */
    Losses before(long endNs) {
        long all = late + (counted == null ? 0 : counted.late(endNs));
        return Losses.of(untold).plus(Losses.late(all));
    }

    /**
     * Returns the packets of a window that went through the query.
     *
     * @param processed as the pipelines counted
     * @param lost in the window
     */
    long ran(long endNs, long processed, long lost) {
        return counted == null ? processed : Math.max(0, counted.inTime(endNs) - lost - untold);
    }

    /** Notes packets of a window that makes no rows. */
    void unmade(long packets) {
        untold += packets;
    }

    /**
     * Notes that packets are lost. The first window that ends after this time and has rows reports
     * them.
     */
    void lost(long sinceNs, long packets) {
        waiting.merge(sinceNs, packets, Long::sum);
        if (waiting.size() > MOST_WAITING) {
            long oldest = waiting.pollFirstEntry().getValue();
            waiting.merge(waiting.firstKey(), oldest, Long::sum);
        }
    }

    /** Notes that the window with this end is reported now. */
    void due(long endNs) {
        while (!waiting.isEmpty() && waiting.firstKey() < endNs) {
            untold += waiting.pollFirstEntry().getValue();
        }
    }

    /** Notes that the window with this end has rows. */
    void told(long endNs) {
        untold = 0;
        late = 0;
        if (counted != null) {
            counted.told(endNs);
        }
    }

    /** Notes late packets that a window without rows knows of. */
    void late(long packets) {
        late += packets;
    }
}
