package io.weir.operators.graph;

/** How a stream's time column tells the time of a row. */
public enum RowTime {
    /** The column is the time: a packet's {@code ts}, and what projections make of it. */
    ITSELF,

    /** The column is the end of the row's window: the time is its last instant, 1 ns before. */
    WINDOW_END,

    /** The column is the start of the row's window, which is the time. Rows come a window later. */
    WINDOW_START;

    /** From the column to the row's time. */
    public long shiftNs() {
        return this == WINDOW_END ? -1 : 0;
    }
}
