package io.weir.operators.result;

import io.weir.operators.kernel.ActiveInterval;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.Partial;
import io.weir.operators.kernel.PartialWindow;
import io.weir.operators.kernel.QueryState;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;

/** Projects a whole table at once; LIMIT is for that table. One thread. */
final class TableProjection {
    private final CompiledQuery code;
    private final StateOptions options;
    private final NativeAllocator allocator;

    TableProjection(CompiledQuery code, StateOptions options, NativeAllocator allocator) {
        this.code = code;
        this.options = options;
        this.allocator = allocator;
    }

    /** Returns the projected rows. The caller closes them. */
    RowBatch of(RowBatch table) {
        Partial made = null;
        long full;
        try (QueryState state = code.newState(allocator, new ActiveInterval(), options)) {
            state.rows(table);
            state.finish();
            PartialWindow window = state.nextWindow();
            made = window == null ? null : window.groups();
            full = state.packetsStateFull();
        }
        try (Partial rows = made == null ? code.newPartial(allocator, options.maxBytes()) : made) {
            RowBatch projected =
                    code.finish(
                            rows,
                            table.windowStartNs(),
                            table.windowEndNs(),
                            RowContext.WHOLE,
                            allocator);
            RowBatch limited = code.newStreamLimit().apply(projected);
            double room = table.rows() == 0 ? 1 : 1 - full / (double) table.rows();
            limited.completeness(Math.min(room, table.completeness()));
            return limited;
        }
    }
}
