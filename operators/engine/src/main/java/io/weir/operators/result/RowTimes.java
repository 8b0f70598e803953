package io.weir.operators.result;

import io.weir.operators.graph.Combination;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Copies rows of one side of a join, one batch for each window. All copies have the layout of the
 * first batch, also if a later version of the side's query has another. The results' thread.
 */
final class RowTimes {
    private final Combination.Side side;
    private final long shiftNs;
    private RowLayout layout;

    RowTimes(Combination.Side side) {
        this.side = side;
        shiftNs =
                switch (side.reads()) {
                    case WINDOW_END -> 0;
                    case WINDOW_START -> side.sizeNs();
                    case ITSELF -> 1;
                };
    }

    /** Returns copies, each with the end of its rows' window. The caller closes them. */
    List<RowBatch> split(RowBatch batch, NativeAllocator allocator) {
        layout = layout == null ? batch.layout() : layout;
        int column = side.time().isEmpty() ? -1 : batch.layout().indexOf(side.time());
        if (isOne(batch, column)) {
            return List.of(copy(batch, endNs(batch, 0, column), null, allocator));
        }
        Map<Long, List<Integer>> rows = new TreeMap<>();
        for (int row = 0; row < batch.rows(); row++) {
            rows.computeIfAbsent(endNs(batch, row, column), end -> new ArrayList<>()).add(row);
        }
        List<RowBatch> all = new ArrayList<>();
        rows.forEach((endNs, some) -> all.add(copy(batch, endNs, some, allocator)));
        return all;
    }

    private boolean isOne(RowBatch batch, int column) {
        long endNs = endNs(batch, 0, column);
        for (int row = 1; column >= 0 && row < batch.rows(); row++) {
            if (endNs(batch, row, column) != endNs) {
                return false;
            }
        }
        return true;
    }

    /** A row without a time is one that an outer join has added: its batch tells the time. */
    private long endNs(RowBatch batch, int row, int column) {
        return column < 0 || batch.isNull(row, column)
                ? batch.windowEndNs()
                : batch.word(row, column) + shiftNs;
    }

    /**
     * @param some the rows to copy; null: all
     */
    private RowBatch copy(
            RowBatch batch, long endNs, List<Integer> some, NativeAllocator allocator) {
        int rows = some == null ? batch.rows() : some.size();
        RowBatch copy =
                new RowBatch(batch.query(), layout, endNs - side.sizeNs(), endNs, rows, allocator);
        copy.texts().keep(batch.texts());
        boolean same = batch.layout().columns().equals(layout.columns());
        if (same && some == null) {
            Memory.copy(batch.address(0), copy.address(0), copy.bytes());
            return copy;
        }
        for (int to = 0; to < rows; to++) {
            int from = some == null ? to : some.get(to);
            if (same) {
                Memory.copy(batch.address(from), copy.address(to), layout.strideBytes());
            } else {
                convert(batch, from, copy, to);
            }
        }
        return copy;
    }

    /** Copies by names: a later version has the same columns at other places. */
    private void convert(RowBatch batch, int from, RowBatch copy, int to) {
        SideColumns.clearNulls(copy.address(to), layout);
        for (int c = 0; c < layout.columns().size(); c++) {
            int there = batch.layout().indexOf(layout.columns().get(c).name());
            long bytes = (long) RowLayout.words(layout.kind(c)) * Long.BYTES;
            Memory.copy(
                    batch.address(from) + batch.layout().offset(there),
                    copy.address(to) + layout.offset(c),
                    bytes);
            if (batch.isNull(from, there)) {
                SideColumns.setNull(copy.address(to), c);
            }
        }
    }
}
