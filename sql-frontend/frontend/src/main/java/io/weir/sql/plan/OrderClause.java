package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Order;
import io.weir.sql.validate.Binding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;

/** Plans ORDER BY: aliases, positions, and expressions of SELECT. */
final class OrderClause {
    private final Binding binding;
    private final List<Named> outputs;

    /** An expression over the operator below the projection. */
    private final Function<SqlNode, Expr> binder;

    OrderClause(Binding binding, List<Named> outputs, Function<SqlNode, Expr> binder) {
        this.binding = binding;
        this.outputs = outputs;
        this.binder = binder;
    }

    List<Order> orders(List<SqlNode> items) {
        List<Order> orders = new ArrayList<>();
        for (SqlNode item : items) {
            Order order = order(item);
            if (orders.stream().noneMatch(o -> o.column().equals(order.column()))) {
                orders.add(order);
            }
        }
        return orders;
    }

    private Order order(SqlNode item) {
        SortKey key = SortKey.of(item);
        return new Order(column(key.node()), key.descending(), key.nullsFirst());
    }

    private String column(SqlNode node) {
        if (node instanceof SqlDynamicParam) {
            throw binding.notSupported(
                    node,
                    "a parameter in ORDER BY",
                    "name a column of SELECT, or its position: ORDER BY 1");
        }
        if (node instanceof SqlNumericLiteral literal) {
            return outputs.get(Positions.of(binding, literal, outputs.size(), "ORDER BY") - 1)
                    .name();
        }
        if (node instanceof SqlIdentifier id && id.isSimple()) {
            Optional<Named> alias =
                    outputs.stream().filter(o -> o.name().equals(id.getSimple())).findFirst();
            if (alias.isPresent()) {
                return alias.get().name();
            }
        }
        Expr expr = binder.apply(node);
        return outputs.stream()
                .filter(o -> o.expr().equals(expr))
                .map(Named::name)
                .findFirst()
                .orElseThrow(() -> notSelected(node));
    }

    private RuntimeException notSelected(SqlNode node) {
        return binding.error(
                ErrorCode.NOT_SUPPORTED,
                node,
                "ORDER BY something that SELECT does not have is not supported yet",
                "add " + binding.source().quote(node) + " to SELECT");
    }
}
