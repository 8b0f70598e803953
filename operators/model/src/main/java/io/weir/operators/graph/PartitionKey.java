package io.weir.operators.graph;

import java.util.List;

/**
 * Columns by which packets are spread: packets that are equal in all of them are in one part. The
 * planner decides which keys leave a query's groups whole, and its Aggregate carries them. EXPLAIN,
 * placement and the engine read it here.
 */
public enum PartitionKey {
    /** By hash, over pipelines. Safe for fragments, which have no ports. */
    ADDRESSES,
    /** Over workers, if no node's packets are shared in slices. */
    NODE;

    public List<String> columns() {
        return switch (this) {
            case ADDRESSES -> List.of("src_addr", "dst_addr");
            case NODE -> List.of("node_id");
        };
    }

    @Override
    public String toString() {
        return String.join(", ", columns());
    }
}
