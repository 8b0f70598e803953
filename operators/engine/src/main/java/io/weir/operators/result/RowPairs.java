package io.weir.operators.result;

import io.weir.operators.graph.Combination;
import io.weir.operators.graph.Combination.JoinKind;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.RowPredicate;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.function.Consumer;

/**
 * Joins the rows of one window, by a hash table of the right side's rows. Rows come in the order of
 * the left side, and for each left row in that of the right side. Right rows without a partner come
 * last. The results' thread.
 */
final class RowPairs {
    private final CompiledQuery code;
    private final NativeAllocator allocator;
    private final JoinKind kind;
    private final long sizeNs;
    private final RowPredicate residual;
    private final SideColumns left;
    private final SideColumns right;

    RowPairs(CompiledQuery code, Combination.Join join, NativeAllocator allocator) {
        this.code = code;
        this.allocator = allocator;
        kind = join.kind();
        sizeNs = join.left().sizeNs();
        residual = join.residual().map(code::combinedPredicate).orElse(null);
        left = SideColumns.of(join, true, code.combinedLayout());
        right = SideColumns.of(join, false, code.combinedLayout());
    }

    /**
     * @param timeNs the last instant of the window
     */
    void join(long timeNs, List<RowBatch> lefts, List<RowBatch> rights, Consumer<RowBatch> out) {
        boolean none =
                lefts.isEmpty() && !kind.keepsRight() || rights.isEmpty() && !kind.keepsLeft();
        if (none) {
            return;
        }
        long endNs = timeNs + 1;
        try (PairedRows made = new PairedRows(code, endNs - sizeNs, endNs, allocator, out);
                PairTable table = new PairTable(rights, right, allocator)) {
            for (RowBatch batch : lefts) {
                left.read(batch.layout());
                for (int row = 0; row < batch.rows(); row++) {
                    left(batch.address(row), table, made);
                }
            }
            if (kind.keepsRight()) {
                alone(table, made);
            }
        }
    }

    private void left(long row, PairTable table, PairedRows made) {
        boolean met = false;
        int index = left.hasNullKey(row) ? -1 : table.first(left, row);
        while (index >= 0 && (kind.hasPairs() || !met)) {
            met |= pair(row, index, table, made);
            index = table.next(index, left, row);
        }
        boolean alone = kind.hasPairs() || kind == JoinKind.ANTI ? !met && kind.keepsLeft() : met;
        if (alone) {
            long pair = made.next();
            left.copy(row, pair);
            right.none(pair);
            made.keep();
        }
    }

    /** Returns whether the two rows belong together. */
    private boolean pair(long row, int index, PairTable table, PairedRows made) {
        if (kind.hasPairs() || residual != null) {
            long pair = made.next();
            left.copy(row, pair);
            right.copy(table.row(index), pair);
            if (residual != null && !made.meets(residual)) {
                return false;
            } else if (kind.hasPairs()) {
                made.keep();
            }
        }
        table.meet(index);
        return true;
    }

    private void alone(PairTable table, PairedRows made) {
        for (int index = 0; index < table.rows(); index++) {
            if (!table.isMet(index)) {
                long pair = made.next();
                left.none(pair);
                right.copy(table.row(index), pair);
                made.keep();
            }
        }
    }
}
