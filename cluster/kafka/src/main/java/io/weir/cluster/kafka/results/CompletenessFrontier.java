package io.weir.cluster.kafka.results;

import java.util.List;
import java.util.OptionalLong;

/**
 * The event time up to which windows are whole in Kafka, as far as their writers have reported.
 *
 * @param workersNs for rows that workers make; {@link Long#MAX_VALUE} if there is no worker to wait
 *     for
 * @param mergeNs for rows that the merge makes in shards
 */
public record CompletenessFrontier(long workersNs, long mergeNs) {
    private static final String SHARDS = "merge shard-";
    private static final String MERGE = "merge ";

    /** Returns the kind of a maker of rows: workers, shards, or the step after the shards. */
    static String makers(String maker) {
        return maker.startsWith(SHARDS) ? SHARDS : maker.startsWith(MERGE) ? MERGE : "";
    }

    /** Returns whether all rows of this row's window have been written. */
    boolean isWhole(Result row) {
        long endNs = row.windowEndNs().orElse(Long.MIN_VALUE);
        if (row.worker().startsWith(SHARDS)) {
            return endNs <= mergeNs;
        }
        // The step after the shards has one maker, which writes a window in one transaction.
        return row.worker().startsWith(MERGE) || endNs <= workersNs;
    }

    /** Returns the rows of the last finished window; empty if there is none. */
    List<Result> last(List<Result> rows) {
        return newest(rows.stream().filter(this::isWhole).toList());
    }

    /** Returns the rows of the last existing window. */
    static List<Result> newest(List<Result> rows) {
        OptionalLong newest =
                rows.stream().flatMapToLong(result -> result.windowEndNs().stream()).max();
        return rows.stream().filter(result -> result.windowEndNs().equals(newest)).toList();
    }
}
