package io.weir.cluster.placement;

import io.weir.operators.graph.Query;

/** Where a query runs, and whether what it counts there must be merged. */
public interface Placement {
    Place place(Query query);

    /**
     * A query's place.
     *
     * @param pipelines how many threads count for it, each over its own packets
     * @param merged whether two of them can have parts of the same group
     * @param reason why, for EXPLAIN
     */
    record Place(int pipelines, boolean merged, String reason) {}
}
