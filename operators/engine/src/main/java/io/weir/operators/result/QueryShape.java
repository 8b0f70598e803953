package io.weir.operators.result;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import java.util.ArrayList;
import java.util.List;

/** Answers the questions of the later stages about a query's graph. Cold. */
public final class QueryShape {
    /**
     * The interval, in event time, of totals without a window and of rows without an aggregate.
     * Workers and the merge use the same grid.
     */
    public static final long TICK_NS = 1_000_000_000L;

    private QueryShape() {}

    /** Returns whether it is an aggregate without a window. */
    public static boolean isTotals(Query query) {
        return query.aggregate().filter(a -> a.window().isEmpty()).isPresent();
    }

    /**
     * Returns whether each tick of totals must report all rows of the table, not only changed
     * groups. This holds if LIMIT, OVER or HAVING can take a row back, if rows do not show their
     * group, and over a table. A reader could not otherwise know the rows of the table.
     */
    public static boolean tellsWholeTable(Query query) {
        if (!isTotals(query)) {
            return false;
        }
        return query.scan().isTable()
                || dependsOnOthers(query)
                || takesBack(query)
                || !showsKeys(query);
    }

    /** Returns whether a row depends on others: by LIMIT, OFFSET or OVER. */
    static boolean dependsOnOthers(Query query) {
        return query.over().isPresent() || isLimited(query);
    }

    private static boolean isLimited(Query query) {
        return query.root() instanceof Operator.Sort sort
                && (sort.limit().isPresent() || sort.offset() > 0);
    }

    private static boolean takesBack(Query query) {
        return query.projection().input() instanceof Operator.Filter having
                && !MonotoneCondition.isMet(query, having.condition());
    }

    private static boolean showsKeys(Query query) {
        List<Expr> shown = new ArrayList<>();
        query.projection().outputs().forEach(output -> shown.add(output.expr()));
        return query.aggregate().orElseThrow().keys().stream()
                .allMatch(key -> shown.contains(key.column()));
    }

    /**
     * Returns the grid on which the query's rows come: its windows, the ticks of totals, the
     * seconds of rows without an aggregate.
     */
    public static Window emission(Query query) {
        return query.aggregate()
                .flatMap(Operator.Aggregate::window)
                .orElseGet(() -> Window.tumble(TICK_NS));
    }
}
