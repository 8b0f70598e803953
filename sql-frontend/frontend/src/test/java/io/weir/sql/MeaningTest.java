package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.MapCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What planned queries compute, by the naive interpreter. */
class MeaningTest {
    /** Expressions over one packet: ts 90.5 s, 10.0.0.1 to 2001:db8::1, proto 6, bytes 100. */
    private static final Map<String, Object> VALUES = new TreeMap<>();

    private static void is(String expression, Object value) {
        VALUES.put(expression, value instanceof Integer n ? (Object) n.longValue() : value);
    }

    static {
        is("bytes / 7", 14);
        is("-bytes / 7", -14);
        is("bytes / 0", null);
        is("bytes % 0", null);
        is("bytes / 8.0", 12.5);
        is("bytes / 0.0", null);
        is("7 - 2 - 1", 4);
        is("2 + 3 * 4 % 5", 4);
        is("1 << 4 >> 2", 4);
        is("0xFF", 255);
        is("-9223372036854775808", Long.MIN_VALUE);
        is("- 9223372036854775808 + 1", -Long.MAX_VALUE);
        is("9223372036854775807 + 1", null);
        is("(-9223372036854775808) - bytes", null);
        is("bytes * 9223372036854775807", null);
        is("(-9223372036854775808) / (-1)", null);
        is("(-9223372036854775808) % (-1)", 0);
        is("- (bytes * 0 - 9223372036854775807 - 1)", null);
        is("ABS(bytes * 0 - 9223372036854775807 - 1)", null);
        is("9223372036854775807 + 1 > 0", null);
        is("COALESCE(9223372036854775807 + bytes, -1)", -1);
        is("INTERVAL '1' DAY * 9223372036854775807", null);
        is("5. / 2", 2.5);
        is("BITAND(tcp_flags, 18)", 2);
        is("BITOR(tcp_flags, 1)", 3);
        is("BITXOR(tcp_flags, 3)", 1);
        is("BITNOT(0)", -1);
        is("ABS(-5)", 5);
        is("SQRT(bytes)", 10.0);
        is("LOG2(8)", 3.0);
        is("LOG2(536870912)", 29.0);
        is("EXP(0)", 1.0);
        is("POWER(2, 10)", 1024.0);
        is("FLOOR(2.7)", 2.0);
        is("CEIL(2.1)", 3.0);
        is("FLOOR(7)", 7);
        is("ROUND(bytes / 8.0)", 13.0);
        is("ROUND(-bytes / 32.0, 2)", -3.13);
        is("ROUND(bytes)", 100);
        is("ROUND(bytes, -3)", 0.0);
        is("CAST(2.9 AS BIGINT)", 2);
        is("CAST(-2.9 AS BIGINT)", -2);
        is("CAST(bytes > 5 AS BIGINT)", 1);
        is("CAST(1 AS DOUBLE)", 1.0);
        is("GREATEST(1, 2.5, bytes)", 100.0);
        is("LEAST(3, 2, bytes)", 2);
        is("GREATEST(1, NULLIF(bytes, 100))", null);
        is("COALESCE(NULLIF(bytes, 100), -1)", -1);
        is("COALESCE(NULL, NULLIF(bytes, 100), 5)", 5);
        is("NULLIF(bytes, 5)", 100);
        is("CASE WHEN proto = 6 THEN 'tcp' ELSE 'other' END", "tcp");
        is("CASE proto WHEN 17 THEN 1 END", null);
        is("CASE WHEN NULL THEN 1 ELSE 2.5 END", 2.5);
        is("NULLIF(1, 1) IS NULL", true);
        is("(NULLIF(1, 1) > 0) IS TRUE", false);
        is("(NULLIF(1, 1) > 0) IS NOT TRUE", true);
        is("(NULLIF(1, 1) > 0) IS UNKNOWN", true);
        is("bytes IS DISTINCT FROM 100", false);
        is("bytes IS NOT DISTINCT FROM NULL", false);
        is("NULLIF(1, 1) IS DISTINCT FROM bytes", true);
        is("NULLIF(1, 1) IS NOT DISTINCT FROM NULLIF(2, 2)", true);
        is("UNKNOWN", null);
        is("UNKNOWN OR bytes > 5", true);
        is("CASE WHEN UNKNOWN THEN 1 ELSE 2 END", 2);
        is("COALESCE(CAST(NULL AS DOUBLE), 7) / 2", 3.5);
        is("CASE WHEN bytes > 5 THEN 7 ELSE CAST(NULL AS DOUBLE) END", 7.0);
        is("INTERVAL '1' HOUR * CAST(NULL AS BIGINT)", null);
        is("INTERVAL '1' HOUR / NULL", null);
        is("-CAST(NULL AS DOUBLE)", null);
        is("NULLIF(1, 1) > 0 OR TRUE", true);
        is("NULLIF(1, 1) > 0 AND TRUE", null);
        is("NOT NULLIF(1, 1) > 0", null);
        is("proto IN (6, 17)", true);
        is("proto NOT IN (6, 17)", false);
        is("proto IN (1, NULL)", null);
        is("bytes BETWEEN 100 AND 200", true);
        is("bytes NOT BETWEEN 100 AND 200", false);
        is("src_addr = '10.0.0.1'", true);
        is("src_addr <> '10.0.0.1'", false);
        is("dst_addr = '2001:DB8:0::1'", true);
        is("src_addr < dst_addr", true);
        is("src_addr IN ('10.0.0.2', '10.0.0.1')", true);
        is("IN_SUBNET(src_addr, '10.0.0.0/8')", true);
        is("IN_SUBNET(src_addr, '10.0.0.3/30')", true);
        is("IN_SUBNET(src_addr, '0.0.0.0/0')", true);
        is("IN_SUBNET(src_addr, '::/0')", false);
        is("IN_SUBNET(dst_addr, '2001:db8::/32')", true);
        is("FAMILY(src_addr)", 4);
        is("FAMILY(dst_addr)", 6);
        is("src_mac = '00:00:00:00:00:00'", true);
        is("node_id = 'n1'", true);
        is("ts = TIMESTAMP '1970-01-01 00:01:30.5'", true);
        is("ts < '1970-01-02'", true);
        is("NANOSECONDS(ts)", 90_500_000_000L);
        is("NANOSECONDS(ts - TIMESTAMP '1970-01-01 00:01:30')", 500_000_000L);
        is("ts + INTERVAL '0.5' SECOND = TIMESTAMP '1970-01-01 00:01:31'", true);
        is("NANOSECONDS(INTERVAL '1' MILLISECOND * 3)", 3_000_000L);
        is("NANOSECONDS(2 * INTERVAL '1' WEEK)", 1_209_600_000_000_000L);
        is("NANOSECONDS(INTERVAL '-1.5' MINUTE)", -90_000_000_000L);
    }

