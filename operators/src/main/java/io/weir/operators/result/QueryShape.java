package io.weir.operators.result;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import java.util.ArrayList;
import java.util.List;

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
     * Whether each tick of totals tells all rows of the table, and not only those of groups that
     * have changed: else nobody could tell from them which rows the table has. So it is where LIMIT
     * or HAVING can take a row back, where rows do not show their group, and over a table.
     */
    public static boolean tellsWholeTable(Query query) {
        if (!isTotals(query)) {
            return false;
        }
        return query.scan().isTable() || isLimited(query) || takesBack(query) || !showsKeys(query);
    }

    /** Whether LIMIT or OFFSET leave rows out. */
    static boolean isLimited(Query query) {
        return query.root() instanceof Operator.Sort sort
                && (sort.limit().isPresent() || sort.offset() > 0);
    }

    private static boolean takesBack(Query query) {
        return query.projection().input() instanceof Operator.Filter having
                && !Monotone.isMet(query, having.condition());
    }

    private static boolean showsKeys(Query query) {
        List<Expr> shown = new ArrayList<>();
        query.projection().outputs().forEach(output -> shown.add(output.expr()));
        return query.aggregate().orElseThrow().keys().stream()
                .allMatch(key -> shown.contains(key.column()));
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
