package io.weir.cluster.table;

import io.weir.cluster.sink.TimeText;
import io.weir.operators.table.StoredTable;
import io.weir.operators.table.TableSnapshot;
import io.weir.sql.catalog.TableSpec;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A lookup table as SHOW TABLES tells it.
 *
 * @param bytes of native memory
 * @param hash SHA-256 of the file
 * @param error why the changed file was not taken; empty if there is no reason
 */
public record TableLine(
        String name,
        String file,
        String key,
        String match,
        boolean reload,
        int rows,
        long bytes,
        String hash,
        String loadedAt,
        String error) {
    public static final List<String> HEADINGS =
            List.of(
                    "name",
                    "rows",
                    "bytes",
                    "file",
                    "key",
                    "match",
                    "reload",
                    "loaded_at",
                    "hash",
                    "error");

    public static final Set<String> NUMBERS = Set.of("rows", "bytes");

    static TableLine of(TableSpec spec, StoredTable table, String error) {
        TableSnapshot content = table.content();
        return of(spec, content, content.hash(), error);
    }

    /**
     * @param content null if it was not read
     */
    static TableLine of(TableSpec spec, TableSnapshot content, String hash, String error) {
        return new TableLine(
                spec.name(),
                spec.file(),
                String.join(", ", spec.key()),
                spec.match().name().toLowerCase(Locale.ROOT),
                spec.reload(),
                content == null ? 0 : content.count(),
                content == null ? 0 : content.bytes(),
                hash,
                content == null ? "" : TimeText.of(content.loadedNs()),
                error);
    }

    public List<String> row() {
        return List.of(
                name,
                Integer.toString(rows),
                Long.toString(bytes),
                file,
                key,
                match,
                Boolean.toString(reload),
                loadedAt,
                hash,
                error);
    }
}
