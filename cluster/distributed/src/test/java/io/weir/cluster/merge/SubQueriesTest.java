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

/** Sub-queries have the rows of the same queries under names, on one engine and merged. */
@Timeout(600)
final class SubQueriesTest {
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");

    private static final String INNER =
            "SELECT window_end, src_addr, COUNT(*) AS n, SUM(bytes) AS b FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr";

    private static final String TOTALS =
            "SELECT src_addr, proto, COUNT(*) AS n FROM packets GROUP BY src_addr, proto";

    /** Where {@code $x} stands, a name or a sub-query can stand. */
    private static final List<List<String>> OUTERS =
            List.of(
                    List.of(INNER, "SELECT window_end, src_addr, n FROM $x WHERE n > 20"),
                    List.of(
                            INNER,
                            "SELECT window_start, COUNT(*) AS hosts, MAX(x.n) AS most FROM $x"
                                    + " GROUP BY TUMBLE(window_end, INTERVAL '4' SECOND)"
                                    + " ORDER BY most DESC"),
                    List.of(INNER, "SELECT src_addr, SUM(b) AS b FROM $x GROUP BY src_addr"),
                    List.of(TOTALS, "SELECT SUM(n) AS n, COUNT(*) AS groups FROM $x"),
                    List.of(TOTALS, "SELECT proto, MAX(n) AS most FROM $x GROUP BY proto"),
                    List.of(TOTALS, "SELECT x.src_addr, n FROM $x WHERE n > 50"),
                    List.of(TOTALS, "SELECT DISTINCT proto FROM $x"),
                    List.of(
                            "SELECT ts, src_addr, bytes FROM packets WHERE bytes > 1000",
                            "SELECT window_end, COUNT(*) AS n FROM $x"
                                    + " GROUP BY TUMBLE(ts, INTERVAL '2' SECOND)"));

    @BeforeAll
    static void needsTheDemo() {
        assumeTrue(Files.exists(CAPTURE), "the demo's capture is not here: skipped");
    }

    private static List<Query> running(String text) {
        List<Query> all = new ArrayList<>();
        MergedLibraryTest.queries(text).forEach(query -> all.addAll(query.all()));
        return all;
    }

    private static List<String> rows(String text) {
        List<String> rows = new ArrayList<>(ClusterRun.single(running(text), CAPTURE).of("whole"));
        assertFalse(rows.isEmpty(), text);
        return rows;
    }

    private static String create(String select) {
        return "CREATE QUERY whole AS " + select + ";";
    }

    @Test
    void aSubQueryHasTheRowsOfAQueryUnderAName() {
        for (List<String> pair : OUTERS) {
            String inner = pair.get(0);
            String outer = pair.get(1);
            List<String> two =
                    rows("CREATE QUERY x AS " + inner + ";" + create(outer.replace("$x", "x")));
            assertEquals(two, rows(create(outer.replace("$x", "(" + inner + ") AS x"))), outer);
            String named = "WITH x AS (" + inner + ") " + outer.replace("$x", "x");
            assertEquals(two, rows(create(named)), named);
            String deep = outer.replace("$x", "(SELECT * FROM (" + inner + ") AS y) AS x");
            String through = "CREATE QUERY y AS " + inner + "; CREATE QUERY x AS SELECT * FROM y;";
            assertEquals(
                    rows(through + create(outer.replace("$x", "x"))), rows(create(deep)), deep);
        }
    }

    @Test
    void theMergeHasTheRowsOfOneEngine() {
        long seed = Long.getLong("weir.seed", 1);
        for (List<String> pair : OUTERS) {
            String text = create(pair.get(1).replace("$x", "(" + pair.get(0) + ") AS x"));
            MergedLibraryTest.compare("sub-queries", running(text), CAPTURE, seed++);
        }
    }

    @Test
    void aNameThatIsReadTwiceIsOneState() {
        String text =
                create(
                        "WITH s AS ("
                                + INNER
                                + "), t AS (SELECT window_end, n FROM s), u AS (SELECT * FROM s)"
                                + " SELECT window_end, n FROM t");
        Query whole = MergedLibraryTest.queries(text).get(0);
        assertEquals(
                List.of("whole$1", "whole$2"), whole.parts().stream().map(Query::name).toList());
    }
}
