package io.weir.operators.window;

import io.weir.operators.map.EntryLayout;
import io.weir.operators.map.FlatMap;
import io.weir.operators.map.FlatMaps;
import io.weir.operators.map.LightestEviction;
import java.util.List;

/**
 * Keeps the heaviest groups of a query's panes within its memory. Each pane that may be open at a
 * time has an equal share, so that none takes the memory of the next. If a table has reached its
 * bound and may not fit a batch, its lighter half is removed. The panes' owner.
 */
final class TopKPanes {
    /** A swept table of this size still takes a batch. With less memory packets find no room. */
    private static final int LEAST_SLOTS = 512;

    private final LightestEviction lightest;
    private final long maxTableBytes;

    /** Returns null if panes do not keep their heaviest groups. */
    static TopKPanes of(PaneShape shape, long maxBytes) {
        return shape.heavy()
                .map(words -> new TopKPanes(words, maxBytes, tables(shape)))
                .orElse(null);
    }

    private TopKPanes(TopKShape shape, long maxBytes, int tables) {
        lightest =
                new LightestEviction(shape.weightWord(), shape.creditWord(), shape.packetsWord());
        maxTableBytes = maxBytes / shape.panes() * 2 / copies(tables);
    }

    /** Counts each table twice, because its groups are copied to a larger table when it grows. */
    private static int copies(int tables) {
        return 2 * tables + 1;
    }

    /** Returns the least memory of a query's state on each pipeline. */
    static long leastBytes(PaneShape shape) {
        long largest = 0;
        for (EntryLayout table : shape.tables()) {
            largest = Math.max(largest, FlatMaps.bytes(table, LEAST_SLOTS));
        }
        int panes = shape.heavy().orElseThrow().panes();
        return (largest * copies(tables(shape)) / 2 + 1) * panes;
    }

    /** Returns the most tables that a pane may have. */
    static int tables(PaneShape shape) {
        int most = 0;
        for (List<Integer> used : shape.tablesOfFamily()) {
            for (int table : used) {
                most = Math.max(most, table + 1);
            }
        }
        return most;
    }

    long maxTableBytes() {
        return maxTableBytes;
    }

    /** Makes room before so many entries are put into a pane. */
    void makeRoom(Tables pane, int entries) {
        for (int t = 0; t < pane.count(); t++) {
            FlatMap groups = pane.table(t);
            if (groups != null && !groups.makeRoom(entries)) {
                int stay = Math.min(groups.size() / 2, groups.fullAt() - entries);
                long rise = lightest.take(groups, Math.max(0, stay));
                pane.leftOut().add(t, rise, lightest.packets());
            }
        }
    }
}
