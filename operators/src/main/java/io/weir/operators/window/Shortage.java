package io.weir.operators.window;

/**
 * Tells panes and windows of the packets that found no room. Where the heaviest groups stay, nobody
 * knows then what a group lacks. Else a group lacks at most that many packets, but none of those
 * whose groups have no entry. The panes' owner.
 */
final class Shortage {
    private final PaneList open;
    private final boolean heavy;

    /** Whether a packet that found no room may be of a group that has an entry. */
    private final boolean hasSets;

    /** Packets that found no pane: windows that may hold one of them lack all. */
    private long fromNs = Long.MAX_VALUE;

    private long toNs = Long.MIN_VALUE;
    private long packets;

    /** Null where windows do not tell what their groups may lack. */
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
     * Packets found no table, or no pane.
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
     * Packets found no room in the tables of a pane.
     *
     * @param pane the one that is updated; null where nobody knows which
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

    /** A window is closed. */
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
