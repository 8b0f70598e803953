package io.weir.operators.result;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;

/** What the stages after the kernels ask of a query's graph. Cold. */
public final class QueryShape {
    /**
     * How often, in event time, totals without a window come, and rows without an aggregate: one
     * grid for workers and the merge.
     */
    public static final long TICK_NS = 1_000_000_000L;

    private QueryShape() {}

    /** Whether it is an aggregate without a window. */
    public static boolean isTotals(Query query) {
        return query.aggregate().filter(a -> a.window().isEmpty()).isPresent();
    }

    /**
     * The grid on which the query's rows come: its windows, the ticks of totals, the seconds of
     * rows without an aggregate.
     */
    public static Window emission(Query query) {
        return query.aggregate()
                .flatMap(Operator.Aggregate::window)
                .orElseGet(() -> Window.tumble(TICK_NS));
    }
}
