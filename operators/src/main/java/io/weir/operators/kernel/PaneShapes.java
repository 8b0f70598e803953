package io.weir.operators.kernel;

import io.weir.operators.graph.Window;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.StateLayout;
import io.weir.operators.map.EntryLayout;
import io.weir.operators.result.RowLayout;
import io.weir.operators.window.PaneShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The panes that a query needs. Immutable. */
final class PaneShapes {
    /** Rows without aggregates are held, and come in order of time, a second at a time. */
    private static final long ROWS_NS = 1_000_000_000L;

    private final Optional<Window> window;
    private final boolean groups;
    private final List<EntryLayout> tables = new ArrayList<>();
    private final List<List<Integer>> tablesOfFamily = new ArrayList<>();
    private final int rowBytes;

    PaneShapes(Plan plan, StateLayout state, RowLayout rows) {
        groups = plan.aggregate().isPresent();
        window = plan.aggregate().flatMap(a -> a.window());
        rowBytes = groups ? 0 : Long.BYTES + rows.strideBytes();
        for (int t = 0; groups && t < state.tableCount(); t++) {
            tables.add(state.table(t));
        }
        for (int family : new int[] {4, 6}) {
            List<Integer> used = new ArrayList<>();
            if (groups) {
                used.add(state.groupTable(family));
                for (int d = 0; d < state.distinctFoldCount(); d++) {
                    used.add(state.setTable(d, family));
                }
            }
            tablesOfFamily.add(used);
        }
    }

    /** Whether packets go to panes by their time even without ticks. */
    boolean arePaned() {
        return !groups || window.isPresent();
    }

    /** Stride of rows, where panes hold rows; else 0. */
    int rowBytes() {
        return rowBytes;
    }

    List<EntryLayout> tables() {
        return tables;
    }

    PaneShape of(StateOptions options) {
        if (window.isPresent()) {
            Window w = window.get();
            return shape(w.sizeNs(), w.slideNs(), w.paneNs(), false);
        }
        long ns = groups ? options.tickNs() : ROWS_NS;
        return shape(ns, ns, ns, true);
    }

    private PaneShape shape(long sizeNs, long slideNs, long paneNs, boolean clips) {
        return new PaneShape(sizeNs, slideNs, paneNs, clips, tables, tablesOfFamily, rowBytes);
    }
}
