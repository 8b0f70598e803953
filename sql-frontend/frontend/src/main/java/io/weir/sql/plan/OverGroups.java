package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Window;
import io.weir.sql.validate.Environment;
import org.apache.calcite.sql.SqlNode;

/** Groups as input of OVER. All groups that come together are of one window, or of one table. */
record OverGroups(GroupScope groups, Grouping grouping) implements OverInput {
    @Override
    public Environment scope() {
        return groups;
    }

    @Override
    public boolean hasColumn(String name) {
        return RowScope.WINDOW_COLUMNS.contains(name)
                || grouping.keys().stream().anyMatch(key -> key.name().equals(name));
    }

    @Override
    public Expr lowered(Expr bound, SqlNode at) {
        return groups.regroup(bound, at);
    }

    @Override
    public boolean isTime(Expr lowered) {
        boolean named =
                lowered instanceof Variable column
                        && RowScope.WINDOW_COLUMNS.contains(column.name());
        return grouping.window().isPresent() && named || groups.isSessionBound(lowered);
    }

    @Override
    public String time() {
        return "";
    }

    @Override
    public void checkHistory(SqlNode at) {
        if (grouping.window().filter(Window::isOfSessions).isPresent()) {
            throw groups.binding.notSupported(
                    at, "earlier rows in a query with sessions", "create a query over this one");
        }
        if (groups.rows.correlated().isPresent()) {
            throw groups.binding.notSupported(
                    at,
                    "rows of earlier windows in a query whose WHEN has values",
                    "create a query over this one");
        }
    }

    @Override
    public String unique(String name) {
        return groups.names().unique(name);
    }

    @Override
    public Variable added(Variable column) {
        return groups.result(column);
    }
}
