package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;

/** Names in a query that shows flows. Metrics are folds over the flow's packets. */
final class FlowRowScope extends GroupScope {
    FlowRowScope(RowScope rows, Grouping grouping) {
        super(rows, grouping);
    }

    @Override
    public Expr column(SqlIdentifier name) {
        String column = name.isStar() ? "" : name.names.get(name.names.size() - 1);
        if (!FlowMetrics.NAMES.contains(column)) {
            return super.column(name);
        }
        rows.columnName(name);
        return result(FlowMetrics.of(column, true, Optional.empty()));
    }
}
