package io.weir.cluster.faults;

import java.util.List;

/** What runs while faults happen: the same groups, counted in three ways. */
final class Queries {
    /** Windows are this long. */
    static final long WINDOW_NS = 1_000_000_000L;

    /** Finished on each worker, and sent through its outbox. */
    static final String EACH = "each_node";

    /** Of all workers, merged in shards. */
    static final String ALL = "all_nodes";

    /** Of all workers, merged after the shards: their order is that of all rows. */
    static final String SORTED = "all_sorted";

    static final List<String> NAMES = List.of(EACH, ALL, SORTED);

    private static final String GROUPS =
            "proto, src_port, dst_port, COUNT(*) AS packets, SUM(bytes) AS bytes";
    private static final String WINDOW =
            " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto, src_port, dst_port";

    static final List<String> CREATE =
            List.of(
                    "CREATE QUERY each_node AS SELECT node_id, " + GROUPS + WINDOW + ", node_id",
                    "CREATE QUERY all_nodes AS SELECT "
                            + GROUPS
                            + ", packets_lost, packets_missing, completeness"
                            + WINDOW,
                    "CREATE QUERY all_sorted AS SELECT "
                            + GROUPS
                            + ", packets_lost, packets_missing, completeness"
                            + WINDOW
                            + " ORDER BY packets DESC");

    private Queries() {}
}
