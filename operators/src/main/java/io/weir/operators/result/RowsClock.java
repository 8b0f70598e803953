package io.weir.operators.result;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;

/**
 * How far the rows of a query have come when packets have come to a time. Rows come when their
 * window closes, and rows without an aggregate a second at a time; so a query over rows is behind
 * the packets, and closes its own windows by this. The results' thread.
 */
final class RowsClock {
    private static final Window SECONDS = Window.tumble(QueryShape.TICK_NS);

    private final Query query;

    /** Of the query whose rows it reads; null over packets. */
    private RowsClock upstream;

    RowsClock(Query query) {
        this.query = query;
    }

    void follow(RowsClock read) {
        upstream = read;
    }

    /**
     * All that the query reads has come that is of before this time, when packets have come so far.
     */
    long inputNs(long packetsNs) {
        if (upstream == null) {
            return packetsNs;
        }
        long rowsNs = upstream.outputNs(packetsNs);
        boolean bounded = rowsNs > Long.MIN_VALUE && rowsNs < Long.MAX_VALUE;
        Window window = upstream.window();
        // The next row is of the next window that ends, and its time is that window's start.
        return readsStarts() && bounded
                ? WindowEnds.after(window, rowsNs) - window.sizeNs()
                : rowsNs;
    }

    /** The same of the query's own rows, by their last instants. */
    private long outputNs(long packetsNs) {
        long readNs = inputNs(packetsNs);
        return isProjection() ? WindowEnds.last(SECONDS, readNs) : readNs;
    }

    /** How far packets must have come, at the least, for {@link #inputNs} to be this time. */
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

    /** Of whose windows the rows are: its own, or those of what it passes on. */
    private Window window() {
        boolean passesOn = isProjection() && upstream != null;
        return query.aggregate()
                .flatMap(Operator.Aggregate::window)
                .orElseGet(() -> passesOn ? upstream.window() : SECONDS);
    }
}
