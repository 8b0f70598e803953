package io.weir.operators.result;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;

/**
 * Computes how far the rows of a query have come from the time of packets. Rows come when their
 * window closes, and rows without an aggregate come once a second. So a query over rows is behind
 * the packets, and closes its windows by this clock. The results' thread.
 */
final class RowsClock {
    private static final Window SECONDS = Window.tumble(QueryShape.TICK_NS);

    private final Query query;

    /** The clock of the upstream query; null over packets. */
    private RowsClock upstream;

    RowsClock(Query query) {
        this.query = query;
    }

    void follow(RowsClock read) {
        upstream = read;
    }

    /**
     * Returns the time before which the query's whole input has come, when packets have come so
     * far.
     */
    long inputNs(long packetsNs) {
        if (upstream == null) {
            return packetsNs;
        }
        long rowsNs = upstream.outputNs(packetsNs);
        boolean bounded = rowsNs > Long.MIN_VALUE && rowsNs < Long.MAX_VALUE;
        Window window = upstream.window();
        // The next row belongs to the next window that ends. Its time is that window's start.
        return readsStarts() && bounded
                ? WindowEnds.after(window, rowsNs) - window.sizeNs()
                : rowsNs;
    }

    /** Returns the same for the query's own rows, by their last instants. */
    private long outputNs(long packetsNs) {
        long readNs = inputNs(packetsNs);
        return isProjection() ? WindowEnds.last(SECONDS, readNs) : readNs;
    }

    /** Returns the least time of packets at which {@link #inputNs} is this time. */
    long knownNs(long timeNs) {
        boolean bounded = timeNs > Long.MIN_VALUE && timeNs < Long.MAX_VALUE;
        if (upstream == null || !bounded) {
            return timeNs;
        }
        Window window = upstream.window();
        return upstream.outputKnownNs(
                readsStarts() ? WindowEnds.last(window, timeNs + window.sizeNs() - 1) : timeNs);
    }

    private long outputKnownNs(long timeNs) {
        return knownNs(isProjection() ? WindowEnds.after(SECONDS, timeNs - 1) : timeNs);
    }

    private boolean readsStarts() {
        return query.scan().reads() == RowTime.WINDOW_START;
    }

    private boolean isProjection() {
        return query.aggregate().isEmpty();
    }

    /** Returns the window of the rows: its own, or the one of rows that it passes on. */
    private Window window() {
        boolean passesOn = isProjection() && upstream != null;
        return query.aggregate()
                .flatMap(Operator.Aggregate::window)
                .orElseGet(() -> passesOn ? upstream.window() : SECONDS);
    }
}
