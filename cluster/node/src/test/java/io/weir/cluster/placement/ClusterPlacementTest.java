package io.weir.cluster.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.catalog.MemoryCatalog;
import io.weir.operators.graph.Query;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterPlacementTest {
    private static final String COUNT = "SELECT COUNT(*) AS n FROM packets";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    true                                         | *
                    node_id = 'a'                                | a
                    'a' = node_id AND bytes > 3                  | a
                    node_id IN ('a', 'b')                        | a b
                    node_id = 'a' OR node_id = 'b'               | a b
                    node_id = 'a' OR bytes > 3                   | *
                    (node_id = 'a' OR bytes > 3) AND node_id = 'b' | b
                    node_id IN ('a', 'b') AND node_id <> 'a'     | a b
                    node_id IN ('a', 'b') AND node_id IN ('b', 'c') | b
                    node_id = 'a' AND node_id = 'b'              |
                    NOT node_id = 'a'                            | *
                    """)
    void whereSaysWhichNodes(String condition, String nodes) {
        Optional<Set<String>> pin = NodePin.of(query(COUNT + " WHERE " + condition));
        String text = pin.map(set -> String.join(" ", set)).orElse("*");
        assertEquals(nodes == null ? "" : nodes, text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    SELECT COUNT(*) AS n FROM packets                                | * | false
                    SELECT COUNT(*) AS n FROM packets WHERE node_id = 'a'            | a | true
                    SELECT node_id, COUNT(*) AS n FROM packets GROUP BY node_id      | * | true
                    SELECT src_addr FROM packets WHERE bytes > 9                     | * | true
                    SELECT src_addr FROM packets LIMIT 5                             | * | false
                    SELECT src_addr FROM packets WHERE node_id = 'a' LIMIT 5         | a | true
                    SELECT n FROM pinned                                             | a | true
                    SELECT SUM(n) AS n FROM pinned                                   | a | true
                    SELECT n FROM spread                                             | * | true
                    SELECT SUM(n) AS n FROM spread                                   | * | false
                    """)
    void aQueryIsWholeWhereNoGroupReachesOverNodes(String sql, String nodes, boolean whole) {
        MemoryCatalog catalog = new MemoryCatalog();
        create(catalog, "CREATE QUERY pinned AS " + COUNT + " WHERE node_id = 'a'");
        create(
                catalog,
                "CREATE QUERY spread AS SELECT node_id, COUNT(*) AS n FROM packets"
                        + " GROUP BY node_id");
        Query query = ((Statement.Select) new SqlFrontend(catalog).parse(sql).get(0)).query();
        ClusterPlacement.Where where = new ClusterPlacement(catalog, Set.of()).where(query);
        assertEquals(nodes, where.nodes().map(set -> String.join(" ", set)).orElse("*"));
        assertEquals(whole, where.whole(), where.reason());
    }

    private static void create(MemoryCatalog catalog, String sql) {
        var create = (Statement.CreateQuery) new SqlFrontend(catalog).parse(sql).get(0);
        catalog.create(create.query(), false);
    }

    private static Query query(String sql) {
        return ((Statement.Select) new SqlFrontend(new MemoryCatalog()).parse(sql).get(0)).query();
    }
}
