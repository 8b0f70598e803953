package io.weir.operators.window;

import io.weir.operators.map.EntryLayout;
import java.util.List;
import java.util.Optional;

/**
 * What a query's panes are like.
 *
 * @param sizeNs of a window; 0: one pane for all time, closed at the end
 * @param slideNs from one window to the next
 * @param paneNs width of the panes that windows are made of
 * @param clips whether what comes late counts in the first pane still open; else it is refused
 * @param tables their entries, as kernels fill them
 * @param tablesOfFamily numbers of the tables that a kernel of IPv4 (0) or IPv6 (1) uses
 * @param rowBytes stride of rows, for panes that hold rows; else 0
 * @param heavy of panes that keep their heaviest groups
 */
public record PaneShape(
        long sizeNs,
        long slideNs,
        long paneNs,
        boolean clips,
        List<EntryLayout> tables,
        List<List<Integer>> tablesOfFamily,
        int rowBytes,
        Optional<HeavyShape> heavy) {
    boolean isTotal() {
        return sizeNs == 0;
    }

    /** End of the first window, by time, that holds the pane from {@code startNs}. */
    long firstWindowEnd(long startNs) {
        long earliestStart = startNs + paneNs - sizeNs;
        return -Math.floorDiv(-earliestStart, slideNs) * slideNs + sizeNs;
    }

    /** End of the last window that holds it. */
    long lastWindowEnd(long startNs) {
        return Math.floorDiv(startNs, slideNs) * slideNs + sizeNs;
    }
}
