package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Order;
import io.weir.sql.catalog.Stream;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlNode;

/** Plans queries with aggregates: GROUP BY, HAVING, ORDER BY per window. */
final class AggregatePlanner {
    private final Binding binding;
    private final RowScope rows;
    private final SelectParts parts;
    private final List<SelectItem> items;
    private final Grouping grouping;
    private final GroupScope groups;
    private final Optional<OverClause> over;
    private List<Named> outputs;

    AggregatePlanner(RowScope rows, SelectParts parts) {
        this(rows, parts, new GroupClause(rows, SelectItem.of(rows, parts.items())));
    }

    private AggregatePlanner(RowScope rows, SelectParts parts, GroupClause clause) {
        this(rows, parts, clause.grouping(parts.group()), null);
    }

    private AggregatePlanner(
            RowScope rows, SelectParts parts, Grouping grouping, GroupScope scope) {
        this.binding = rows.binding;
        this.rows = rows;
        this.parts = parts;
        this.grouping = grouping;
        items = SelectItem.of(rows, parts.items());
        groups = scope == null ? new GroupScope(rows, grouping, parts.emit()) : scope;
        over =
                OverClause.first(parts)
                        .map(o -> new OverClause(binding, new OverGroups(groups, grouping), items));
    }

    /** Makes a planner with a scope that gives aggregates and columns another meaning. */
    static AggregatePlanner with(SelectParts parts, Grouping grouping, GroupScope scope) {
        return new AggregatePlanner(scope.rows, parts, grouping, scope);
    }

    Operator plan() {
        return plan(Filters.where(rows, parts), Optional.empty());
    }

    /** Binds SELECT's items, whose errors come first. */
    void bindItems() {
        if (outputs == null) {
            outputs = new Outputs(binding).named(items, this::boundItem);
        }
    }

    /**
     * @param where over the input
     * @param alsoHaving a condition over the aggregate's columns, beside HAVING
     */
    Operator plan(Optional<Expr> where, Optional<Expr> alsoHaving) {
        if (parts.distinct()) {
            throw binding.notSupported(
                    parts.select(),
                    "DISTINCT with aggregates",
                    "rows are distinct already where all group columns are selected");
        }
        bindItems();
        Optional<Expr> having = having(alsoHaving);
        List<Order> orders =
                new OrderClause(binding, outputs, this::boundItem).orders(parts.order());
        Optional<Expr> qualify = over.flatMap(clause -> clause.qualify(parts));
        Operator below = Filters.over(aggregate(where), having);
        Operator project =
                over.isPresent()
                        ? over.get().above(below, qualify, outputs)
                        : new Operator.Project(below, outputs);
        return Limits.over(binding, project, orders, parts);
    }

    private Operator aggregate(Optional<Expr> where) {
        ColumnUse use = new ColumnUse();
        where.ifPresent(use::add);
        use.addKeys(groups.keys());
        use.addFolds(groups.folds());
        Stream stream = rows.source.stream();
        TimeColumn time = grouping.windowing().map(Windowing::time).orElse(stream.time());
        Operator input = Filters.over(use.scan(stream, time), where);
        return new Aggregate(
                input,
                new EmitClause(binding).window(parts.emit(), grouping),
                groups.keys(),
                groups.folds(),
                Distribution.wholeBy(stream, groups.keys()));
    }

    private Expr bind(SqlNode node) {
        return new ExpressionBinder(binding, groups).bind(node);
    }

    private Expr boundItem(SqlNode node) {
        return over.isPresent() ? over.get().bind(node) : groups.regroup(bind(node), node);
    }

    private Optional<Expr> having(Optional<Expr> alsoHaving) {
        if (parts.having() == null) {
            return alsoHaving;
        }
        items.stream()
                .filter(item -> item.alias().isPresent())
                .filter(item -> Contains.over(List.of(item.node())).isEmpty())
                .forEach(item -> groups.alias(item.alias().get(), bind(item.node())));
        Expr condition = new ExpressionBinder(binding, groups).condition(parts.having(), "HAVING");
        Expr regrouped = binding.taken(parts.having(), groups.regroup(condition, parts.having()));
        return alsoHaving
                .map(also -> Conditions.both(binding, parts.having(), also, regrouped))
                .or(() -> Optional.of(regrouped));
    }
}
