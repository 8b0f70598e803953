package io.weir.cluster.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cluster.launcher.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole command against other people's answers: real captures from file to rows, compared with
 * what an independent parser, cross-checked with tshark, says of them.
 */
final class TracesTest {
    private static final String QUERIES =
            """
            CREATE QUERY per_src AS
              SELECT src_addr, COUNT(*) AS pkts, SUM(bytes) AS ip_bytes
              FROM packets GROUP BY src_addr;
            CREATE QUERY per_dst AS
              SELECT dst_addr, COUNT(*) AS pkts, COUNT(DISTINCT src_addr) AS distinct_src,
                SUM(CASE WHEN proto = 6 AND BITAND(tcp_flags, 18) = 2 THEN 1 ELSE 0 END) AS syn_only,
                COUNT(*) FILTER (WHERE proto = 6 AND BITAND(tcp_flags, 18) = 18) AS syn_ack
              FROM packets GROUP BY dst_addr;
            CREATE QUERY per_5tuple AS
              SELECT src_addr, dst_addr, proto, src_port, dst_port, COUNT(*) AS pkts,
                SUM(frame_bytes) AS wire_bytes, MIN(ts) AS first, MAX(ts) AS last
              FROM packets GROUP BY src_addr, dst_addr, proto, src_port, dst_port;
            CREATE QUERY window_1s AS
              SELECT window_start, COUNT(*) AS pkts, COUNT(DISTINCT src_addr) AS distinct_src
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);
            CREATE QUERY window_10s_src AS
              SELECT window_start, src_addr, COUNT(*) AS pkts
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '10' SECOND), src_addr;
            """;

    /** First encapsulations that the per_*.csv tables hold; the others only per_src_all_encaps. */
    private static final Set<String> STANDARD =
            Set.of("eth", "null", "loop", "ppp", "raw", "sll", "sll2", "ipv4", "ipv6");

    /** The parser of the answers does not read it. */
    static final String CISCO_HDLC = "labelled/ndpi/nDPI__BGP_Cisco_hdlc_slarp.pcap";

    @TempDir private Path scratch;

    @Test
    void rowsAreTheAnswers() throws IOException {
        Traces traces = Traces.find().orElse(null);
        assumeTrue(traces != null, "the shared captures are not here: skipped");
        var perSrc = traces.answers("per_src_all_encaps.csv");
        var perDst = traces.answers("per_dst.csv");
        var per5tuple = traces.answers("per_5tuple.csv");
        var window1s = traces.answers("window_1s.csv");
        var window10s = traces.answers("window_10s_src.csv");
        int compared = 0;
        int standard = 0;
        for (var summary : traces.summaries().entrySet()) {
            String capture = summary.getKey();
            if (capture.startsWith("hostile")
                    || capture.equals(CISCO_HDLC)
                    || !Files.exists(traces.file(capture))) {
                continue;
            }
            CommandRun run = CommandRun.of(QUERIES, traces.file(capture), scratch);
            boolean zeroLengths = summary.getValue().get("ip_len_zero").asLong() > 0;
            compare(
                    capture,
                    perSrc.get(capture),
                    r ->
                            r.get("src")
                                    + " "
                                    + r.get("pkts")
                                    + (zeroLengths ? "" : " " + r.get("ip_bytes")),
                    run.rows("per_src"),
                    r ->
                            text(r, "src_addr", "pkts")
                                    + (zeroLengths ? "" : " " + text(r, "ip_bytes")));
            compared++;
            if (!isStandard(summary.getValue().get("by_encap"))) {
                continue;
            }
            standard++;
            compare(
                    capture,
                    perDst.get(capture),
                    r -> join(r, "dst", "pkts", "distinct_src", "syn_only", "syn_ack"),
                    run.rows("per_dst"),
                    r -> text(r, "dst_addr", "pkts", "distinct_src", "syn_only", "syn_ack"));
            List<Map<String, String>> flows = per5tuple.getOrDefault(capture, List.of());
            Set<String> inPart = inPart(flows);
            compare(
                    capture,
                    merged(flows, inPart),
                    TracesTest::flow,
                    merged(flows(run.rows("per_5tuple")), inPart),
                    TracesTest::flow);
            if (run.late() == 0) {
                compare(
                        capture,
                        window1s.get(capture),
                        r -> join(r, "window_start_s", "pkts", "distinct_src"),
                        run.rows("window_1s"),
                        r -> seconds(r) + " " + text(r, "pkts", "distinct_src"));
                compare(
                        capture,
                        window10s.get(capture),
                        r -> join(r, "window_start_s", "src", "pkts"),
                        run.rows("window_10s_src"),
                        r -> seconds(r) + " " + text(r, "src_addr", "pkts"));
            }
        }
        System.out.println(compared + " captures compared, " + standard + " in every answer");
        assertTrue(standard > 800, "only " + standard + " captures were compared");
    }

    /**
     * Of which hosts they have TCP, UDP or SCTP without ports: their tool reads none where the
     * header is not whole, and Weir does from 4 bytes on.
     */
    private static Set<String> inPart(List<Map<String, String>> theirs) {
        Set<String> hosts = new HashSet<>();
        for (Map<String, String> row : theirs) {
            if (row.get("ports_known").equals("0")
                    && Set.of("6", "17", "132").contains(row.get("proto"))) {
                hosts.add(join(row, "src", "dst", "proto"));
            }
        }
        return hosts;
    }

