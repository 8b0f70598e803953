package io.weir.operators.kernel;

import io.weir.operators.rows.RowLayout;

/** Sorted rows of one window as {@link OverValues}. */
record OverPartition(RowLayout layout, Addresses rows) implements OverValues {
    @Override
    public boolean isNull(int column, long row) {
        return RowOrder.isNull(rows.at((int) row), column);
    }

    @Override
    public long address(int column, long row) {
        return rows.at((int) row) + layout.offset(column);
    }

    @Override
    public long knownFromNs() {
        throw new IllegalStateException("rows of one window have no past");
    }
}
