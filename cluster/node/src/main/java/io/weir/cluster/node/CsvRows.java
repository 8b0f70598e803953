package io.weir.cluster.node;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rows of a CSV text (RFC 4180), for a comparison. Immutable.
 *
 * @param header the names of the columns
 */
record CsvRows(List<String> header, List<List<String>> lines) {
    /** Rows of each side that a difference shows. */
    private static final int SHOWN = 10;

    /** Reals of two runs may differ by this part: sums depend on the order of additions. */
    private static final double PART = 1e-9;

    private static final Pattern REAL = Pattern.compile("[+-]?\\d+\\.\\d+([eE][+-]?\\d+)?");

    /** Reads a text with a header line. */
    static CsvRows parse(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = endOfField(text, at);
            row.add(text.substring(at, end));
            at = end;
            if (at < text.length() && text.charAt(at) == ',') {
                at++;
                if (at == text.length() || text.charAt(at) == '\n' || text.charAt(at) == '\r') {
                    row.add("");
                }
            }
            if (at >= text.length() || text.charAt(at) == '\n' || text.charAt(at) == '\r') {
                at += text.startsWith("\r\n", at) ? 2 : 1;
                rows.add(List.copyOf(row));
                row.clear();
            }
        }
        if (rows.isEmpty()) {
            throw new WeirException(
                    ErrorCode.UNREADABLE_INPUT,
                    "the expected rows have no header line",
                    "weir run --format csv writes one");
        }
        return new CsvRows(rows.get(0), List.copyOf(rows.subList(1, rows.size())));
    }

    /** A field with its quotes, since an empty text is not NULL. */
    private static int endOfField(String text, int from) {
        boolean quoted = false;
        int at = from;
        while (at < text.length() && (quoted || ",\r\n".indexOf(text.charAt(at)) < 0)) {
            quoted ^= text.charAt(at) == '"';
            at++;
        }
        return at;
    }

    int rows() {
        return lines.size();
    }

    /**
     * Returns the lines that only one side has, for people; empty if there are none.
     *
     * @param ordered whether the order of rows counts
     */
    Optional<String> difference(CsvRows actual, boolean ordered) {
        if (!header.equals(actual.header)) {
            return Optional.of(
                    ": the columns differ"
                            + shown("-", List.of(header))
                            + shown("+", List.of(actual.header)));
        }
        List<List<String>> missing = without(lines, actual.lines);
        List<List<String>> more = without(actual.lines, lines);
        if (!missing.isEmpty() || !more.isEmpty()) {
            String counts = ": " + missing.size() + " missing, " + more.size() + " not expected";
            return Optional.of(counts + shown("-", missing) + shown("+", more));
        }
        for (int i = 0; ordered && i < lines.size(); i++) {
            if (!isAlike(lines.get(i), actual.lines.get(i))) {
                return Optional.of(
                        ": they are in another order from row "
                                + (i + 1)
                                + " on"
                                + shown("-", List.of(lines.get(i)))
                                + shown("+", List.of(actual.lines.get(i))));
            }
        }
        return Optional.empty();
    }

    private static String shown(String sign, List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        rows.stream()
                .limit(SHOWN)
                .forEach(
                        row ->
                                text.append("\n  ")
                                        .append(sign)
                                        .append(' ')
                                        .append(String.join(",", row)));
        if (rows.size() > SHOWN) {
            text.append("\n  ")
                    .append(sign)
                    .append(" … ")
                    .append(rows.size() - SHOWN)
                    .append(" more");
        }
        return text.toString();
    }

    /** Returns the rows that others lack. A row that is there twice must be there twice. */
    private static List<List<String>> without(List<List<String>> rows, List<List<String>> others) {
        Map<List<String>, List<List<String>>> left = new HashMap<>();
        others.forEach(row -> left.computeIfAbsent(exact(row), key -> new ArrayList<>()).add(row));
        List<List<String>> missing = new ArrayList<>();
        for (List<String> row : rows) {
            List<List<String>> candidates = left.getOrDefault(exact(row), List.of());
            Optional<List<String>> same =
                    candidates.stream().filter(c -> isAlike(row, c)).findFirst();
            same.ifPresentOrElse(candidates::remove, () -> missing.add(row));
        }
        return missing;
    }

    /** Returns the fields that must be equal. */
    private static List<String> exact(List<String> row) {
        return row.stream().map(field -> REAL.matcher(field).matches() ? "" : field).toList();
    }

    private static boolean isAlike(List<String> row, List<String> other) {
        if (row.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < row.size(); i++) {
            if (!isAlike(row.get(i), other.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAlike(String field, String other) {
        if (field.equals(other)) {
            return true;
        } else if (!REAL.matcher(field).matches() || !REAL.matcher(other).matches()) {
            return false;
        }
        double a = Double.parseDouble(field);
        double b = Double.parseDouble(other);
        return Math.abs(a - b) <= PART * Math.max(Math.abs(a), Math.abs(b));
    }
}
