package io.weir.operators.window;

import io.weir.operators.map.EntryLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The shape of a query's panes.
 *
 * @param sizeNs of a window; 0: one pane for all time, closed at the end
 * @param slideNs from one window to the next
 * @param offsetNs from the epoch to the start of a window
 * @param paneNs width of the panes that windows are made of
 * @param clips true: a late packet counts in the first pane still open; false: it is refused
 * @param tables their entries, as kernels fill them
 * @param tablesOfFamily numbers of the tables that a kernel of IPv4 (0) or IPv6 (1) uses
 * @param rowBytes stride of rows, for panes that hold rows; else 0
 * @param heavy the words that rank groups, if panes keep their heaviest groups
 * @param creditWord the word of a group's value for credit, if panes report what groups without
 *     room lack
 */
public record PaneShape(
        long sizeNs,
        long slideNs,
        long offsetNs,
        long paneNs,
        boolean clips,
        List<EntryLayout> tables,
        List<List<Integer>> tablesOfFamily,
        int rowBytes,
        Optional<TopKShape> heavy,
        OptionalInt creditWord) {
    private static final long FARTHEST_NS = 1L << 62;

    /** Returns whether the time is too far from the epoch for any pane. */
    static boolean isFar(long timeNs) {
        return timeNs < -FARTHEST_NS || timeNs > FARTHEST_NS;
    }

    /** Returns the nearest time that a pane can have. */
    static long near(long timeNs) {
        return Math.max(-FARTHEST_NS, Math.min(FARTHEST_NS, timeNs));
    }

    boolean isTotal() {
        return sizeNs == 0;
    }

    /** Start of the pane that has this time. */
    long paneStart(long timeNs) {
        return Math.floorDiv(timeNs - offsetNs, paneNs) * paneNs + offsetNs;
    }

    /** End of the first window, by time, that holds the pane from {@code startNs}. */
    long firstWindowEnd(long startNs) {
        long earliestStart = startNs + paneNs - sizeNs - offsetNs;
        return -Math.floorDiv(-earliestStart, slideNs) * slideNs + offsetNs + sizeNs;
    }

    /** End of the last window that holds it. */
    long lastWindowEnd(long startNs) {
        return Math.floorDiv(startNs - offsetNs, slideNs) * slideNs + offsetNs + sizeNs;
    }
}
