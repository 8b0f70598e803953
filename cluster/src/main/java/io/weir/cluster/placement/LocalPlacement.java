package io.weir.cluster.placement;

import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;

/**
 * One machine: every query over packets runs on all pipelines. Packets are spread over them by a
 * hash of the partition key, so a group whose key has all its columns, as they are, lies whole on
 * one pipeline, and no merge is needed.
 */
public final class LocalPlacement implements Placement {
    private final int pipelines;

    /**
     * @param pipelines of all partitions together
     */
    public LocalPlacement(int pipelines) {
        this.pipelines = pipelines;
    }

    /** The place as EXPLAIN says it. */
    public String explain(Query query) {
        Place place = place(query);
        return "pipelines: "
                + place.pipelines()
                + (place.merged() ? ", merged: " : ", not merged: ")
                + place.reason();
    }

    @Override
    public Place place(Query query) {
        if (!query.readsPackets()) {
            return new Place(1, false, "reads the rows of " + query.scan().stream());
        }
        if (pipelines == 1) {
            return new Place(1, false, "there is one pipeline");
        }
        if (query.aggregate().isEmpty()) {
            return new Place(pipelines, false, "rows of packets are put in order, not merged");
        }
        PartitionKey key = PartitionKey.ADDRESSES;
        boolean merged = key.splitsGroups(query);
        String reason =
                merged
                        ? "pipelines share groups: the key lacks one of " + key
                        : "each group lies on one pipeline: its key has " + key;
        return new Place(pipelines, merged, reason);
    }
}
