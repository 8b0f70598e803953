package io.weir.operators.window;

/**
 * Makes windows of the open panes of a query, in order of their ends. The last pane of a window
 * becomes the window if nothing else needs it; else the panes are merged. The panes' owner.
 */
final class WindowClosing {
    private final PaneList open;
    private final PaneShape shape;
    private final boolean tight;
    private final Sizes sizes;
    private final TablesMerge merge;
    private final Shortage shortage;
    private long lastWindowEndNs = Long.MIN_VALUE;

    /**
     * @param tight whether panes have no room for the groups of others
     * @param shortage null if windows do not report what their groups may lack
     */
    WindowClosing(
            PaneList open,
            PaneShape shape,
            boolean tight,
            Sizes sizes,
            TablesMerge merge,
            Shortage shortage) {
        this.open = open;
        this.shape = shape;
        this.tight = tight;
        this.sizes = sizes;
        this.merge = merge;
        this.shortage = shortage;
    }

    /**
     * Returns whether a window has ended at this watermark.
     *
     * @param finished whether the input has ended too, and totals with it
     */
    boolean isDue(long watermarkNs, boolean finished) {
        if (open.size() == 0) {
            return false;
        }
        return shape.isTotal() ? finished : nextWindowEnd() <= watermarkNs;
    }

    private long nextWindowEnd() {
        long first = shape.firstWindowEnd(open.startNs(0));
        return first > lastWindowEndNs ? first : lastWindowEndNs + shape.slideNs();
    }

    /** Closes the next window; there must be one. */
    ClosedPanes close() {
        if (!shape.isTotal()) {
            return closeWindow(nextWindowEnd());
        }
        Tables total = open.pane(0);
        open.removeFirst(1);
        total.teach(sizes);
        return closed(Long.MIN_VALUE, Long.MAX_VALUE, total, 0);
    }

    private ClosedPanes closeWindow(long windowEndNs) {
        lastWindowEndNs = windowEndNs;
        Tables window = null;
        long lost = 0;
        int over = 0;
        for (int p = 0; p < open.size() && open.startNs(p) < windowEndNs; p++) {
            Tables pane = open.pane(p);
            boolean last = shape.lastWindowEnd(open.startNs(p)) <= windowEndNs;
            if (last) {
                over++;
                pane.teach(sizes);
            }
            if (window == null && last && (!tight || shape.paneNs() == shape.sizeNs())) {
                window = pane;
            } else {
                window = window == null ? pane.another(Long.MAX_VALUE) : window;
                lost += merge.merge(window, pane);
                if (last) {
                    pane.free();
                }
            }
        }
        open.removeFirst(over);
        return closed(windowEndNs - shape.sizeNs(), windowEndNs, window, lost);
    }

    private ClosedPanes closed(long startNs, long endNs, Tables window, long groupsLost) {
        if (shortage != null) {
            shortage.tell(window, startNs, endNs);
        }
        return new ClosedPanes(startNs, endNs, window, groupsLost);
    }
}
