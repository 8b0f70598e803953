package io.weir.sql.plan;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.RowTime;
import io.weir.sql.catalog.Stream;
import io.weir.sql.validate.Environment;
import org.apache.calcite.sql.SqlNode;

/** The rows of a query as input of OVER. Rows of several windows can come together. */
final class OverStream implements OverInput {
    private final RowScope rows;
    private final boolean atRest;
    private final ColumnNames names = new ColumnNames();

    /**
     * @param over the first call with OVER
     * @param atRest whether only the last window is read
     */
    OverStream(RowScope rows, SqlNode over, boolean atRest) {
        this.rows = rows;
        this.atRest = atRest;
        stream().columns().forEach(column -> names.take(column.name()));
        check(over);
    }

    private Stream stream() {
        return rows.source.stream();
    }

    private void check(SqlNode over) {
        if (rows.source.window().isPresent() || stream().form() != Stream.Form.ROWS) {
            throw rows.binding.error(
                    ErrorCode.INVALID_QUERY,
                    over,
                    "OVER works on the rows of windows, and single packets are none",
                    "group by TUMBLE(ts, …), or select from a query that does");
        } else if (stream().isTable() && !atRest) {
            throw rows.binding.notSupported(
                    over,
                    "OVER over the totals of another query",
                    "write it in " + stream().name() + " itself, or give that a window");
        } else if (stream().isTable()) {
            return;
        } else if (stream().times().isEmpty()) {
            throw rows.binding.error(
                    ErrorCode.INVALID_QUERY,
                    over,
                    "OVER needs the window of each row of " + stream().name(),
                    "let " + stream().name() + " select window_end");
        } else if (stream().time().reads() == RowTime.ITSELF) {
            throw rows.binding.error(
                    ErrorCode.INVALID_QUERY,
                    over,
                    "OVER works on the rows of windows, and " + stream().name() + " has none",
                    "group by TUMBLE(" + stream().time().name() + ", …)");
        }
    }

    @Override
    public Environment scope() {
        return rows;
    }

    @Override
    public boolean hasColumn(String name) {
        return rows.find(name).isPresent();
    }

    @Override
    public Expr lowered(Expr bound, SqlNode at) {
        return bound;
    }

    @Override
    public boolean isTime(Expr lowered) {
        return lowered instanceof Variable column && stream().time(column.name()).isPresent();
    }

    @Override
    public String time() {
        return stream().isTable() ? "" : stream().time().name();
    }

    @Override
    public void checkHistory(SqlNode at) {
        if (atRest) {
            throw rows.binding.error(
                    ErrorCode.INVALID_QUERY,
                    at,
                    "this needs earlier windows, and SELECT reads the last one here",
                    "make the statement a query: CREATE QUERY name AS …");
        } else if (rows.correlated().isPresent()) {
            throw rows.binding.notSupported(
                    at,
                    "rows of earlier windows in a query whose WHEN has values",
                    "create a query over this one");
        }
    }

    @Override
    public String unique(String name) {
        return names.unique(name);
    }

    @Override
    public Variable added(Variable column) {
        return column;
    }
}
