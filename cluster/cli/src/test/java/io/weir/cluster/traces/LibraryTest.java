package io.weir.cluster.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.operators.sketch.DistinctSketch;
import io.weir.sql.library.QueryLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library's queries against answers that Weir had no part in: the demo's, by tshark and awk,
 * and those of the shared captures, by a parser of its own.
 */
final class LibraryTest {
    private static final QueryLibrary LIBRARY = QueryLibrary.load();
    private static final Path DEMO = Path.of("..", "..", "demo");

    /** Marple's own program of TCP out of sequence: the expectation begins at 0. */
    private static final String FROM_ZERO =
            """
            CREATE QUERY from_zero AS
            SELECT src_addr, dst_addr, proto, src_port, dst_port,
                   OUT_OF_SEQUENCE(tcp_seq, (tcp_seq + payload_bytes) % 4294967296)
                   + CASE WHEN FIRST(tcp_seq) <> 0 THEN 1 ELSE 0 END AS out_of_sequence
            FROM packets
            WHERE proto = 6 AND fragment_offset = 0
            GROUP BY src_addr, dst_addr, proto, src_port, dst_port;
            """;

    private static final Set<String> STANDARD =
            Set.of("eth", "null", "loop", "ppp", "raw", "sll", "sll2", "ipv4", "ipv6");

    /** Wide enough for a whole capture, unless it lies across a boundary. */
    private static final long WIDE_S = 300L * 86_400;

    @TempDir private Path scratch;

    @Test
    void theDemosRowsAreTsharks() throws IOException {
        expect("passthrough", "total", "packets");
        expect("traffic_count", "total", "packets", "bytes");
        expect("packets_per_source", "per_source", "src_addr", "packets", "bytes");
        expect("traffic_by_src_addr", "per_source", "src_addr", "packets", "bytes");
        expect("traffic_by_proto", "per_protocol", "proto", "packets", "bytes");
        expect(
                "new_tcp_connections",
                "new_tcp_connections",
                "window_start",
                "dst_addr",
                "syns=connections");
        expect("port_scan", "port_scan", "window_start", "src_addr", "ports");
        expect("superspreader", "superspreader", "window_start", "src_addr", "destinations");
        expect("ddos", "ddos", "window_start", "dst_addr", "sources");
        expect(
                "ssh_brute_force",
                "ssh_brute_force",
                "window_start",
                "dst_addr",
                "bytes",
                "sources");
        expect("syn_flood", "syn_flood", "window_start", "addr", "syn", "syn_ack", "ack", "score");
        expect("slowloris", "slowloris", "window_start", "dst_addr", "bytes", "connections");
        expect("source_entropy", "per_window", "from_ts=window_start", "packets");
        expect(
                "heavy_hitter",
                Map.of("TH", "10000"),
                "heavy_hitter",
                "window_start",
                "dst_addr",
                "src_addr",
                "bytes");
    }

    /** The sketches' answers do not depend on order: these rows are the same on every run. */
    @Test
    void approximateIsNearExact() throws IOException {
        String sql =
                """
                CREATE QUERY per_dst AS
                SELECT COUNT(DISTINCT src_addr, src_port) AS exact,
                       APPROX_COUNT_DISTINCT(src_addr, src_port) AS approximate,
                       COUNT(*) FILTER (WHERE bytes <= 60) AS low, COUNT(*) AS packets,
                       APPROX_QUANTILE(bytes, 0.25) AS quarter
                FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr;
                CREATE QUERY total AS
                SELECT COUNT(DISTINCT src_addr, src_port) AS exact,
                       APPROX_COUNT_DISTINCT(src_addr, src_port) AS approximate,
                       APPROX_TOP(src_addr, 1) AS first, APPROX_TOP_COUNT(src_addr, 1) AS packets
                FROM packets;
                """;
        CommandRun run = CommandRun.of(sql, DEMO.resolve("capture.pcap"), scratch);
        List<String> rows = new ArrayList<>(run.lines("per_dst", "exact", "approximate"));
        rows.addAll(run.lines("total", "exact", "approximate"));
        assertTrue(rows.size() > 500, "only " + rows.size());
        for (String row : rows) {
            double exact = Double.parseDouble(row.split(",")[0]);
            double approximate = Double.parseDouble(row.split(",")[1]);
            assertEquals(exact, approximate, 4 * DistinctSketch.relativeError() * exact, row);
        }
        for (String row : run.lines("per_dst", "low", "packets", "quarter")) {
            String[] cells = row.split(",");
            double share = Double.parseDouble(cells[0]) / Double.parseDouble(cells[1]);
            boolean low = Double.parseDouble(cells[2]) <= 60;
            assertTrue(low ? share > 0.2 : share < 0.3, row);
        }
        List<String> totals = Files.readAllLines(DEMO.resolve("expected/per_source.csv"));
        String first = run.lines("total", "first", "packets").get(0);
        assertTrue(totals.stream().anyMatch(line -> line.startsWith(first + ",")), first);
    }

