package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Order;
import io.weir.operators.graph.Query;
import io.weir.sql.catalog.Stream;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/**
 * Plans queries without aggregates: a row out for each row in, in order of time; or SELECT
 * DISTINCT.
 */
final class RowPlanner {
    private final Binding binding;
    private final RowScope rows;
    private final SelectParts parts;
    private final Optional<Query> atRest;
    private final ColumnUse use = new ColumnUse();
    private Optional<OverClause> over = Optional.empty();

    /**
     * @param atRest the query whose rows are read, if they are all there and can be put in any
     *     order
     */
    RowPlanner(RowScope rows, SelectParts parts, Optional<Query> atRest) {
        this.atRest = atRest;
        this.binding = rows.binding;
        this.rows = rows.source.window().isPresent() ? WindowedRows.over(rows) : rows;
        this.parts = parts;
    }

    Operator plan() {
        List<SelectItem> items = SelectItem.of(rows, parts.items());
        over =
                OverClause.first(parts)
                        .map(first -> new OverStream(rows, first, atRest.isPresent()))
                        .map(input -> new OverClause(binding, input, items));
        List<Named> outputs = new Outputs(binding).named(items, this::bind);
        Optional<Expr> where = Filters.where(rows, parts);
        OrderClause order = new OrderClause(binding, outputs, this::bind);
        List<Order> orders = order.orders(parts.order());
        Optional<Expr> qualify = over.flatMap(clause -> clause.qualify(parts));
        where.ifPresent(use::add);
        use.addKeys(over.map(OverClause::passed).orElse(outputs));
        Operator input = Filters.over(use.scan(read(orders)), where);
        if (parts.distinct()) {
            return distinct(input, outputs, orders);
        }
        Operator project =
                over.isPresent()
                        ? over.get().above(input, qualify, outputs)
                        : new Operator.Project(input, outputs);
        List<Order> all = orders.isEmpty() ? asItWas(outputs) : byTime(orders, outputs);
        return Limits.over(binding, project, all, parts);
    }

    /** Totals that are ordered are read once, at the end. */
    private Stream read(List<Order> orders) {
        Stream stream = rows.source.stream();
        boolean waits = !orders.isEmpty() && !parts.distinct() && atRest.isEmpty();
        return waits && isTotals() ? stream.atEnd() : stream;
    }

    private Expr bind(SqlNode node) {
        return over.isPresent()
                ? over.get().bind(node)
                : new ExpressionBinder(binding, rows).bind(node);
    }

    /** Rows at rest come in their query's order, as far as its order columns are selected. */
    private List<Order> asItWas(List<Named> outputs) {
        List<Order> orders = new ArrayList<>();
        if (atRest.isPresent() && atRest.get().root() instanceof Operator.Sort sort) {
            for (Order order : sort.orders()) {
                Optional<Named> shown = outputs.stream().filter(o -> is(o, order)).findFirst();
                if (shown.isEmpty()) {
                    break; // later keys only order rows that are equal in it
                }
                orders.add(new Order(shown.get().name(), order.descending(), order.nullsFirst()));
            }
        }
        return orders;
    }

    private static boolean is(Named output, Order order) {
        return output.expr() instanceof Expr.Variable column
                && column.name().equals(order.column());
    }

    /**
     * Rows already come in order of time. An endless stream can have no other order. Totals can be
     * read at their end.
     */
    private List<Order> byTime(List<Order> orders, List<Named> outputs) {
        if (atRest.isPresent() || isTotals()) {
            return orders;
        }
        Order first = orders.get(0);
        boolean byTime =
                orders.size() == 1
                        && !first.descending()
                        && outputs.stream()
                                .filter(o -> o.name().equals(first.column()))
                                .anyMatch(o -> isTime(o.expr()));
        if (!byTime) {
            throw binding.error(
                    ErrorCode.INVALID_QUERY,
                    parts.order().get(0),
                    "an endless stream can only be ordered by its time, from the oldest",
                    windowHint());
        }
        return List.of();
    }

    private boolean isTotals() {
        return rows.source.stream().type().isOfQuery() && rows.source.stream().isTable();
    }

    private String windowHint() {
        Stream stream = rows.source.stream();
        return stream.type().isOfQuery()
                ? "if " + stream.name() + " has windows, ORDER BY inside it orders each of them"
                : "group by TUMBLE("
                        + stream.time().name()
                        + ", …) to order each window; SELECT DISTINCT is ordered over all of a file";
    }

    private boolean isTime(Expr expr) {
        return expr instanceof Expr.Variable column
                && rows.source.stream().time(column.name()).isPresent();
    }

    private Operator distinct(Operator input, List<Named> outputs, List<Order> orders) {
        if (over.isPresent()) {
            throw binding.notSupported(
                    parts.select(), "DISTINCT with OVER", "make it a query, and select from it");
        }
        ColumnNames names = Grouping.reserved();
        List<Named> keys = new ArrayList<>();
        List<Named> shown = new ArrayList<>();
        for (Named output : outputs) {
            Named key =
                    keys.stream()
                            .filter(k -> k.expr().equals(output.expr()))
                            .findFirst()
                            .orElse(new Named(names.unique(output.name()), output.expr()));
            if (!keys.contains(key)) {
                rows.kept(parts.select(), key.expr());
                keys.add(key);
            }
            shown.add(new Named(output.name(), key.column()));
        }
        Operator groups =
                new Aggregate(
                        input,
                        Optional.empty(),
                        keys,
                        List.of(),
                        Distribution.wholeBy(rows.source.stream(), keys));
        return Limits.over(binding, new Operator.Project(groups, shown), orders, parts);
    }
}
