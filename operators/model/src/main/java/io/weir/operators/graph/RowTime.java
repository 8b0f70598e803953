package io.weir.operators.graph;

/** The way in which a stream's time column gives the time of a row. */
public enum RowTime {
    /** The column is the time: a packet's {@code ts}, and projections of it. */
    ITSELF,

    /** The column is the end of the row's window. The time is its last instant, 1 ns before. */
    WINDOW_END,

    /** The column is the start of the row's window, which is the time. Rows come a window later. */
    WINDOW_START;

    /** Returns the difference from the column to the row's time. */
    public long shiftNs() {
        return this == WINDOW_END ? -1 : 0;
    }
}
