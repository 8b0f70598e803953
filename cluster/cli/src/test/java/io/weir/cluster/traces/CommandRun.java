package io.weir.cluster.traces;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cluster.launcher.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The command over a capture, and its rows by query. */
final class CommandRun {
    private final Map<String, List<JsonNode>> rows = new HashMap<>();
    private final JsonNode account;

    private CommandRun(String out, JsonNode account) {
        this.account = account;
        out.lines()
                .map(Traces::json)
                .forEach(
                        row ->
                                rows.computeIfAbsent(
                                                row.get("query").asText(), q -> new ArrayList<>())
                                        .add(row));
    }

    static CommandRun of(String sql, Path capture, Path scratch) throws IOException {
        Path stats = scratch.resolve("stats.json");
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        sql,
                        "--pcap",
                        capture.toString(),
                        "--format",
                        "json",
                        "--stats",
                        stats.toString());
        assertEquals(0, result.code(), capture + ": " + result.err());
        return new CommandRun(result.out(), Traces.json(Files.readString(stats)));
    }

    long late() {
        long late = 0;
        for (JsonNode stage : account.get("stages")) {
            late += stage.get("excluded").path("late").asLong();
        }
        return late;
    }

    /** Rows of a query, in their order. */
    List<JsonNode> rows(String query) {
        return rows.getOrDefault(query, List.of());
    }

    /** Rows of a query, each as the text of these columns; sorted. */
    List<String> lines(String query, String... columns) {
        return rows(query).stream()
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
