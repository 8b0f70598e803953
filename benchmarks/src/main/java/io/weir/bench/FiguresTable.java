package io.weir.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Writes the table of benchmarks/FIGURES.md, made from a results file, between two markers.
 * Stateless.
 */
final class FiguresTable {
    private static final MarkedText PLACE =
            new MarkedText(
                    "<!-- figures: ./weir bench --figures writes them -->\n",
                    "<!-- end of figures -->");

    private FiguresTable() {}

    /** Returns the text between the markers. */
    static String of(Results results) {
        StringBuilder out = new StringBuilder(measuredOn(results));
        out.append("| work | layout | groups | Weir | best C++ | of it | of a plain loop |");
        out.append(" of DuckDB | of Flink |\n|---|---|---|---|---|---|---|---|---|\n");
        results.rows().stream().filter(row -> !isCrowd(row)).forEach(r -> out.append(line(r)));
        results.rows().stream().filter(FiguresTable::isCrowd).forEach(r -> out.append(crowd(r)));
        return out.toString();
    }

    /** Returns the line above a table: the machine, the day, the commit. */
    static String measuredOn(Results results) {
        return String.format(
                "%s, %s, one core, %s,%ncommit %s%s. M packets/s:%n%n",
                results.text("cpu"),
                results.text("jvm"),
                results.text("date"),
                results.text("commit"),
                Objects.equals(results.header().get("quick"), true) ? ", by --quick" : "");
    }

    private static boolean isCrowd(Map<String, Object> row) {
        return row.containsKey("ratio_crowd_to_alone");
    }

    private static String crowd(Map<String, Object> row) {
        return String.format(
                "%n%s: %s queries at once take %s times the CPU time of those measured alone.%n",
                row.get("work"), row.get("queries"), ratio(row.get("ratio_crowd_to_alone")));
    }

    private static String line(Map<String, Object> row) {
        Object state = row.get("state");
        String work = row.get("work") + (state == null ? "" : ", " + state);
        return String.format(
                "| %s | %s | %s | %s | %s | %s | %s | %s | %s |%n",
                work,
                Objects.toString(row.get("layout"), ""),
                groups(row.get("groups")),
                rate(row.get("weir_mpps")),
                rate(row.get("native_best_mpps")),
                ratio(row.get("ratio_best_native")),
                ratio(row.get("ratio_plain_native")),
                ratio(row.get("ratio_duckdb")),
                ratio(row.get("ratio_flink")));
    }

    private static String groups(Object count) {
        return count instanceof Long number ? String.format(Locale.ROOT, "%,d", number) : "";
    }

    private static String rate(Object mpps) {
        if (!(mpps instanceof Double number)) {
            return "";
        }
        return String.format(Locale.ROOT, number < 10 ? "%.1f" : "%.0f", number);
    }

    private static String ratio(Object ratio) {
        return ratio instanceof Double number ? String.format(Locale.ROOT, "%.2f", number) : "";
    }

    /**
     * Returns the text between the markers of a page; throws IllegalStateException without them.
     */
    static String in(String page) {
        return PLACE.in(page);
    }

    /** Puts the figures between the markers. */
    static void write(Results results, Path file) throws IOException {
        PLACE.write(of(results), file);
    }
}
