package io.weir.cluster.scale;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Collects measured figures in rows, as a table for people and as JSON for later. */
public final class Figures {
    private final List<Map<String, Object>> rows = new ArrayList<>();

    void add(Map<String, Object> row) {
        rows.add(new LinkedHashMap<>(row));
    }

    /** Returns the last row as a line for people. */
    String last() {
        return rows.get(rows.size() - 1).entrySet().stream()
                .map(figure -> figure.getKey() + " " + text(figure.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String text(Object value) {
        return value instanceof Double real
                ? String.format(Locale.ROOT, "%.2f", real)
                : String.valueOf(value);
    }

    /**
     * Returns all rows.
     *
     * @param about names and values for place and time
     */
    public String json(Map<String, String> about) {
        StringBuilder json = new StringBuilder("{\n");
        about.forEach((name, value) -> json.append(member(name, quoted(value))).append(",\n"));
        json.append(" \"figures\": [\n");
        json.append(
                rows.stream()
                        .map(
                                row ->
                                        row.entrySet().stream()
                                                .map(e -> member(e.getKey(), value(e.getValue())))
                                                .collect(Collectors.joining(",", "  {", "}")))
                        .collect(Collectors.joining(",\n")));
        return json.append("\n ]\n}\n").toString();
    }

    private static String member(String name, String value) {
        return " " + quoted(name) + ": " + value;
    }

    private static String value(Object value) {
        return value instanceof Number ? text(value) : quoted(String.valueOf(value));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
