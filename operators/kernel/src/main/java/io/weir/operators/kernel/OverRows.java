package io.weir.operators.kernel;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Order;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.code.GeneratedSource;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.kernel.code.RowSideCode;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the rows of a query with OVER. It fills in the columns that need several rows, keeps the
 * rows that meet QUALIFY, and projects them. Immutable; any thread.
 */
final class OverRows {
    private final Query query;
    private final Operator.Over over;
    private final RowLayout made;
    private final RowLayout shown;
    private final Finisher finisher;

    /** Calls that share a partition and an order. */
    private record Spec(List<String> partition, List<Order> orders) {}

    /**
     * @param made with room for the columns of OVER
     */
    OverRows(Query query, Plan.OverPart part, RowLayout made, RowLayout shown) {
        this.query = query;
        this.over = part.columns();
        this.made = made;
        this.shown = shown;
        GeneratedSource source = RowSideCode.finisher(part, made);
        made.strings().keep(source.symbols());
        finisher = GeneratedClasses.instance(source, Finisher.class);
    }

    /** Returns the rows that meet QUALIFY, in their order. The given batch is closed. */
    RowBatch shown(RowBatch rows, RowContext context, NativeAllocator allocator) {
        try (rows) {
            Addresses all = new Addresses();
            for (int r = 0; r < rows.rows(); r++) {
                all.add(rows.address(r));
            }
            compute(all);
            context.history().ifPresent(past -> past.compute(all, made, rows.windowEndNs()));
            return qualified(all, rows, context, allocator);
        }
    }

    private void compute(Addresses rows) {
        Map<Spec, OverSort> sorts = new LinkedHashMap<>();
        for (OverCall call : over.calls()) {
            if (!call.history()) {
                Spec spec = new Spec(call.partition(), call.orders());
                sorts.computeIfAbsent(
                                spec,
                                s -> new OverSort(made, over.time(), s.partition(), s.orders()))
                        .add(call);
            }
        }
        sorts.values().forEach(sort -> sort.compute(rows));
    }

    private RowBatch qualified(
            Addresses rows, RowBatch from, RowContext context, NativeAllocator allocator) {
        long start = from.windowStartNs();
        long end = from.windowEndNs();
        Addresses kept = new Addresses();
        for (int r = 0; r < rows.count(); r++) {
            if (finisher.keeps(rows.at(r), start, end, context)) {
                kept.add(rows.at(r));
            }
        }
        RowBatch batch = new RowBatch(query, shown, start, end, kept.count(), allocator);
        for (int r = 0; r < kept.count(); r++) {
            finisher.write(kept.at(r), batch.address(r), batch.texts(), start, end, context);
        }
        return batch;
    }
}
