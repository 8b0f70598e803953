package io.weir.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Writes the table of the wire in benchmarks/FIGURES.md, between two markers. Stateless. */
final class WireTable {
    private static final MarkedText PLACE =
            new MarkedText(
                    "<!-- wire: ./weir bench --figures writes them -->\n", "<!-- end of wire -->");

    private WireTable() {}

    /** Returns the text between the markers. */
    static String of(Results results) {
        StringBuilder out = new StringBuilder(FiguresTable.measuredOn(results));
        out.append("| work | frames | groups | Weir | peer | its rate | of it |\n");
        out.append("|---|---|---|---|---|---|---|\n");
        results.rows().forEach(row -> out.append(line(row)));
        return out.toString();
    }

    private static String line(Map<String, Object> row) {
        String work = row.get("work").toString();
        return String.format(
                Locale.ROOT,
                "| %s | %s bytes | %,d | %s | %s | %s | %s |%n",
                work.substring(0, work.lastIndexOf('_')),
                row.get("frame_bytes"),
                ((Number) row.get("groups")).longValue(),
                rate(row.get("weir_mpps")),
                Objects.toString(row.get("wire_peer"), ""),
                rate(row.get("wire_peer_mpps")),
                rate(row.get("ratio_wire_peer")));
    }

    private static String rate(Object value) {
        return value instanceof Double number ? String.format(Locale.ROOT, "%.1f", number) : "";
    }

    /** Returns the text between the markers of a page. */
    static String in(String page) {
        return PLACE.in(page);
    }

    /** Puts the figures between the markers. */
    static void write(Results results, Path file) throws IOException {
        PLACE.write(of(results), file);
    }
}
