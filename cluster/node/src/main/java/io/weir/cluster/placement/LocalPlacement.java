package io.weir.cluster.placement;

import io.weir.operators.graph.PartitionKey;
import io.weir.operators.graph.Query;

/**
 * The placement on one machine: every query over packets runs on all pipelines. A hash of the
 * partition key spreads the packets. If the group key has all columns of the partition key
 * unchanged, each group lies on one pipeline. Then no merge is needed.
 */
public final class LocalPlacement {
    private final int pipelines;

    /**
     * @param pipelines of all partitions together
     */
    public LocalPlacement(int pipelines) {
        this.pipelines = pipelines;
    }

    /** Returns the place as EXPLAIN shows it. */
    public String explain(Query query) {
        if (query.reads().isOfQuery()) {
            return said(1, false, "reads the rows of " + query.scan().stream());
        }
        if (pipelines == 1) {
            return said(1, false, "there is one pipeline");
        }
        if (query.aggregate().isEmpty()) {
            return said(pipelines, false, "rows of packets are put in order, not merged");
        }
        PartitionKey key = PartitionKey.ADDRESSES;
        return query.isSplitBy(key)
                ? said(pipelines, true, "pipelines share groups: the key lacks one of " + key)
                : said(pipelines, false, "each group lies on one pipeline: its key has " + key);
    }

    private static String said(int pipelines, boolean merged, String reason) {
        return "pipelines: " + pipelines + (merged ? ", merged: " : ", not merged: ") + reason;
    }
}
