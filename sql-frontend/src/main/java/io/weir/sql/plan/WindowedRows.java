package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Window;
import io.weir.sql.validate.TumblingTime;
import org.apache.calcite.sql.SqlIdentifier;

/** Rows of TABLE(TUMBLE(…)): each with the start and end of its window. */
final class WindowedRows extends RowScope {
    private final Window window;

    private WindowedRows(RowScope rows, Window window) {
        super(rows);
        this.window = window;
    }

    static RowScope over(RowScope rows) {
        Window window = rows.source.window().orElseThrow();
        if (window.slideNs() != window.sizeNs()) {
            throw rows.binding.notSupported(
                    rows.source.at(),
                    "HOP without an aggregate",
                    "a packet is in several of its windows: add GROUP BY window_start, window_end");
        }
        return new WindowedRows(rows, window);
    }

    @Override
    RowScope in(String otherClause) {
        return this;
    }

    @Override
    public Expr column(SqlIdentifier name) {
        if (!name.isSimple() || !WINDOW_COLUMNS.contains(name.getSimple())) {
            return super.column(name);
        }
        String time = source.stream().time();
        Expr at = super.column(new SqlIdentifier(time, name.getParserPosition()));
        boolean start = name.getSimple().equals(WINDOW_COLUMNS.get(0));
        return TumblingTime.bound(binding, name, at, window.sizeNs(), start);
    }
}
