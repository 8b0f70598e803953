package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import org.apache.calcite.sql.SqlIdentifier;

/** Names are columns of packets, in a query that aggregates flows: the 5-tuple and the node. */
final class FlowKeyScope extends RowScope {
    FlowKeyScope(RowScope rows) {
        super(rows);
    }

    private FlowKeyScope(RowScope rows, String clause) {
        super(rows, clause);
    }

    @Override
    RowScope in(String otherClause) {
        return new FlowKeyScope(this, otherClause);
    }

    @Override
    public Expr column(SqlIdentifier name) {
        String column = columnName(name);
        if (FlowMetrics.NAMES.contains(column)) {
            throw binding.notSupported(
                    name,
                    column
                            + " of a single flow, in "
                            + clause
                            + " of a query with aggregates or DISTINCT over flows,",
                    "SUM(" + column + ") is, as is a query without either");
        }
        return super.column(name);
    }
}
