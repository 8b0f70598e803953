package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.sql.validate.ExpressionBinder;
import java.util.Optional;

/** WHERE and HAVING. */
final class Filters {
    private Filters() {}

    static Optional<Expr> where(RowScope rows, SelectParts parts) {
        return parts.where() == null
                ? Optional.empty()
                : Optional.of(
                        new ExpressionBinder(rows.binding, rows.in("WHERE"))
                                .condition(parts.where(), "WHERE"));
    }

    static Operator over(Operator input, Optional<Expr> condition) {
        return condition.isPresent() ? new Operator.Filter(input, condition.get()) : input;
    }
}
