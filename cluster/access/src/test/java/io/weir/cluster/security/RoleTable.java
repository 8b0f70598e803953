package io.weir.cluster.security;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** What each role may, as docs/SECURITY.md says: of statements over a few queries. */
public final class RoleTable {
    private static final String FLOWS =
            "SELECT src_addr, COUNT(*) AS n FROM packets"
                    + " GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND)";

    private static final Set<Role> ALL = Set.of(Role.values());
    private static final Set<Role> PACKETS = Set.of(Role.ANALYST, Role.ADMIN);

    /** They are there, in this order. */
    public static final List<String> QUERIES =
            List.of(
                    "CREATE QUERY flows_by_source AS " + FLOWS,
                    "CREATE QUERY singles AS SELECT ts, src_addr FROM packets",
                    "CREATE QUERY chosen AS SELECT src_addr FROM singles",
                    "CREATE QUERY renamed AS SELECT ts AS seen FROM singles",
                    "CREATE QUERY regrouped AS SELECT seen, COUNT(*) AS n FROM renamed"
                            + " GROUP BY seen");

    public static final Map<String, Set<Role>> ALLOWED =
            Map.of(
                    "SHOW QUERIES",
                    ALL,
                    "SUBSCRIBE flows_by_source",
                    ALL,
                    "SELECT n FROM flows_by_source",
                    ALL,
                    FLOWS,
                    Set.of(Role.ANALYST, Role.OPERATOR, Role.ADMIN),
                    "SELECT src_addr FROM packets",
                    PACKETS,
                    "SELECT COUNT(*) AS n FROM packets GROUP BY tcp_seq + 1",
                    PACKETS,
                    "SUBSCRIBE singles",
                    PACKETS,
                    "SUBSCRIBE chosen",
                    PACKETS,
                    "CREATE OR REPLACE QUERY x AS " + FLOWS,
                    Set.of(Role.OPERATOR, Role.ADMIN),
                    "DROP QUERY IF EXISTS x",
                    Set.of(Role.OPERATOR, Role.ADMIN));

    /** Grouping what another query passes on does not make groups of single packets any larger. */
    public static final Map<String, Set<Role>> SINGLE_PACKETS =
            Map.of(
                    "SELECT ts, src_addr, COUNT(*) AS n FROM singles GROUP BY ts, src_addr",
                    PACKETS,
                    "SELECT DISTINCT ts FROM singles",
                    PACKETS,
                    "SELECT seen, COUNT(*) AS n FROM renamed GROUP BY seen",
                    PACKETS,
                    "SUBSCRIBE regrouped",
                    PACKETS,
                    "SELECT n, seen FROM regrouped",
                    PACKETS,
                    "SELECT src_addr, COUNT(*) AS n FROM packets"
                            + " GROUP BY src_addr, TUMBLE(ts, INTERVAL '0.000001' SECOND)",
                    PACKETS,
                    "SELECT src_addr, COUNT(*) AS n FROM singles GROUP BY src_addr",
                    ALL);

    private RoleTable() {}
}
