package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries over the rows of queries, on the demo's capture: right answers come from DuckDB. */
class RowsOfRowsTest {
    private static final String CAPTURE = Path.of("../../demo/capture.pcap").toString();
    private static final Pattern NUMBER = Pattern.compile("\"(\\w+)\":(-?\\d+)");

    private static List<String> run(String sql, String query, String pipelines) {
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        sql,
                        "--pcap",
                        CAPTURE,
                        "--format",
                        "json",
                        "--query",
                        query,
                        "--pipelines",
                        pipelines);
        assertEquals(0, result.code(), result.err());
        return result.out().lines().toList();
    }

    private static long sum(List<String> rows, String column) {
        long sum = 0;
        for (String row : rows) {
            Matcher number = NUMBER.matcher(row);
            while (number.find()) {
                sum += number.group(1).equals(column) ? Long.parseLong(number.group(2)) : 0;
            }
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void aProjectedRowHasThePacketsTime(String pipelines) {
        String web = "CREATE QUERY web AS SELECT ts, bytes FROM packets WHERE dst_port = 80;";
        String counted =
                "CREATE QUERY c AS SELECT window_start, COUNT(*) AS n FROM %s"
                        + " GROUP BY TUMBLE(ts, INTERVAL '100' MILLISECOND);";
        List<String> direct = run(counted.formatted("packets WHERE dst_port = 80"), "c", pipelines);
        List<String> rows = run(web + counted.formatted("web"), "c", pipelines);
        assertEquals(direct, rows);
        assertEquals(339, rows.size());
        assertEquals(11_540, sum(rows, "n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"window_end", "window_start"})
    void aSecondLiesInItsOwnMinute(String time) {
        String sql =
                "CREATE QUERY sec AS SELECT window_start, window_end, COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"
                        + "CREATE QUERY minutes AS SELECT window_start, SUM(n) AS n FROM sec"
                        + " GROUP BY TUMBLE(%s, INTERVAL '1' MINUTE);";
        List<String> rows = run(sql.formatted(time), "minutes", "1");
        assertEquals(2, rows.size());
        assertTrue(rows.get(0).contains("\"n\":9885"), rows.get(0));
        assertTrue(rows.get(1).contains("\"n\":22293"), rows.get(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    SELECT proto, COUNT(*) AS n FROM packets GROUP BY proto | SUM(n) | 32178
                    SELECT COUNT(*) AS n FROM packets GROUP BY proto | SUM(n) | 32178
                    SELECT DISTINCT src_addr FROM packets | COUNT(*) | 311
                    SELECT src_addr, packets AS n FROM flows | SUM(n) | 32178
                    """)
    void anAggregateOverTotalsReadsTheNewestRowOfEachGroup(
            String table, String aggregate, String value) {
        String sql =
                "CREATE QUERY t AS %s; CREATE QUERY f AS SELECT * FROM t;"
                        + " CREATE QUERY a AS SELECT %s AS x FROM %s;";
        for (String from : List.of("t", "f")) {
            for (String pipelines : List.of("1", "2")) {
                String text = sql.formatted(table, aggregate, from);
                assertEquals(
                        List.of("{\"query\":\"a\",\"x\":" + value + "}"),
                        run(text, "a", pipelines));
            }
        }
    }

    /** Rows of windows of ten seconds renew it first, and rows of earlier windows come after. */
    @Test
    void forIsNeverShortened() {
        String sql =
                "CREATE QUERY u AS SELECT COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"
                        + "CREATE QUERY a AS SELECT proto, COUNT(*) AS n FROM packets"
                        + " GROUP BY HOP(ts, INTERVAL '1' SECOND, INTERVAL '10' SECOND), proto"
                        + " WHEN NOT (u.n > 100) FOR INTERVAL '3' SECOND;"
                        + "CREATE QUERY b AS SELECT window_start, COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)"
                        + " WHEN a.n = 2 FOR INTERVAL '1' SECOND;";
        List<String> woken = run(sql, "b", "1");
        for (int second : new int[] {37, 38}) {
            String start = "2026-11-21T00:15:" + second;
            assertTrue(woken.stream().anyMatch(row -> row.contains(start)), start + " of " + woken);
        }
        assertTrue(woken.stream().noneMatch(row -> row.contains("00:15:39")), woken.toString());
    }
}
