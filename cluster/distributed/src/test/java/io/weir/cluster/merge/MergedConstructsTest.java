package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.operators.graph.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * OVER, texts, joins, unions and sub-queries, and mixes of them: several workers, pipelines and
 * shards have the rows of one engine.
 */
@Timeout(600)
final class MergedConstructsTest {
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");

    private static final String HOSTS =
            "SELECT window_end, src_addr, COUNT(*) AS n, SUM(bytes) AS b FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr";

    private static final String GOT =
            "SELECT window_end, dst_addr, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr";

    private static final List<String> OVERS =
            List.of(
                    HOSTS
                            + " QUALIFY ROW_NUMBER() OVER (PARTITION BY window_start ORDER BY n DESC,"
                            + " src_addr) <= 3",
                    "SELECT window_end, src_addr, dst_port, COUNT(*) AS n,"
                            + " RANK() OVER (PARTITION BY src_addr ORDER BY COUNT(*) DESC) AS place"
                            + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), src_addr,"
                            + " dst_port QUALIFY place <= 2",
                    "SELECT window_end, proto, SUM(bytes) AS b,"
                            + " 100.0 * SUM(bytes) / SUM(SUM(bytes)) OVER () AS percent FROM packets"
                            + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto",
                    "SELECT window_end, dst_addr, COUNT(*) AS n,"
                            + " n - LAG(n, 1, 0) OVER (PARTITION BY dst_addr ORDER BY window_end)"
                            + " AS more, AVG(n) OVER (PARTITION BY dst_addr ORDER BY window_end"
                            + " ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) AS baseline"
                            + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr"
                            + " QUALIFY n > baseline");

    private static final List<String> TEXTS =
            List.of(
                    "SELECT window_end, CAST(dst_port AS VARCHAR) || '/' || PROTOCOL_NAME(proto)"
                            + " AS service, COUNT(*) AS n FROM packets"
                            + " GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), dst_port, proto",
                    "SELECT window_end, PROTOCOL_NAME(proto) AS p, COUNT(*) AS n FROM packets"
                            + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), p HAVING p LIKE '%P'",
                    "SELECT LOWER(PROTOCOL_NAME(proto)) AS p, COUNT(*) AS n FROM packets GROUP BY p",
                    "SELECT window_end, SUBSTRING(CAST(src_addr AS VARCHAR) FROM 1 FOR 3) AS part,"
                            + " SUM(n) AS n FROM ("
                            + HOSTS
                            + ") AS x GROUP BY TUMBLE(window_end, INTERVAL '2' SECOND), part",
                    "SELECT ts, CAST(src_addr AS VARCHAR) || ' to ' || CAST(dst_addr AS VARCHAR) AS t"
                            + " FROM packets WHERE CAST(src_addr AS VARCHAR) LIKE '1%' AND bytes > 1000");

    private static final List<String> MIXES =
            List.of(
                    "WITH s AS ("
                            + HOSTS
                            + "), g AS ("
                            + GOT
                            + ") SELECT s.window_end, CAST(src_addr AS VARCHAR) || '!' AS host, s.n,"
                            + " g.n AS received FROM s LEFT JOIN g ON s.window_end = g.window_end"
                            + " AND s.src_addr = g.dst_addr",
                    "WITH s AS ("
                            + HOSTS
                            + "), g AS ("
                            + GOT
                            + "), j AS (SELECT s.window_end, src_addr AS host, s.n, g.n AS received"
                            + " FROM s JOIN g ON s.window_end = g.window_end AND s.src_addr ="
                            + " g.dst_addr) SELECT window_start, host, SUM(n + received) AS n FROM j"
                            + " GROUP BY TUMBLE(window_end, INTERVAL '4' SECOND), host",
                    "SELECT window_end, host, SUM(n) AS n FROM (SELECT window_end, src_addr AS host,"
                            + " n FROM ("
                            + HOSTS
                            + ") AS a UNION ALL SELECT window_end, dst_addr, n FROM ("
                            + GOT
                            + ") AS b) AS u GROUP BY TUMBLE(window_end, INTERVAL '2' SECOND), host"
                            + " QUALIFY ROW_NUMBER() OVER (ORDER BY n DESC, host) <= 4",
                    "SELECT window_end, src_addr, n, RANK() OVER (ORDER BY n DESC) AS place FROM ("
                            + HOSTS
                            + ") AS x WHERE n > 3",
                    "SELECT window_end, src_addr, n, LAG(n) OVER (PARTITION BY src_addr ORDER BY"
                            + " window_end) AS past FROM ("
                            + HOSTS
                            + ") AS x",
                    "WITH s AS ("
                            + HOSTS
                            + "), g AS ("
                            + GOT
                            + ") SELECT s.window_end, src_addr, s.n, LAG(s.n, 1, 0) OVER (PARTITION"
                            + " BY src_addr ORDER BY s.window_end) AS past FROM s JOIN g ON"
                            + " s.window_end = g.window_end AND s.src_addr = g.dst_addr",
                    "WITH s AS ("
                            + HOSTS
                            + "), g AS ("
                            + GOT
                            + ") SELECT s.window_end, src_addr, s.n, ROW_NUMBER() OVER (ORDER BY s.n"
                            + " DESC, src_addr) AS place FROM s JOIN g ON s.window_end ="
                            + " g.window_end AND s.src_addr = g.dst_addr QUALIFY place < 4");

    @BeforeAll
    static void needsTheDemo() {
        assumeTrue(Files.exists(CAPTURE), "the demo's capture is not here: skipped");
    }

    private static List<Query> running(String select) {
        List<Query> all = new ArrayList<>();
        MergedLibraryTest.queries("CREATE QUERY whole AS " + select + ";")
                .forEach(query -> all.addAll(query.all()));
        return all;
    }

    private static void compare(List<String> selects) {
        long seed = Long.getLong("weir.seed", 1);
        for (String select : selects) {
            List<Query> queries = running(select);
            assertFalse(ClusterRun.single(queries, CAPTURE).of("whole").isEmpty(), select);
            MergedLibraryTest.compare(select, queries, CAPTURE, seed++);
            MergedLibraryTest.compare(select, queries, CAPTURE, seed++);
        }
    }

    @Test
    void over() {
        compare(OVERS);
    }

    @Test
    void texts() {
        compare(TEXTS);
    }

    @Test
    void mixes() {
        compare(MIXES);
    }

    /** OVER over a sub-query is OVER in it. */
    @Test
    void overReadsSubQueriesAsItsOwnGroups() {
        String lag = "LAG(n) OVER (PARTITION BY src_addr ORDER BY window_end) AS past";
        String inside = HOSTS.replace(", SUM(bytes) AS b", ", " + lag);
        String around = "SELECT window_end, src_addr, n, " + lag + " FROM (" + HOSTS + ") AS x";
        assertEquals(rows(inside), rows(around));
    }

    private static List<String> rows(String select) {
        return ClusterRun.single(running(select), CAPTURE).of("whole").stream().sorted().toList();
    }
}
