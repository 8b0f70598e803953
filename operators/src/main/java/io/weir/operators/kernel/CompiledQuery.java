package io.weir.operators.kernel;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.result.RowBatch;
import io.weir.operators.result.RowLayout;

/** A query as code. Immutable; any thread. */
@SuppressWarnings("DoNotCallSuggester")
public final class CompiledQuery {
    private final Query query;
    private final RowLayout rowLayout;

    CompiledQuery(Query query) {
        this.query = query;
        rowLayout = new RowLayout(query.columns());
    }

    public Query query() {
        return query;
    }

    public RowLayout rowLayout() {
        return rowLayout;
    }

    /** The generated class for one layout, with its literals: EXPLAIN (KERNEL). */
    public String source(GpvLayout layout) {
        throw new UnsupportedOperationException("in the next slice: " + layout.name());
    }

    /** State of one activation on one pipeline. */
    public QueryState newState(
            NativeAllocator allocator, Gate gate, StateOptions options, PartialSink sink) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** Totals of one activation with ticks, after the merge. */
    public RunningTotals newTotals(NativeAllocator allocator, StateOptions options) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /**
     * The limit that the result stage applies to the finished rows of one activation: of a query
     * without aggregates, LIMIT; of others none, since {@link #finish} has applied it.
     */
    public StreamLimit newStreamLimit() {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** {@code into}, with the groups of {@code from} merged into it; {@code from} is closed. */
    public Partial merge(Partial into, Partial from) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /**
     * The window's rows: fold results, HAVING, projection, ORDER BY and LIMIT. Without ORDER BY,
     * and among equals, rows come by group key, so that they are the same for any number of
     * pipelines. The partial is left to the caller to close.
     */
    public RowBatch finish(
            Partial partial,
            long windowStartNs,
            long windowEndNs,
            RowContext context,
            NativeAllocator allocator) {
        throw new UnsupportedOperationException("in the next slice");
    }

    /** A condition over this query's output rows. */
    public RowPredicate predicate(Expr condition) {
        throw new UnsupportedOperationException("in the next slice");
    }
}
