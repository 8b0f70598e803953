package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/** Reads LIMIT, OFFSET and FETCH: numbers of rows. */
final class LimitClause {
    private final Binding binding;

    LimitClause(Binding binding) {
        this.binding = binding;
    }

    /** Returns rows, from 0 up; empty for no node. */
    Optional<Long> rows(SqlNode node, String clause) {
        if (node == null) {
            return Optional.empty();
        }
        Expr bound = new ExpressionBinder(binding, new ConstantScope(binding, clause)).bind(node);
        Expr expr = binding.constant(node, bound, Expr.Literal.of(1L));
        if (expr instanceof Expr.Literal literal
                && literal.value() instanceof Long rows
                && rows >= 0) {
            return Optional.of(rows);
        }
        throw binding.error(
                ErrorCode.INVALID_QUERY, node, clause + " takes a whole number of rows, from 0");
    }
}
