package io.weir.sql.plan;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Order;
import io.weir.sql.validate.Binding;
import java.util.List;
import java.util.Optional;

/** Makes ORDER BY, LIMIT and OFFSET one operator, if there is any of them. */
final class Limits {
    private Limits() {}

    static Operator over(Binding binding, Operator input, List<Order> orders, SelectParts parts) {
        LimitClause clause = new LimitClause(binding);
        Optional<Long> limit = clause.rows(parts.fetch(), "LIMIT");
        long offset = clause.rows(parts.offset(), "OFFSET").orElse(0L);
        return orders.isEmpty() && limit.isEmpty() && offset == 0
                ? input
                : new Operator.Sort(input, orders, limit, offset);
    }
}
