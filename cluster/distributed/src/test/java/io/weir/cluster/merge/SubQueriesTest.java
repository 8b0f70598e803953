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

    /** Both directions of each host, as a union and as the sums of two queries. */
    private static String union(String window, String columns) {
        return "SELECT "
                + columns
                + "src_addr AS host, COUNT(*) AS n FROM packets GROUP BY "
                + window
                + "src_addr UNION ALL SELECT "
                + columns
                + "dst_addr, COUNT(*) FROM packets GROUP BY "
                + window
                + "dst_addr";
    }

    private static List<String> sorted(List<String> rows) {
        return rows.stream().map(row -> row.substring(row.indexOf(' '))).sorted().toList();
    }

    @Test
    void aUnionHasTheRowsOfItsQueries() {
        for (boolean windowed : List.of(true, false)) {
            String window = windowed ? "TUMBLE(ts, INTERVAL '2' SECOND), " : "";
            String columns = windowed ? "window_end, " : "";
            String both = union(window, columns);
            String one = both.substring(0, both.indexOf(" UNION"));
            String other = both.substring(both.indexOf("SELECT", 7));
            List<String> expected = new ArrayList<>(sorted(rows(create(one))));
            expected.addAll(sorted(rows(create(other))));
            expected.sort(null);
            assertEquals(expected, sorted(rows(create(both))), both);
            String sums = "SELECT host, SUM(n) AS n FROM (" + both + ") AS u GROUP BY host";
            String named = "CREATE QUERY u AS " + both + ";";
            assertEquals(
                    rows(named + create("SELECT host, SUM(n) AS n FROM u GROUP BY host")),
                    rows(create(sums)),
                    sums);
        }
    }

    @Test
    void theMergeHasTheUnionOfOneEngine() {
        String both = union("TUMBLE(ts, INTERVAL '2' SECOND), ", "window_end, ");
        String sums =
                "SELECT window_start, host, SUM(n) AS n FROM ("
                        + both
                        + ") AS u GROUP BY TUMBLE(window_end, INTERVAL '4' SECOND), host";
        for (String text : List.of(both, sums)) {
            MergedLibraryTest.compare("union", running(create(text)), CAPTURE, 1);
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