    @TestFactory
    Stream<DynamicTest> expressions() {
        Packets packet =
                new Packets().add(90_500, "10.0.0.1", "2001:db8::1", "proto", 6, "tcp_flags", 2);
        return VALUES.entrySet().stream()
                .map(
                        e ->
                                DynamicTest.dynamicTest(
                                        e.getKey(),
                                        () ->
                                                assertEquals(
                                                        List.of("[" + e.getValue() + "]"),
                                                        packet.rows(
                                                                "SELECT "
                                                                        + e.getKey()
                                                                        + " FROM packets"))));
    }

    private static Packets some() {
        return new Packets()
                .add(100, "10.0.0.1", "10.0.0.9", "bytes", 10, "proto", 6)
                .add(900, "10.0.0.2", "10.0.0.9", "bytes", 30, "proto", 17)
                .add(950, "10.0.0.1", "10.0.0.8", "bytes", 20, "proto", 6)
                .add(1_000, "10.0.0.1", "10.0.0.9", "bytes", 40, "proto", 17);
    }

    @Test
    void groupsAreOrderedAndCutPerWindow() {
        String sql =
                "SELECT TUMBLE_END(ts, INTERVAL '1' SECOND), src_addr, SUM(bytes) AS bytes"
                        + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr"
                        + " ORDER BY bytes DESC, 2 LIMIT 1";
        assertEquals(
                List.of("[1000000000, 10.0.0.1, 30]", "[2000000000, 10.0.0.1, 40]"),
                some().rows(sql));
    }

    @Test
    void windowsBeginAtTheEpochAndHopsOverlap() {
        assertEquals(
                List.of(
                        "[0, 1000000000, 3]",
                        "[500000000, 1500000000, 3]",
                        "[1000000000, 2000000000, 1]"),
                some()
                        .rows(
                                "SELECT window_start, window_end, COUNT(*) FROM packets"
                                        + " GROUP BY HOP(ts, INTERVAL '500' MILLISECOND,"
                                        + " INTERVAL '1' SECOND)")
                        .stream()
                        .filter(row -> !row.startsWith("[-"))
                        .toList());
    }

