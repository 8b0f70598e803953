package io.weir.cluster.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cluster.launcher.Streams;
import io.weir.cluster.launcher.Weir;
import io.weir.sql.library.QueryLibrary;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The command over a capture, and its rows by query. */
final class LibraryRun {
    private static final QueryLibrary LIBRARY = QueryLibrary.load();

    private final Map<String, List<JsonNode>> rows = new HashMap<>();
    private final JsonNode account;

    private LibraryRun(String out, JsonNode account) {
        this.account = account;
        out.lines()
                .map(Traces::json)
                .forEach(
                        row ->
                                rows.computeIfAbsent(
                                                row.get("query").asText(), q -> new ArrayList<>())
                                        .add(row));
    }

    static LibraryRun of(String sql, Path capture, Path scratch) throws IOException {
        Path stats = scratch.resolve("stats.json");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
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
                        sql,
                        "--pcap",
                        capture.toString(),
                        "--format",
                        "json",
                        "--stats",
                        stats.toString());
        assertEquals(0, status, capture + ": " + err.toString(StandardCharsets.UTF_8));
        return new LibraryRun(
                out.toString(StandardCharsets.UTF_8), Traces.json(Files.readString(stats)));
    }

    /** A query's text, its parameters filled in. */
    static String text(String name, Map<String, String> set) {
        String text = LIBRARY.find(name).text();
        Map<String, String> values = new HashMap<>(LIBRARY.find(name).defaults());
        values.putAll(set);
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace(":" + value.getKey(), value.getValue());
        }
        return text;
    }

    long late() {
        long late = 0;
        for (JsonNode stage : account.get("stages")) {
            late += stage.get("excluded").path("late").asLong();
        }
        return late;
    }

    /** Rows of a query, each as the text of these columns; sorted. */
    List<String> rows(String query, String... columns) {
        return rows.getOrDefault(query, List.of()).stream()
                .map(
                        row ->
                                String.join(
                                        ",",
                                        Arrays.stream(columns)
                                                .map(c -> row.get(c).asText())
                                                .toList()))
                .sorted()
                .toList();
    }
}
