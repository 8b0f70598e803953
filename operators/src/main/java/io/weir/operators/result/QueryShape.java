package io.weir.operators.result;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import java.util.Optional;

/** What the stages after the kernels ask of a query's graph. Cold. */
public final class QueryShape {
    private static final long ROWS_PANE_NS = 1_000_000_000L;

    private QueryShape() {}

    /** Whether it is an aggregate without a window. */
    public static boolean isTotals(Query query) {
        return query.aggregate().filter(a -> a.window().isEmpty()).isPresent();
    }

    /**
     * The grid on which the query's rows come: its windows, the ticks of totals, the seconds of
     * rows without an aggregate.
     */
    public static Window emission(Query query, long tickNs) {
        Optional<Operator.Aggregate> aggregate = query.aggregate();
        if (aggregate.isEmpty()) {
            return Window.tumble(ROWS_PANE_NS);
        }
        return aggregate.get().window().orElseGet(() -> Window.tumble(tickNs));
    }
}
