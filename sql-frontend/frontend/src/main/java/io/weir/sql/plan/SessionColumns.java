package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.SessionFolds;
import io.weir.operators.graph.Window;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The columns that each session has of its own: its start, its end, and whether it was seen in
 * part.
 *
 * @param start over the aggregate's columns, as all others
 */
record SessionColumns(Variable start, Variable last, Expr end, Variable parts) {
    /**
     * Returns them if the query has sessions. Its aggregate then has their folds.
     *
     * @param folds gives the column of a fold
     */
    static Optional<SessionColumns> of(
            RowScope rows, Grouping grouping, Function<FoldCall, Variable> folds) {
        if (grouping.window().filter(Window::isOfSessions).isEmpty()) {
            return Optional.empty();
        }
        Windowing windowing = grouping.windowing().orElseThrow();
        Variable time = rows.find(windowing.time().name()).orElseThrow();
        Variable last = folds.apply(SessionFolds.last(time));
        return Optional.of(
                new SessionColumns(
                        folds.apply(SessionFolds.first(time)),
                        last,
                        SessionFolds.end(last, windowing.window().sizeNs()),
                        folds.apply(SessionFolds.PARTS)));
    }

    /** Returns whether it is the start or the end. */
    boolean isBound(Expr expr) {
        return expr.equals(start) || expr.equals(end);
    }

    /**
     * Returns the column of this name; empty if sessions have no such column of their own.
     *
     * @param result marks a column of the aggregate
     */
    Optional<Expr> find(String name, UnaryOperator<Variable> result) {
        if (name.equals(Operator.Aggregate.WINDOW_START)) {
            return Optional.of(start);
        } else if (name.equals(Operator.Aggregate.WINDOW_END)) {
            return Optional.of(end);
        } else if (name.equals(Operator.Row.IS_PARTIAL.name())) {
            Expr seen = Functions.call(">", parts, Expr.Literal.of(0L));
            Variable now = result.apply(Operator.Row.IS_PARTIAL);
            return Optional.of(Functions.call(Functions.OR, List.of(now, seen)));
        }
        return Optional.empty();
    }
}
