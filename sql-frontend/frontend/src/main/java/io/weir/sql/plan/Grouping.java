package io.weir.sql.plan;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Window;
import java.util.List;
import java.util.Optional;

/**
 * The window and keys of GROUP BY.
 *
 * @param keys over input columns, named as the aggregate's columns
 */
record Grouping(Optional<Windowing> windowing, List<Named> keys) {
    Grouping {
        keys = List.copyOf(keys);
    }

    Optional<Window> window() {
        return windowing.map(Windowing::window);
    }

    /** Returns names for folds, beside those of the aggregate's other columns. */
    ColumnNames names() {
        ColumnNames names = reserved();
        keys.forEach(key -> names.take(key.name()));
        return names;
    }

    /** Returns the names of columns that each aggregate has. */
    static ColumnNames reserved() {
        ColumnNames names = new ColumnNames();
        RowScope.WINDOW_COLUMNS.forEach(names::take);
        Operator.Row.COLUMNS.forEach(column -> names.take(column.name()));
        Operator.Row.OF_OVERFLOW.forEach(column -> names.take(column.name()));
        return names;
    }
}