    /** Flows between these hosts as one; so are ports that are 0 and ports that were not there. */
    private static List<Map<String, String>> merged(
            List<Map<String, String>> rows, Set<String> inPart) {
        Map<String, Map<String, String>> merged = new LinkedHashMap<>();
        for (Map<String, String> row : rows) {
            Map<String, String> flow = new HashMap<>(row);
            if (inPart.contains(join(row, "src", "dst", "proto"))) {
                flow.put("sport", "any");
                flow.put("dport", "any");
            }
            String key = join(flow, "src", "dst", "proto", "sport", "dport");
            merged.merge(key, flow, TracesTest::sameFlow);
        }
        return List.copyOf(merged.values());
    }

    private static String flow(Map<String, String> row) {
        return join(
                row,
                "src",
                "dst",
                "proto",
                "sport",
                "dport",
                "pkts",
                "wire_bytes",
                "first_ns",
                "last_ns");
    }

    private static Map<String, String> sameFlow(Map<String, String> a, Map<String, String> b) {
        Map<String, String> flow = new HashMap<>(a);
        flow.put("pkts", "" + (number(a, "pkts") + number(b, "pkts")));
        flow.put("wire_bytes", "" + (number(a, "wire_bytes") + number(b, "wire_bytes")));
        flow.put("first_ns", "" + Math.min(number(a, "first_ns"), number(b, "first_ns")));
        flow.put("last_ns", "" + Math.max(number(a, "last_ns"), number(b, "last_ns")));
        return flow;
    }

    private static long number(Map<String, String> row, String column) {
        return Long.parseLong(row.get(column));
    }

    /** Our flows in the form of theirs. */
    private static List<Map<String, String>> flows(List<JsonNode> rows) {
        return rows.stream()
                .map(
                        r ->
                                Map.of(
                                        "src", text(r, "src_addr"),
                                        "dst", text(r, "dst_addr"),
                                        "proto", text(r, "proto"),
                                        "sport", text(r, "src_port"),
                                        "dport", text(r, "dst_port"),
                                        "pkts", text(r, "pkts"),
                                        "wire_bytes", text(r, "wire_bytes"),
                                        "first_ns", "" + nanoseconds(r.get("first")),
                                        "last_ns", "" + nanoseconds(r.get("last"))))
                .toList();
    }

    private static <T> void compare(
            String capture,
            List<Map<String, String>> theirs,
            Function<Map<String, String>, String> theirText,
            List<T> ours,
            Function<T, String> ourText) {
        Set<String> expected = new TreeSet<>();
        (theirs == null ? List.<Map<String, String>>of() : theirs)
                .forEach(row -> expected.add(theirText.apply(row)));
        Set<String> actual = new TreeSet<>();
        ours.forEach(row -> actual.add(ourText.apply(row)));
        assertEquals(String.join("\n", expected), String.join("\n", actual), capture);
        assertEquals(theirs == null ? 0 : theirs.size(), ours.size(), capture);
    }

    private static boolean isStandard(JsonNode encaps) {
        var names = encaps.fieldNames();
        while (names.hasNext()) {
            String name = names.next();
            if (!STANDARD.contains(name.replaceAll("(/vlan)+$", ""))) {
                return false;
            }
        }
        return true;
    }

    private static String join(Map<String, String> row, String... columns) {
        return String.join(" ", Arrays.stream(columns).map(row::get).toList());
    }

    private static String text(JsonNode row, String... columns) {
        return String.join(" ", Arrays.stream(columns).map(c -> row.get(c).asText()).toList());
    }

    private static long seconds(JsonNode row) {
        return Math.floorDiv(nanoseconds(row.get("window_start")), 1_000_000_000L);
    }

    private static long nanoseconds(JsonNode time) {
        Instant instant = Instant.parse(time.asText());
        return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
    }

    /** Ill-formed captures: rows or one error, and an account that balances; never a crash. */
    @Test
    void hostileFilesAreCountedOrRefused() throws IOException {
        Traces traces = Traces.find().orElse(null);
        assumeTrue(traces != null, "the shared captures are not here: skipped");
        for (Path capture : traces.hostile()) {
            Path stats = scratch.resolve("stats.json");
            Cli.Result result =
                    Cli.run(
                            "run",
                            "-e",
                            QUERIES,
                            "--format",
                            "json",
                            "--stats",
                            stats.toString(),
                            "--pcap",
                            capture.toString());
            int status = result.code();
            String said = result.err();
            if (status == 0) {
                balances(capture, Traces.json(Files.readString(stats)));
            } else {
                assertEquals(2, status, capture + ": " + said);
                assertEquals(1, said.split("error [A-Z_]+:", -1).length - 1, capture + ": " + said);
            }
            assertTrue(
                    !said.contains("INTERNAL") && !said.contains("\tat "), capture + ": " + said);
        }
    }

    private static void balances(Path capture, JsonNode account) {
        for (JsonNode stage : account.get("stages")) {
            long sum = stage.get("processed").asLong();
            for (JsonNode count : stage.get("lost")) {
                sum += count.asLong();
            }
            for (JsonNode count : stage.get("excluded")) {
                sum += count.asLong();
            }
            assertEquals(stage.get("offered").asLong(), sum, capture + ": " + stage);
        }
    }
}
