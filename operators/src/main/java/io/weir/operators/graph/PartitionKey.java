package io.weir.operators.graph;

import java.util.List;

/**
 * Columns by which packets are spread: equal in all of them, they are in one part. Which keys leave
 * a query's groups whole the planner decides, and its Aggregate carries; EXPLAIN, placement and the
 * engine read it here.
 */
public enum PartitionKey {
    /** By hash, over pipelines. Safe for fragments, which have no ports. */
    ADDRESSES,
    /** Over workers, where no node's packets are shared out in slices. */
    NODE;

    public List<String> columns() {
        return switch (this) {
            case ADDRESSES -> List.of("src_addr", "dst_addr");
            case NODE -> List.of("node_id");
        };
    }

    /**
     * Whether two parts can hold some of one group: not where the planner says that groups are
     * whole; nor where there are no groups, or rows that come in one piece.
     */
    public boolean splitsGroups(Query query) {
        return query.reads().isSpread()
                && query.aggregate()
                        .filter(aggregate -> !aggregate.wholeBy().contains(this))
                        .isPresent();
    }

    @Override
    public String toString() {
        return String.join(", ", columns());
    }
}
