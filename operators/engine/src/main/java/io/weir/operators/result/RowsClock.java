package io.weir.operators.result;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.RowTime;
import io.weir.operators.graph.Window;
import io.weir.operators.graph.WindowEnds;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes how far the rows of a query have come from the time of packets. Rows come when their
 * window closes, and rows without an aggregate come once a second. So a query over rows is behind
 * the packets, and closes its windows by this clock. The results' thread.
 */
final class RowsClock {
    private static final Window SECONDS = Window.tumble(QueryShape.TICK_NS);

    private final Query query;

    /** The clocks of the upstream queries; none over packets. */
    private final List<RowsClock> upstreams = new ArrayList<>();

    RowsClock(Query query) {
        this.query = query;
    }

    void follow(RowsClock read) {
        upstreams.add(read);
    }

    /** Follows the successor of a query. */
    void follow(RowsClock old, RowsClock successor) {
        upstreams.replaceAll(one -> one == old ? successor : one);
    }

    /**
     * Returns the time before which the query's whole input has come, when packets have come so
     * far.
     */
    long inputNs(long packetsNs) {
        if (upstreams.isEmpty()) {
            return packetsNs;
        }
        long leastNs = Long.MAX_VALUE;
        for (RowsClock upstream : upstreams) {
            leastNs = Math.min(leastNs, inputNs(upstream, packetsNs));
        }
        return leastNs;
    }

    private long inputNs(RowsClock upstream, long packetsNs) {
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
        if (upstreams.isEmpty() || !bounded) {
            return timeNs;
        }
        long mostNs = Long.MIN_VALUE;
        for (RowsClock upstream : upstreams) {
            mostNs = Math.max(mostNs, knownNs(upstream, timeNs));
        }
        return mostNs;
    }

    private long knownNs(RowsClock upstream, long timeNs) {
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
        boolean passesOn = isProjection() && !upstreams.isEmpty();
        return query.aggregate()
                .flatMap(Operator.Aggregate::window)
                .orElseGet(() -> passesOn ? upstreams.get(0).window() : SECONDS);
    }
}
