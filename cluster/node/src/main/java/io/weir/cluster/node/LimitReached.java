package io.weir.cluster.node;

import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.util.Optional;

/**
 * Notices when no row can follow, because each printed query has reached a LIMIT over its whole
 * stream. The rest of the input need not be read then. One thread fills it before the results' one
 * uses it.
 */
final class LimitReached {
    private final Runnable reached;
    private int queries;
    private int satisfied;

    /**
     * @param reached runs once, after the last row
     */
    LimitReached(Runnable reached) {
        this.reached = reached;
    }

    /** Returns the query's sink, or a wrapper that counts its rows. */
    RowSink over(Query query, RowSink sink) {
        queries++;
        Optional<Long> limit = limit(query);
        if (limit.isPresent() && limit.get() == 0) {
            satisfied++;
        }
        return limit.isPresent() ? new Counter(sink, limit.get()) : sink;
    }

    /** Returns the limit of a query of single rows. Groups are limited in each window. */
    private static Optional<Long> limit(Query query) {
        return query.when().isEmpty()
                        && query.aggregate().isEmpty()
                        && query.root() instanceof Operator.Sort sort
                ? sort.limit()
                : Optional.empty();
    }

    /** Returns whether all limits are reached; there may be limits of 0. */
    boolean isReached() {
        return queries > 0 && satisfied == queries;
    }

    private final class Counter implements RowSink {
        private final RowSink sink;
        private long left;

        Counter(RowSink sink, long limit) {
            this.sink = sink;
            left = limit;
        }

        @Override
        public void rows(RowBatch batch) {
            sink.rows(batch);
            left -= batch.rows();
            if (left == 0 && batch.rows() > 0) {
                satisfied++;
                if (isReached()) {
                    reached.run();
                }
            }
        }
    }
}
