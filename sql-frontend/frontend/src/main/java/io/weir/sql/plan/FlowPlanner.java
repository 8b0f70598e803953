package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.sql.validate.Binding;
import io.weir.sql.validate.ExpressionBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans queries over {@code flows}, with a row for each 5-tuple and node, as queries over packets:
 * an aggregate by the 5-tuple. If the query itself aggregates, one aggregate gives the result of
 * both ({@link FlowGroupScope}).
 */
final class FlowPlanner {
    private final Binding binding;
    private final RowScope rows;
    private final SelectParts parts;
    private final boolean aggregates;

    FlowPlanner(RowScope rows, SelectParts parts, boolean aggregates) {
        this.binding = rows.binding;
        this.rows = rows;
        this.parts = parts;
        this.aggregates = aggregates;
    }

    Operator plan() {
        if (aggregates) {
            return groups();
        }
        return parts.distinct() ? distinct() : flows();
    }

    /** Each flow has packets, so their keys are those of the flows. */
    private Operator distinct() {
        return new RowPlanner(new FlowKeyScope(rows), parts, Optional.empty()).plan();
    }

    private Operator groups() {
        RowScope keys = new FlowKeyScope(rows);
        List<SelectItem> items = SelectItem.of(rows, parts.items());
        Grouping grouping = new GroupClause(keys, items).grouping(parts.group());
        FlowGroupScope scope = new FlowGroupScope(keys, grouping);
        return AggregatePlanner.with(parts, grouping, scope)
                .plan(Filters.where(keys, parts), Optional.empty());
    }

    private Operator flows() {
        List<Named> keys = new ArrayList<>();
        for (Expr.Variable column : FlowMetrics.key()) {
            keys.add(new Named(column.name(), column));
        }
        Grouping grouping = new Grouping(Optional.empty(), keys);
        FlowRowScope scope = new FlowRowScope(rows, grouping);
        AggregatePlanner planner = AggregatePlanner.with(parts, grouping, scope);
        if (parts.where() == null) {
            return planner.plan(
                    Conditions.all(binding, parts.select(), rows.matches()), Optional.empty());
        }
        return filtered(planner, scope);
    }

    /** Conditions of WHERE on the 5-tuple are tested per packet, the rest per flow. */
    private Operator filtered(AggregatePlanner planner, FlowRowScope scope) {
        planner.bindItems();
        Expr where = new ExpressionBinder(binding, scope).condition(parts.where(), "WHERE");
        List<Expr> perPacket = new ArrayList<>(rows.matches());
        List<Expr> perFlow = new ArrayList<>();
        for (Expr part : Conditions.parts(where)) {
            if (scope.usesResults(part)) {
                perFlow.add(scope.regroup(part, parts.where()));
            } else {
                perPacket.add(part);
            }
        }
        return planner.plan(
                Conditions.all(binding, parts.where(), perPacket),
                Conditions.all(binding, parts.where(), perFlow));
    }
}