    private void expect(String query, String answer, String... columns) throws IOException {
        expect(query, Map.of(), answer, columns);
    }

    /** Columns are {@code ours} or {@code ours=theirs}. */
    private void expect(String query, Map<String, String> set, String answer, String... columns)
            throws IOException {
        List<String> lines = Files.readAllLines(DEMO.resolve("expected/" + answer + ".csv"));
        List<String> header = Arrays.asList(lines.get(0).split(","));
        List<Integer> places = new ArrayList<>();
        List<String> ours = new ArrayList<>();
        for (String column : columns) {
            String[] names = column.split("=");
            ours.add(names[0]);
            places.add(header.indexOf(names[names.length - 1]));
        }
        assertFalse(places.contains(-1), answer + " has " + header);
        List<String> expected =
                lines.stream()
                        .skip(1)
                        .map(line -> line.split(","))
                        .map(c -> places.stream().map(p -> c[p]).collect(Collectors.joining(",")))
                        .sorted()
                        .toList();
        CommandRun run = CommandRun.of(text(query, set), DEMO.resolve("capture.pcap"), scratch);
        assertFalse(expected.isEmpty());
        assertEquals(
                String.join("\n", expected),
                String.join("\n", run.lines(query, ours.toArray(String[]::new))),
                query);
    }

