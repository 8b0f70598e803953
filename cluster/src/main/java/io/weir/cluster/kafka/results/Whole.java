package io.weir.cluster.kafka.results;

import java.util.List;
import java.util.OptionalLong;

/**
 * Up to which event time windows are whole in Kafka, as far as their writers have told.
 *
 * @param workersNs of rows that workers make; {@link Long#MAX_VALUE} where none is waited for
 * @param mergeNs of rows that the merge makes in shards
 */
public record Whole(long workersNs, long mergeNs) {
    private static final String SHARDS = "merge shard-";
    private static final String MERGE = "merge ";

    /** Of which kind a maker of rows is: workers, shards, or who comes after the shards. */
    static String makers(String maker) {
        return maker.startsWith(SHARDS) ? SHARDS : maker.startsWith(MERGE) ? MERGE : "";
    }

    /** Whether others may still write rows of a window of which there is this one. */
    boolean isWhole(Result row) {
        long endNs = row.windowEndNs().orElse(Long.MIN_VALUE);
        if (row.worker().startsWith(SHARDS)) {
            return endNs <= mergeNs;
        }
        // After the shards there is one who makes rows, a window's in one transaction.
        return row.worker().startsWith(MERGE) || endNs <= workersNs;
    }

    /** Rows of the last window of which nobody writes any more; empty when there is none. */
    List<Result> last(List<Result> rows) {
        return newest(rows.stream().filter(this::isWhole).toList());
    }

    /** Rows of the last window that there is. */
    static List<Result> newest(List<Result> rows) {
        OptionalLong newest =
                rows.stream().flatMapToLong(result -> result.windowEndNs().stream()).max();
        return rows.stream().filter(result -> result.windowEndNs().equals(newest)).toList();
    }
}
