package io.weir.cluster.traces;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The shared captures and their answers, where they are: beside the repository, or WEIR_TRACES. */
final class Traces {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;

    private Traces(Path folder) {
        this.folder = folder;
    }

    static Optional<Traces> find() {
        String set = System.getenv("WEIR_TRACES");
        Path folder = set != null ? Path.of(set) : Path.of("..", "..", "..", "shared", "traces");
        return Files.isDirectory(folder.resolve("answers"))
                ? Optional.of(new Traces(folder))
                : Optional.empty();
    }

    Path file(String capture) {
        return folder.resolve(capture);
    }

    List<Path> hostile() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("hostile"))) {
            return files.filter(Files::isRegularFile)
                    .filter(f -> !f.toString().contains("LICENCES"))
                    .filter(f -> !f.toString().endsWith(".tsv"))
                    .sorted()
                    .toList();
        }
    }

    /** Totals per capture, in the order of the file. */
    Map<String, JsonNode> summaries() throws IOException {
        Map<String, JsonNode> summaries = new LinkedHashMap<>();
        try (Stream<String> lines = Files.lines(folder.resolve("answers/summary.jsonl"))) {
            lines.map(Traces::json).forEach(s -> summaries.put(s.get("capture").asText(), s));
        }
        return summaries;
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    /** Rows of an answer file by capture; each row by column name. No cell has a comma in it. */
    Map<String, List<Map<String, String>>> answers(String name) throws IOException {
        Map<String, List<Map<String, String>>> answers = new HashMap<>();
        try (Stream<String> lines = Files.lines(folder.resolve("answers").resolve(name))) {
            List<String> all = lines.toList();
            String[] header = all.get(0).split(",");
            for (String line : all.subList(1, all.size())) {
                String[] cells = line.split(",", -1);
                Map<String, String> row = new LinkedHashMap<>();
                for (int i = 0; i < header.length; i++) {
                    row.put(header[i], cells[i]);
                }
                answers.computeIfAbsent(cells[0], c -> new ArrayList<>()).add(row);
            }
        }
        return answers;
    }
}
