package io.weir.operators.kernel;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.OverCall;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of earlier windows that the columns of OVER need, of one activation. Its memory is the
 * query's budget, beside that of its groups. One thread.
 */
public final class OverHistory implements AutoCloseable {
    /** The bound for a query without a budget. */
    public static final long DEFAULT_BYTES = 64L << 20;

    private final Optional<Budget> budget;
    private final List<OverPast> pasts = new ArrayList<>();

    /** The column with the end, or start, of a row's window; -1 if a batch is of one window. */
    private final int time;

    /**
     * @param layout of the rows with the columns of OVER
     */
    OverHistory(Query query, Operator.Over over, RowLayout layout, NativeAllocator allocator) {
        budget = query.budget();
        time = layout.indexOf(over.time());
        Map<List<String>, List<OverCall>> specs = new LinkedHashMap<>();
        for (OverCall call : over.calls()) {
            if (call.history()) {
                specs.computeIfAbsent(call.partition(), p -> new ArrayList<>()).add(call);
            }
        }
        long bytes = budget.map(Budget::memoryBytes).orElse(DEFAULT_BYTES) / specs.size();
        specs.values()
                .forEach(
                        calls ->
                                pasts.add(
                                        new OverPast(
                                                new OverSpec(layout, calls), allocator, bytes)));
    }

    /** Computes the columns of rows in order of time. */
    void compute(Addresses rows, RowLayout layout, long windowEndNs) {
        for (int r = 0; r < rows.count(); r++) {
            long row = rows.at(r);
            long endNs = time < 0 ? windowEndNs : Memory.getLong(row + layout.offset(time));
            for (OverPast past : pasts) {
                past.row(row, endNs);
            }
        }
    }

    /**
     * Returns how many partitions were forgotten for want of memory since the last call.
     *
     * @throws WeirException BUDGET_EXCEEDED if the query shall rather end
     */
    public long takeForgotten() {
        long forgotten = pasts.stream().mapToLong(OverPast::takeForgotten).sum();
        boolean fails = budget.filter(b -> b.overflow() == Budget.Overflow.FAIL).isPresent();
        if (forgotten > 0 && fails) {
            throw new WeirException(
                    ErrorCode.BUDGET_EXCEEDED,
                    "the earlier rows that OVER needs take more than its memory",
                    "raise memory, or read fewer rows or partitions");
        }
        return forgotten;
    }

    @Override
    public void close() {
        pasts.forEach(OverPast::close);
        pasts.clear();
    }
}