    @Test
    void tableFunctionAndGroupFunctionMeanTheSame() {
        String byFunction =
                "SELECT window_start, src_addr, COUNT(*) FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr";
        String byTable =
                "SELECT window_start, src_addr, COUNT(*) FROM TABLE(TUMBLE(TABLE packets,"
                        + " DESCRIPTOR(ts), INTERVAL '1' SECOND)) GROUP BY src_addr, window_start";
        assertEquals(some().rows(byFunction), some().rows(byTable));
        for (String bound : List.of("1", "start", "TUMBLE_START(ts, INTERVAL '1' SECOND)")) {
            String byBound =
                    "SELECT TUMBLE_START(ts, INTERVAL '1' SECOND) AS start, src_addr, COUNT(*)"
                            + " FROM packets GROUP BY src_addr, "
                            + bound;
            assertEquals(some().rows(byFunction), some().rows(byBound));
        }
        assertEquals(
                List.of("[-1000000000, 0]"),
                new Packets()
                        .add(-1, "10.0.0.1", "10.0.0.2")
                        .rows(
                                "SELECT window_start, window_end FROM TABLE(TUMBLE(TABLE packets,"
                                        + " DESCRIPTOR(ts), INTERVAL '1' SECOND))"));
        assertEquals(
                List.of("[0]", "[0]", "[0]", "[1000000000]"),
                some().rows(
                                "SELECT window_start FROM TABLE(TUMBLE(TABLE packets,"
                                        + " DESCRIPTOR(ts), INTERVAL '1' SECOND))"));
    }

    @Test
    void aggregatesOfNothing() {
        assertEquals(
                List.of("[0, null, null, null, null, 0]"),
                new Packets()
                        .rows(
                                "SELECT COUNT(*), SUM(bytes), AVG(bytes), MIN(ts), MAX(bytes),"
                                        + " COUNT(DISTINCT src_addr) FROM packets"));
        assertEquals(
                List.of(),
                new Packets().rows("SELECT proto, SUM(bytes) FROM packets GROUP BY proto"));
    }

    /** As that of a few times in nanoseconds does. */
    @Test
    void averagesOfNumbersWhoseSumPasses64Bits() {
        Packets packets = some();
        List<String> means =
                packets.rows("SELECT AVG(bytes), AVG(bytes * 3), AVG(0 - bytes) FROM packets");
        String[] mean = means.get(0).replaceAll("[\\[\\]]", "").split(", ");
        assertEquals(Double.parseDouble(mean[0]) * 3, Double.parseDouble(mean[1]));
        assertEquals(-Double.parseDouble(mean[0]), Double.parseDouble(mean[2]));
        assertEquals(
                List.of("[9.0E18, -9.0E18]"),
                packets.rows(
                        "SELECT AVG(bytes + 9000000000000000000), AVG(-9000000000000000000 - bytes)"
                                + " FROM packets"));
    }

    /** As many as they take, wherever the one is. */
    @Test
    void extremesOfManyValues() {
        for (int place = 0; place < 32; place++) {
            List<String> values = new ArrayList<>();
            for (int v = 0; v < 32; v++) {
                values.add(v == place ? "+70000" : "bytes");
            }
            String list = String.join(", ", values);
            assertEquals(
                    List.of("[70000, -70000]"),
                    some().rows(
                                    "SELECT MAX(GREATEST("
                                            + list
                                            + ")), MAX(LEAST("
                                            + list.replace("+", "-")
                                            + ")) FROM packets"));
        }
    }

    /** A query's column may have the name of a packet's, and not its 32 bits. */
    @Test
    void averagesOfRowsWhoseColumnsHaveNamesOfPackets() {
        List<Query> two =
                new SqlFrontend(new MapCatalog())
                                .parse(
                                        "CREATE QUERY sums AS SELECT window_end, proto,"
                                                + " 9000000000000000000 AS bytes FROM packets"
                                                + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto;"
                                                + "CREATE QUERY mean AS SELECT AVG(bytes) FROM sums")
                                .stream()
                                .map(statement -> ((Statement.CreateQuery) statement).query())
                                .toList();
        assertEquals(List.of("[9.0E18]"), some().rows(two.get(0), two.get(1)));
    }

