package io.weir.cluster.faults;

import io.weir.cluster.node.NodeSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The queries that run while faults happen. They count the same groups in three ways. Rows also
 * wake queries on another worker, each for less than a window. So each busy row wakes its query
 * again.
 */
final class Queries {
    /** The length of windows. */
    static final long WINDOW_NS = 1_000_000_000L;

    /** The query that is finished on each worker, and sent through its outbox. */
    static final String EACH = "each_node";

    /** The query of all workers, merged in shards. */
    static final String ALL = "all_nodes";

    /** The query of all workers, merged after the shards, because its order is over all rows. */
    static final String SORTED = "all_sorted";

    static final List<String> NAMES = List.of(EACH, ALL, SORTED);

    private static final String GROUPS =
            "proto, src_port, dst_port, COUNT(*) AS packets, SUM(bytes) AS bytes";
    private static final String WINDOW =
            " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto, src_port, dst_port";

    /**
     * Woken queries make no rows. Their number would depend on when a worker learns of a wake, and
     * a full disk would lose as many.
     */
    private static final String NO_ROWS = " HAVING COUNT(*) < 0";

    private static final List<String> COUNTS =
            List.of(
                    "CREATE QUERY each_node AS SELECT node_id, "
                            + GROUPS
                            + ", packets_lost, completeness"
                            + WINDOW
                            + ", node_id",
                    "CREATE QUERY all_nodes AS SELECT "
                            + GROUPS
                            + ", packets_lost, packets_missing, completeness"
                            + WINDOW,
                    "CREATE QUERY all_sorted AS SELECT "
                            + GROUPS
                            + ", packets_lost, packets_missing, completeness"
                            + WINDOW
                            + " ORDER BY packets DESC");

    /**
     * A query that is woken.
     *
     * @param by the query whose rows wake it
     * @param madeBy the maker of these rows: a worker, or a part of the merge
     * @param nodes how many have packets in them
     * @param delayNs from the end of a row's window until the query counts
     */
    record Woken(String name, String by, String madeBy, int nodes, long delayNs) {}

    static final List<Woken> WOKEN =
            List.of(
                    new Woken("woken_by_1", "busy_1", "Node1", 1, FaultCluster.DELAY_NS),
                    new Woken("woken_by_2", "busy_2", "Node2", 1, FaultCluster.DELAY_NS),
                    new Woken(
                            "woken_by_all",
                            "busy_all",
                            "merge second",
                            2,
                            NodeSettings.DEFAULT.engine().delayNs()));

    /**
     * @param most packets a second of a node that is not yet busy
     */
    static List<String> create(long most) {
        List<String> create = new ArrayList<>(COUNTS);
        for (Woken woken : WOKEN) {
            boolean merged = woken.nodes() > 1;
            String elsewhere = woken.madeBy().equals("Node1") ? "Node2" : "Node1";
            create.add(count(woken.by(), merged ? "" : of(woken.madeBy())));
            create.add(
                    count(woken.name(), of(elsewhere))
                            + NO_ROWS
                            + " WHEN "
                            + (woken.by() + ".packets > " + most * woken.nodes())
                            + " FOR INTERVAL '0.3' SECOND");
        }
        return create;
    }

    private static String of(String node) {
        return " WHERE node_id = '" + node + "'";
    }

    private static String count(String name, String where) {
        return ("CREATE QUERY " + name + " AS SELECT COUNT(*) AS packets, SUM(bytes) AS bytes")
                + (" FROM packets" + where + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
    }

    /** Returns all queries whose rows are read. */
    static List<String> read() {
        List<String> read = new ArrayList<>(NAMES);
        WOKEN.forEach(woken -> read.add(woken.by()));
        return read;
    }

    /** Returns the end of the window of a packet. */
    static long endNs(long tsNs) {
        return tsNs - Math.floorMod(tsNs, WINDOW_NS) + WINDOW_NS;
    }

    /** Returns the time of day of a window, for people. */
    static String time(long ns) {
        return Instant.ofEpochSecond(0, ns).toString().substring(11);
    }

    private Queries() {}
}
