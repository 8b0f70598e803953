package io.weir.cluster.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cluster.launcher.Streams;
import io.weir.cluster.launcher.Weir;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
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

    private record Run(Map<String, List<JsonNode>> rows, JsonNode account) {
        List<JsonNode> of(String query) {
            return rows.getOrDefault(query, List.of());
        }

        long late() {
            long late = 0;
            for (JsonNode stage : account.get("stages")) {
                late += stage.get("excluded").path("late").asLong();
            }
            return late;
        }
    }

    @TempDir private Path scratch;

    private Run run(Path capture, String... options) throws IOException {
        Path stats = scratch.resolve("stats.json");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<String> arguments =
                new ArrayList<>(List.of("run", "-e", QUERIES, "--pcap", capture.toString()));
        arguments.addAll(List.of("--format", "json", "--stats", stats.toString()));
        arguments.addAll(Arrays.asList(options));
        Streams streams =
                new Streams(
                        new ByteArrayInputStream(new byte[0]),
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        int status = Weir.execute(streams, arguments.toArray(String[]::new));
        assertEquals(0, status, capture + ": " + err.toString(StandardCharsets.UTF_8));
        Map<String, List<JsonNode>> rows = new HashMap<>();
        out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(Traces::json)
                .forEach(
                        row ->
                                rows.computeIfAbsent(
                                                row.get("query").asText(), q -> new ArrayList<>())
                                        .add(row));
        return new Run(rows, Traces.json(Files.readString(stats)));
    }

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
            if (capture.startsWith("hostile") || !Files.exists(traces.file(capture))) {
                continue;
            }
            Run run = run(traces.file(capture));
            boolean zeroLengths = summary.getValue().get("ip_len_zero").asLong() > 0;
            compare(
                    capture,
                    perSrc.get(capture),
                    r ->
                            r.get("src")
                                    + " "
                                    + r.get("pkts")
                                    + (zeroLengths ? "" : " " + r.get("ip_bytes")),
                    run.of("per_src"),
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
                    run.of("per_dst"),
                    r -> text(r, "dst_addr", "pkts", "distinct_src", "syn_only", "syn_ack"));
            compare(
                    capture,
                    portsMerged(per5tuple.getOrDefault(capture, List.of())),
                    r ->
                            join(
                                    r,
                                    "src",
                                    "dst",
                                    "proto",
                                    "sport",
                                    "dport",
                                    "pkts",
                                    "wire_bytes",
                                    "first_ns",
                                    "last_ns"),
                    flowTexts(run.of("per_5tuple")),
                    r -> r);
            if (run.late() == 0) {
                compare(
                        capture,
                        window1s.get(capture),
                        r -> join(r, "window_start_s", "pkts", "distinct_src"),
                        run.of("window_1s"),
                        r -> seconds(r) + " " + text(r, "pkts", "distinct_src"));
                compare(
                        capture,
                        window10s.get(capture),
                        r -> join(r, "window_start_s", "src", "pkts"),
                        run.of("window_10s_src"),
                        r -> seconds(r) + " " + text(r, "src_addr", "pkts"));
            }
        }
        System.out.println(compared + " captures compared, " + standard + " in every answer");
        assertTrue(standard > 800, "only " + standard + " captures were compared");
    }

    /** Their flows with ports 0 that were read and ports that were not there: one flow here. */
    private static List<Map<String, String>> portsMerged(List<Map<String, String>> rows) {
        Map<String, Map<String, String>> merged = new LinkedHashMap<>();
        for (Map<String, String> row : rows) {
            String key = join(row, "src", "dst", "proto", "sport", "dport");
            merged.merge(key, row, TracesTest::sameFlow);
        }
        return List.copyOf(merged.values());
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
    private static List<String> flowTexts(List<JsonNode> rows) {
        return rows.stream()
                .map(
                        r ->
                                text(
                                                r,
                                                "src_addr",
                                                "dst_addr",
                                                "proto",
                                                "src_port",
                                                "dst_port",
                                                "pkts",
                                                "wire_bytes")
                                        + " "
                                        + nanoseconds(r.get("first"))
                                        + " "
                                        + nanoseconds(r.get("last")))
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
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            Path stats = scratch.resolve("stats.json");
            Streams streams =
                    new Streams(
                            new ByteArrayInputStream(new byte[0]),
                            out,
                            new PrintStream(err, true, StandardCharsets.UTF_8));
            int status =
                    Weir.execute(
                            streams,
                            "run",
                            "-e",
                            QUERIES,
                            "--format",
                            "json",
                            "--stats",
                            stats.toString(),
                            "--pcap",
                            capture.toString());
            String said = err.toString(StandardCharsets.UTF_8);
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
