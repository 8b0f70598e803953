package io.weir.cluster.protocol;

import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import io.weir.operators.result.PartialExporter;

/**
 * Windows of an activation that leave without a packet, because the engine has ended their query,
 * or has never had it. Nobody counts which packets were in which window. Each reports as many as
 * ran since the one before, and at least one as long as there are any. The results' thread.
 */
final class UnsentWindows {
    /** The most windows that are reported after a gap in the packets. */
    private static final int MOST = 3600;

    private final Window emission;
    private PartialExporter.Departing from;

    /**
     * The packets that are kept for later windows, because some of the next may have run already.
     */
    private final long kept;

    private long endNs;
    private long told;

    /** Takes a window, and the number to report as lost in it. */
    @FunctionalInterface
    interface Out {
        void lost(PartialExporter.Departing from, long startNs, long endNs, long packets);
    }

    /**
     * @param passedNs windows that end by then have left, or had no packets
     * @param told packets that ran before, and were reported
     */
    UnsentWindows(PartialExporter.Departing from, Window emission, long passedNs, long told) {
        this.from = from;
        this.emission = emission;
        this.told = told;
        kept = -Math.floorDiv(-emission.sizeNs(), emission.slideNs());
        // Before any time has passed here, an old activation's windows do not concern this process.
        boolean begun = passedNs != Long.MIN_VALUE;
        endNs =
                begun
                        ? WindowEnds.last(emission, Math.max(passedNs, from.activeFromNs()))
                        : passedNs;
    }

    /** Sets the activation's end, as far as is known now. */
    void until(long untilNs) {
        from =
                new PartialExporter.Departing(
                        from.over(),
                        from.fromNs(),
                        untilNs,
                        from.activeFromNs(),
                        from.output(),
                        from.bindings());
    }

    PartialExporter.Departing from() {
        return from;
    }

    /**
     * Reports the windows that have ended.
     *
     * @param ran packets that have run; MAX_VALUE if another knows how many each has
     * @return whether more can come
     */
    boolean passed(long watermarkNs, long ran, Out out) {
        boolean last = watermarkNs == Long.MAX_VALUE;
        if (endNs == Long.MIN_VALUE) {
            long firstNs = WindowEnds.last(emission, watermarkNs);
            if (last || firstNs == Long.MIN_VALUE) {
                return !last;
            }
            long activeNs = WindowEnds.last(emission, from.activeFromNs());
            endNs = Math.max(activeNs, firstNs - emission.slideNs());
        }
        if (watermarkNs < from.activeFromNs() && ran != Long.MAX_VALUE) {
            // Most of these packets came before it. Some may belong to it, and its windows lack
            // them.
            told = Math.max(told, ran - kept - 1);
            return true;
        }
        long lastNs =
                last
                        ? WindowEnds.plus(endNs, kept * emission.slideNs())
                        : WindowEnds.last(emission, watermarkNs);
        tell((lastNs - endNs) / emission.slideNs(), ran, last ? 0 : kept, out);
        endNs = Math.max(endNs, lastNs);
        return watermarkNs < from.untilNs();
    }

    private void tell(long windows, long ran, long left, Out out) {
        boolean exact = ran == Long.MAX_VALUE;
        long most = Math.min(windows, MOST);
        for (long w = 0; w < most && (exact || ran > told); w++) {
            long toEndNs = endNs + (w + 1) * emission.slideNs();
            long startNs = toEndNs - emission.sizeNs();
            if (startNs >= from.untilNs()) {
                return;
            }
            long share = exact ? ran : Math.max(1, (ran - told - left) / (most - w));
            told += exact ? 0 : share;
            out.lost(from, startNs, toEndNs, share);
        }
    }
}
