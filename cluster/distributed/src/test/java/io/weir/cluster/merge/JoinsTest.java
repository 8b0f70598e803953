package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.graph.GraphReader;
import io.weir.cluster.graph.GraphTables;
import io.weir.cluster.graph.GraphWriter;
import io.weir.cluster.wire.QueryGraph;
import io.weir.operators.graph.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Joins have the rows that nested loops make, on one engine and merged. */
@Timeout(600)
final class JoinsTest {
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");

    private static final List<String> KINDS =
            List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "EXISTS", "NOT EXISTS");

    @BeforeAll
    static void needsTheDemo() {
        assumeTrue(Files.exists(CAPTURE), "the demo's capture is not here: skipped");
    }

    private static <T> T one(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** A query with the columns window_end, k and n; of totals without the first. */
    private static String side(Random random, boolean windowed, int seconds) {
        String key =
                one(
                        random,
                        List.of(
                                "src_addr",
                                "dst_addr",
                                "CASE WHEN bytes > 60 THEN src_addr END",
                                "CASE WHEN dst_port > 1000 THEN dst_addr END"));
        String value = one(random, List.of("COUNT(*)", "MAX(bytes)", "COUNT(DISTINCT dst_port)"));
        String where = one(random, List.of("", " WHERE proto = 6", " WHERE bytes > 100"));
        String window = windowed ? "TUMBLE(ts, INTERVAL '" + seconds + "' SECOND), " : "";
        return "SELECT "
                + (windowed ? "window_end, " : "")
                + key
                + " AS k, "
                + value
                + " AS n FROM packets"
                + where
                + " GROUP BY "
                + window
                + "k";
    }

    /** One case: two queries, and how they are joined. */
    private record Case(String text, String kind, boolean windowed, boolean byKey, boolean more) {
        static Case of(Random random, boolean windowed) {
            int seconds = one(random, List.of(1, 2, 5));
            String kind = one(random, KINDS);
            boolean byKey = random.nextInt(4) > 0;
            boolean more = random.nextInt(3) == 0;
            String a = side(random, windowed, seconds);
            String b = side(random, windowed, seconds);
            List<String> conditions = new ArrayList<>();
            if (windowed) {
                conditions.add("a.window_end = b.window_end");
            }
            if (byKey || !windowed) {
                conditions.add("b.k = a.k");
            }
            if (more) {
                conditions.add("a.n < b.n");
            }
            String on = String.join(" AND ", conditions);
            String join =
                    kind.contains("EXISTS")
                            ? "SELECT a.* FROM a WHERE "
                                    + kind
                                    + " (SELECT 1 FROM b WHERE "
                                    + on
                                    + ")"
                            : "SELECT a.*, b.* FROM a " + kind + " b ON " + on;
            String text =
                    "CREATE QUERY a AS "
                            + a
                            + ";\nCREATE QUERY b AS "
                            + b
                            + ";\nCREATE QUERY j AS "
                            + join
                            + ";";
            return new Case(text, kind, windowed, byKey || !windowed, more);
        }

        int width() {
            return windowed ? 3 : 2;
        }

        private boolean fits(String[] left, String[] right) {
            int key = windowed ? 1 : 0;
            boolean window = !windowed || left[0].equals(right[0]);
            boolean keys = !byKey || !left[key].equals("null") && left[key].equals(right[key]);
            boolean rest = !more || Long.parseLong(left[key + 1]) < Long.parseLong(right[key + 1]);
            return window && keys && rest;
        }

        /** The rows of nested loops. */
        List<String> rows(List<String[]> lefts, List<String[]> rights) {
            String[] none = new String[width()];
            Arrays.fill(none, "null");
            List<String> rows = new ArrayList<>();
            boolean[] met = new boolean[rights.size()];
            for (String[] left : lefts) {
                boolean any = false;
                for (int r = 0; r < rights.size(); r++) {
                    if (fits(left, rights.get(r))) {
                        any = true;
                        met[r] = true;
                        if (kind.endsWith("JOIN")) {
                            rows.add(text(left, rights.get(r)));
                        }
                    }
                }
                if (kind.equals(any ? "EXISTS" : "NOT EXISTS")) {
                    rows.add(text(left));
                } else if (!any && (kind.equals("LEFT JOIN") || kind.equals("FULL JOIN"))) {
                    rows.add(text(left, none));
                }
            }
            for (int r = 0; r < rights.size(); r++) {
                if (!met[r] && (kind.equals("RIGHT JOIN") || kind.equals("FULL JOIN"))) {
                    rows.add(text(none, rights.get(r)));
                }
            }
            rows.sort(null);
            return rows;
        }

        private static String text(String[]... sides) {
            List<String> all = new ArrayList<>();
            Arrays.stream(sides).forEach(side -> all.addAll(List.of(side)));
            return String.join(" ", all);
        }
    }

    /** The values of rows, without the window in front. */
    private static List<String[]> values(Rows rows, String query) {
        return rows.of(query).stream()
                .map(row -> row.split(" "))
                .map(row -> Arrays.copyOfRange(row, 1, row.length))
                .toList();
    }

    private static List<String> joined(Rows rows) {
        return values(rows, "j").stream().map(row -> String.join(" ", row)).sorted().toList();
    }

    private static List<Query> running(String text) {
        List<Query> all = new ArrayList<>();
        MergedLibraryTest.queries(text).forEach(query -> all.addAll(query.all()));
        return all;
    }

    @Test
    void theyHaveTheRowsOfNestedLoops() {
        long base = Long.getLong("weir.seed", 1);
        long compared = 0;
        for (long seed = base; seed < base + 60; seed++) {
            Case next = Case.of(new Random(seed), seed % 4 != 0);
            Rows rows = ClusterRun.single(running(next.text()), CAPTURE);
            List<String> expected = next.rows(values(rows, "a"), values(rows, "b"));
            assertEquals(
                    String.join("\n", expected),
                    String.join("\n", joined(rows)),
                    "seed " + seed + ": " + next.text());
            compared += expected.size();
        }
        assertTrue(compared > 1_000, "only " + compared);
    }

    @Test
    void theCataloguesRecordHasTheWholePlan() {
        for (long seed = 1; seed <= 30; seed++) {
            Case next = Case.of(new Random(seed), seed % 4 != 0);
            String text =
                    next.text()
                            + "CREATE QUERY mixed AS SELECT k, n FROM a UNION ALL"
                            + " SELECT k, SUM(n) FROM (SELECT k, n FROM b) AS x GROUP BY k;";
            String windowed = next.windowed() ? next.text() : text;
            for (Query query : MergedLibraryTest.queries(windowed)) {
                QueryGraph graph = GraphWriter.of(query, "this");
                assertEquals(
                        query,
                        GraphReader.query(
                                graph, query.name(), query.sql(), "this", GraphTables.empty()));
            }
        }
    }

    @Test
    void theMergeHasTheRowsOfOneEngine() {
        long base = Long.getLong("weir.seed", 1);
        for (long seed = base; seed < base + 12; seed++) {
            Case next = Case.of(new Random(seed), true);
            MergedLibraryTest.compare(next.text(), running(next.text()), CAPTURE, seed);
        }
    }
}
