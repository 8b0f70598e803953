package io.weir.cluster.scale;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes queries by the thousand. There are ten keys, each over all nodes (merged) and over one (not
 * merged): twenty shapes. Queries of a shape differ in a literal.
 */
final class Shapes {
    static final int COUNT = 20;

    private static final String[] KEYS = {
        "proto",
        "ip_ttl",
        "tcp_flags",
        "proto, ip_ttl",
        "proto, tcp_flags",
        "ip_ttl, tcp_flags",
        "proto, ip_ttl, tcp_flags",
        "src_port",
        "dst_port",
        "proto, dst_port"
    };
    private static final int LEAST_BYTES = 40;

    private Shapes() {}

    /** A statement, and how many nodes' packets are in a row of it. */
    record Made(String name, String sql, boolean isOnOneNode) {
        long factor(int workers) {
            return isOnOneNode ? 1 : workers;
        }
    }

    static List<Made> of(int queries) {
        List<Made> made = new ArrayList<>();
        for (int q = 0; q < queries; q++) {
            int shape = q % COUNT;
            boolean pinned = shape % 2 == 1;
            String keys = KEYS[shape / 2];
            String name = "q" + q;
            String sql =
                    "CREATE QUERY "
                            + name
                            + " AS SELECT "
                            + keys
                            + ", COUNT(*) AS n, SUM(bytes) AS b FROM packets WHERE bytes > "
                            + (LEAST_BYTES + q / COUNT)
                            + (keys.contains("port") ? " AND " + port(keys) + " < 1024" : "")
                            + (pinned ? " AND node_id = 'Node1'" : "")
                            + " GROUP BY TUMBLE(ts, INTERVAL '30' SECOND), "
                            + keys;
            made.add(new Made(name, sql, pinned));
        }
        return made;
    }

    /** Only the known ports are used, to keep the number of rows small. */
    private static String port(String keys) {
        return keys.contains("src_port") ? "src_port" : "dst_port";
    }
}
