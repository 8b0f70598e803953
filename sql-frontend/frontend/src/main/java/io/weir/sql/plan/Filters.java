package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.sql.validate.ExpressionBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans WHERE and HAVING. */
final class Filters {
    private Filters() {}

    static Optional<Expr> where(RowScope rows, SelectParts parts) {
        Optional<Expr> own = ofClause(rows, parts);
        if (rows.correlated().isEmpty() && rows.matches().isEmpty()) {
            return own;
        }
        List<Expr> all = new ArrayList<>();
        own.ifPresent(condition -> all.addAll(Conditions.parts(condition)));
        all.addAll(rows.matches());
        rows.correlated().ifPresent(upstream -> all.addAll(upstream.conditions()));
        return Conditions.all(rows.binding, parts.select(), all);
    }

    private static Optional<Expr> ofClause(RowScope rows, SelectParts parts) {
        if (parts.where() == null) {
            return Optional.empty();
        }
        Expr condition =
                new ExpressionBinder(rows.binding, rows.in("WHERE"))
                        .condition(parts.where(), "WHERE");
        return Optional.of(rows.binding.taken(parts.where(), condition));
    }

    static Operator over(Operator input, Optional<Expr> condition) {
        return condition.isPresent() ? new Operator.Filter(input, condition.get()) : input;
    }
}