    /** A query's text, its parameters filled in. */
    private static String text(String name, Map<String, String> set) {
        String text = LIBRARY.find(name).text();
        Map<String, String> values = new HashMap<>(LIBRARY.find(name).defaults());
        values.putAll(set);
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace(":" + value.getKey(), value.getValue());
        }
        return text;
    }

    /** The library's text with one window for the whole capture and no threshold. */
    private static String wide(String name) {
        String text = text(name, Map.of("TH", "0"));
        return text.replace("INTERVAL '1' SECOND", "INTERVAL '300' DAY");
    }

    private static String queries() {
        return String.join(
                "\n",
                text("tcp_out_of_sequence", Map.of("TH", "0")),
                text("tcp_non_monotonic", Map.of("TH", "0")),
                FROM_ZERO,
                text("concurrent_connections", Map.of()),
                text("destinations_per_source", Map.of()),
                text("traffic_by_dst_port", Map.of()),
                wide("ddos"),
                wide("new_tcp_connections"),
                wide("port_scan"),
                wide("ssh_brute_force"),
                wide("source_entropy"));
    }

    @Test
    void theSharedCapturesRowsAreTheirAnswers() throws IOException {
        Traces traces = Traces.find().orElse(null);
        assumeTrue(traces != null, "the shared captures are not here: skipped");
        Map<String, Map<String, List<Map<String, String>>>> answers = new HashMap<>();
        for (String file : List.of("tcp_seq", "window_1s", "per_5tuple", "per_dst", "ssh_len")) {
            answers.put(file, traces.answers(file + ".csv"));
        }
        int compared = 0;
        int windowed = 0;
        for (var summary : traces.summaries().entrySet()) {
            String capture = summary.getKey();
            boolean here =
                    Files.exists(traces.file(capture))
                            && !capture.startsWith("hostile")
                            && !capture.equals(TracesTest.CISCO_HDLC);
            if (!here || !isStandard(summary.getValue().get("by_encap"))) {
                continue;
            }
            CommandRun run = CommandRun.of(queries(), traces.file(capture), scratch);
            Answers theirs = new Answers(capture, answers);
            wholeInput(theirs, run);
            compared++;
            if (run.late() == 0 && isInOneWindow(summary.getValue())) {
                inWindows(theirs, run, summary.getValue());
                windowed++;
            }
        }
        System.out.println(compared + " captures compared, " + windowed + " in windows too");
        assertTrue(windowed > 700, "only " + windowed + " of " + compared);
    }

    private record Answers(
            String capture, Map<String, Map<String, List<Map<String, String>>>> files) {
        List<Map<String, String>> of(String file) {
            return files.get(file).getOrDefault(capture, List.of());
        }

        List<String> rows(String file, Function<Map<String, String>, String> text) {
            return of(file).stream().map(text).sorted().toList();
        }

        /** How many distinct {@code counted} each {@code key} has among the 5-tuples. */
        List<String> distinct(String key, String counted, boolean tcpOnly) {
            Map<String, Set<String>> seen = new HashMap<>();
            for (Map<String, String> row : of("per_5tuple")) {
                if (!tcpOnly || row.get("proto").equals("6")) {
                    seen.computeIfAbsent(row.get(key), k -> new HashSet<>()).add(row.get(counted));
                }
            }
            return seen.entrySet().stream()
                    .map(e -> e.getKey() + "," + e.getValue().size())
                    .sorted()
                    .toList();
        }

        void check(List<String> expected, List<String> actual, String what) {
            assertEquals(
                    String.join("\n", expected), String.join("\n", actual), capture + ": " + what);
        }
    }

    private static String flow(Map<String, String> row, String count) {
        return String.join(
                ",",
                row.get("src"),
                row.get("dst"),
                row.get("proto"),
                row.get("sport"),
                row.get("dport"),
                row.get(count));
    }

    private static final String[] FLOW = {"src_addr", "dst_addr", "proto", "src_port", "dst_port"};

    private static List<String> flows(CommandRun run, String query, String count) {
        String[] columns = Arrays.copyOf(FLOW, FLOW.length + 1);
        columns[FLOW.length] = count;
        // Packets whose TCP header is cut before its ports end.
        return run.lines(query, columns).stream().filter(r -> !r.contains(",6,0,0,")).toList();
    }

    /** Without flows of hosts some of whose TCP headers are cut: Weir reads more of these. */
    private static List<String> whole(Answers theirs, List<String> flows) {
        List<String> inPart =
                theirs.of("per_5tuple").stream()
                        .filter(r -> r.get("proto").equals("6") && r.get("ports_known").equals("0"))
                        .map(r -> r.get("src") + "," + r.get("dst") + ",6,")
                        .toList();
        return flows.stream().filter(f -> inPart.stream().noneMatch(f::startsWith)).toList();
    }

    private static void wholeInput(Answers theirs, CommandRun run) {
        theirs.check(
                whole(theirs, theirs.rows("tcp_seq", r -> flow(r, "not_next"))),
                whole(theirs, flows(run, "tcp_out_of_sequence", "out_of_sequence")),
                "out of sequence");
        theirs.check(
                whole(theirs, theirs.rows("tcp_seq", r -> flow(r, "marple_nmo"))),
                whole(theirs, flows(run, "tcp_non_monotonic", "non_monotonic")),
                "non-monotonic");
        theirs.check(
                whole(theirs, theirs.rows("tcp_seq", r -> flow(r, "marple_oos"))),
                whole(theirs, flows(run, "from_zero", "out_of_sequence")),
                "out of sequence, from zero");
        theirs.check(
                theirs.distinct("src", "dst", false),
                run.lines("destinations_per_source", "src_addr", "destinations"),
                "destinations");
    }

    private static void inWindows(Answers theirs, CommandRun run, JsonNode summary) {
        theirs.check(
                theirs.rows("per_dst", r -> r.get("dst") + "," + r.get("distinct_src")),
                run.lines("ddos", "dst_addr", "sources"),
                "ddos");
        theirs.check(
                theirs.of("per_dst").stream()
                        .filter(r -> !r.get("syn_only").equals("0"))
                        .map(r -> r.get("dst") + "," + r.get("syn_only"))
                        .sorted()
                        .toList(),
                run.lines("new_tcp_connections", "dst_addr", "syns"),
                "new connections");
        theirs.check(
                theirs.distinct("src", "dport", true),
                run.lines("port_scan", "src_addr", "ports"),
                "port scan");
        theirs.check(
                theirs.rows(
                        "ssh_len",
                        r ->
                                String.join(
                                        ",", r.get("dst"), r.get("ip_len"), r.get("distinct_src"))),
                run.lines("ssh_brute_force", "dst_addr", "bytes", "sources"),
                "ssh brute force");
        theirs.check(
                theirs.rows("window_1s", r -> r.get("distinct_5tuple")),
                run.lines("concurrent_connections", "connections"),
                "concurrent connections");
        List<String> bits = run.lines("source_entropy", "bits");
        double expected = summary.get("entropy_src_bits").asDouble();
        assertEquals(
                expected,
                bits.isEmpty() ? 0 : Double.parseDouble(bits.get(0)),
                1e-8,
                theirs.capture());
    }

    private static boolean isInOneWindow(JsonNode summary) {
        long first = summary.get("ts_first_ns").asLong() / 1_000_000_000L;
        long last = summary.get("ts_last_ns").asLong() / 1_000_000_000L;
        boolean zeroLengths = summary.get("ip_len_zero").asLong() > 0;
        return !zeroLengths && first / WIDE_S == last / WIDE_S;
    }

    private static boolean isStandard(JsonNode encaps) {
        var names = encaps.fieldNames();
        while (names.hasNext()) {
            if (!STANDARD.contains(names.next().replaceAll("(/vlan)+$", ""))) {
                return false;
            }
        }
        return true;
    }
}
