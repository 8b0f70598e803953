package io.weir.operators.window;

/**
 * Reports packets without room to panes and windows. If only the heaviest groups stay, nobody knows
 * then what a group lacks. Otherwise a group lacks at most that many packets, except packets of
 * groups that have no entry. The panes' owner.
 */
final class Shortage {
    private final PaneList open;
    private final boolean heavy;

    /** True if a packet that found no room may be of a group that has an entry. */
    private final boolean hasSets;

    /** The times of packets that found no pane. Each window that may hold one of them lacks all. */
    private long fromNs = Long.MAX_VALUE;

    private long toNs = Long.MIN_VALUE;
    private long packets;

    /** Returns null if windows do not report what their groups may lack. */
    static Shortage of(PaneList open, PaneShape shape) {
        boolean tells = shape.heavy().isPresent() || shape.creditWord().isPresent();
        return tells ? new Shortage(open, shape) : null;
    }

    private Shortage(PaneList open, PaneShape shape) {
        this.open = open;
        heavy = shape.heavy().isPresent();
        hasSets = shape.tables().size() > 2;
    }

    /**
     * Counts packets that found no table, or no pane.
     *
     * @param pane of their time, or null
     */
    void refused(Tables pane, long startNs, long count) {
        if (!heavy && pane != null) {
            pane.leftOut().addUntaken(count);
        } else {
            fromNs = Math.min(fromNs, startNs);
            toNs = Math.max(toNs, startNs);
            packets += count;
        }
    }

    /**
     * Counts packets that found no room in the tables of a pane.
     *
     * @param pane the one that is updated; null if nobody knows which
     * @param startNs of the current pane
     */
    void full(Tables pane, long startNs, long count) {
        if (pane == null && heavy) {
            refused(null, startNs, count);
        } else if (pane == null) {
            for (int p = 0; p < open.size(); p++) {
                open.pane(p).leftOut().addUntaken(count);
            }
        } else if (heavy) {
            pane.leftOut().addUnknown();
        } else if (hasSets) {
            pane.leftOut().addUntaken(count);
        } else {
            pane.leftOut().addAbsent(count);
        }
    }

    /** Sets the shortage of a window that is closed. */
    void tell(Tables window, long startNs, long endNs) {
        if (packets > 0 && fromNs < endNs && toNs >= startNs) {
            if (heavy) {
                window.leftOut().addUnknown();
            } else {
                window.leftOut().addUntaken(packets);
            }
        }
        if (startNs > toNs) {
            fromNs = Long.MAX_VALUE;
            toNs = Long.MIN_VALUE;
            packets = 0;
        }
    }
}
