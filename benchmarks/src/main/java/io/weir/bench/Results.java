package io.weir.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A results file: machine, JVM and commit, and {@code rows}. Works may be measured in several runs.
 * A run of the same commit and effort on the same machine adds to the file, and replaces the rows
 * that it has measured again.
 */
record Results(Map<String, Object> header, List<Map<String, Object>> rows) {
    private static final List<String> SAME_RUN = List.of("commit", "quick", "cpu", "jvm");
    private static final List<String> SAME_WORK = List.of("work", "layout", "state");

    Results {
        header = new LinkedHashMap<>(header);
        rows = new ArrayList<>(rows);
    }

    static Results read(Path file) throws IOException {
        Map<String, Object> map = Json.read(file);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Object row : (List<?>) map.remove("rows")) {
            rows.add(asMap(row));
        }
        return new Results(map, rows);
    }

    /** Returns the newest of a folder: by date, then by the time of day when it began. */
    static Optional<Results> newest(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .map(Results::readUnchecked)
                    .max(Comparator.comparing(results -> results.text("time")));
        }
    }

    private static Results readUnchecked(Path file) {
        try {
            return read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A field of the header; empty when it is absent. */
    String text(String field) {
        return Objects.toString(header.get(field), "");
    }

    /** Adds rows, in place of those of the same work, layout and state. */
    void add(List<Map<String, Object>> more) {
        for (Map<String, Object> row : more) {
            int old = 0;
            while (old < rows.size() && !isSame(rows.get(old), row, SAME_WORK)) {
                old++;
            }
            if (old < rows.size()) {
                rows.set(old, row);
            } else {
                rows.add(row);
            }
        }
    }

    /** Adds the rows of an earlier file, if that was the same run except for its works. */
    Results over(Path file) throws IOException {
        if (!Files.exists(file)) {
            return this;
        }
        Results earlier = read(file);
        if (!isSame(earlier.header, header, SAME_RUN)) {
            return this;
        }
        Results both = new Results(header, earlier.rows);
        if (text("peers").isEmpty()) {
            both.header.put("peers", earlier.text("peers"));
        }
        both.add(rows);
        return both;
    }

    void write(Path file) throws IOException {
        Map<String, Object> map = new LinkedHashMap<>(header);
        map.put("rows", rows);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Json.write(map, file);
    }

    private static boolean isSame(
            Map<String, Object> one, Map<String, Object> other, List<String> fields) {
        return fields.stream().allMatch(field -> Objects.equals(one.get(field), other.get(field)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Object json) {
        return (Map<String, Object>) json;
    }
}
