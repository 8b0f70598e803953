package io.weir.sql.catalog;

import io.weir.operators.graph.RowTime;

/**
 * A column of a stream with the time of its rows.
 *
 * @param name empty if no column shows the time: it is the last instant of the row's window
 */
public record TimeColumn(String name, RowTime reads) {
    static final TimeColumn HIDDEN = new TimeColumn("", RowTime.WINDOW_END);

    public boolean isShown() {
        return !name.isEmpty();
    }
}
