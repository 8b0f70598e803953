package io.weir.sql.plan;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Type;
import io.weir.operators.graph.Window;
import io.weir.sql.catalog.TimeColumn;
import io.weir.sql.validate.TumblingTime;
import org.apache.calcite.sql.SqlIdentifier;

/** Rows of TABLE(TUMBLE(…)), each with the start and end of its window. */
final class WindowedRows extends RowScope {
    private final Windowing windowing;

    private WindowedRows(RowScope rows, Windowing windowing) {
        super(rows);
        this.windowing = windowing;
    }

    static RowScope over(RowScope rows) {
        Windowing windowing = rows.source.window().orElseThrow();
        Window window = windowing.window();
        if (window.slideNs() != window.sizeNs()) {
            throw rows.binding.notSupported(
                    rows.source.at(),
                    "HOP without an aggregate",
                    "a packet is in several of its windows: add GROUP BY window_start, window_end");
        }
        if (window.isOfSessions()) {
            throw rows.binding.notSupported(
                    rows.source.at(),
                    "SESSION without an aggregate",
                    "its end is not known yet: add GROUP BY window_start, window_end");
        }
        return new WindowedRows(rows, windowing);
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
        TimeColumn time = windowing.time();
        Expr at = super.column(new SqlIdentifier(time.name(), name.getParserPosition()));
        long shiftNs = time.reads().shiftNs();
        Expr instant =
                shiftNs == 0
                        ? at
                        : binding.call(name, "+", at, new Literal(shiftNs, Type.INTERVAL));
        boolean start = name.getSimple().equals(WINDOW_COLUMNS.get(0));
        return TumblingTime.bound(binding, name, instant, windowing.window(), start);
    }
}