    /** Whichever packet comes first. */
    @Test
    void extremesPassOverWhatIsNoNumber() {
        for (String sign : List.of("1", "-1")) {
            String noNumber = "LN(" + sign + " * (bytes - 15))";
            String number = "LN(" + sign + " * (bytes - 15)) > -1e300";
            List<String> rows =
                    some().rows(
                                    "SELECT MIN("
                                            + noNumber
                                            + "), MAX("
                                            + noNumber
                                            + "), MIN("
                                            + noNumber
                                            + ") FILTER (WHERE "
                                            + number
                                            + "), MAX("
                                            + noNumber
                                            + ") FILTER (WHERE "
                                            + number
                                            + ") FROM packets");
            String[] extreme = rows.get(0).replaceAll("[\\[\\]]", "").split(", ");
            assertEquals(extreme[2], extreme[0]);
            assertEquals(extreme[3], extreme[1]);
            assertFalse(rows.get(0).contains("NaN") || rows.get(0).contains("null"), rows.get(0));
        }
    }

    @Test
    void filterAndDistinctAndNulls() {
        assertEquals(
                List.of("[2, 30, null, 3, 3, 40]"),
                some().rows(
                                "SELECT COUNT(*) FILTER (WHERE proto = 6),"
                                        + " SUM(bytes) FILTER (WHERE proto = 6),"
                                        + " SUM(bytes) FILTER (WHERE proto = 1),"
                                        + " COUNT(DISTINCT src_addr, dst_addr),"
                                        + " COUNT(NULLIF(bytes, 10)), MAX(bytes) FROM packets"));
    }

    @Test
    void selectDistinctIsGroupBy() {
        assertEquals(
                List.of("[10.0.0.1]", "[10.0.0.2]"),
                some().rows("SELECT DISTINCT src_addr FROM packets ORDER BY 1"));
    }

    @Test
    void rowsComeInOrderOfTimeUpToTheLimit() {
        assertEquals(
                List.of("[30]", "[20]"), some().rows("SELECT bytes FROM packets LIMIT 2 OFFSET 1"));
    }

    /** flows by its definition: rows of a table by 5-tuple and node, then aggregated. */
    @Test
    void flowsAreWhatTheirDefinitionSays() {
        long seed = 7_071L;
        Random random = new Random(seed);
        Packets packets = new Packets();
        Map<List<Object>, long[]> flows = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            String src = "10.0.0." + random.nextInt(3);
            String dst = "10.0.1." + random.nextInt(2);
            int port = random.nextInt(3);
            int bytes = 40 + random.nextInt(100);
            String node = "n" + random.nextInt(2);
            packets.add(i, src, dst, "src_port", port, "bytes", bytes, "node_id", node);
            long[] totals = flows.computeIfAbsent(List.of(dst, src, port, node), k -> new long[2]);
            totals[0]++;
            totals[1] += bytes;
        }
        Set<String> expected = new HashSet<>();
        flows.forEach(
                (flow, totals) -> {
                    if (totals[1] > 1_500) {
                        expected.add(
                                List.of(flow.get(0), flow.get(1), totals[0], totals[1]).toString());
                    }
                });
        List<String> rows =
                packets.rows(
                        "SELECT dst_addr, src_addr, packets, bytes FROM flows WHERE bytes > 1500");
        assertEquals(expected, new HashSet<>(rows), "seed " + seed);
        assertEquals(grouped(flows), groupedRows(packets), "seed " + seed);
    }

    private static List<String> grouped(Map<List<Object>, long[]> flows) {
        TreeMap<String, long[]> byDst = new TreeMap<>();
        flows.forEach(
                (flow, totals) -> {
                    long[] sums = byDst.computeIfAbsent((String) flow.get(0), k -> new long[3]);
                    sums[0]++;
                    sums[1] += totals[0];
                    sums[2] += totals[1];
                });
        List<String> rows = new ArrayList<>();
        byDst.forEach(
                (dst, s) ->
                        rows.add(List.of(dst, s[0], s[1], s[2], (double) s[2] / s[0]).toString()));
        return rows;
    }

    private static List<String> groupedRows(Packets packets) {
        return packets.rows(
                "SELECT dst_addr, COUNT(*), SUM(packets), SUM(bytes), AVG(bytes) FROM flows"
                        + " GROUP BY dst_addr");
    }
}
