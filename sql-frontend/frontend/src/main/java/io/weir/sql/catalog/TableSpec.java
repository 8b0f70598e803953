package io.weir.sql.catalog;

import io.weir.operators.graph.Kind;
import io.weir.operators.graph.TableSchema.Match;
import java.util.List;

/**
 * A lookup table as CREATE TABLE tells it.
 *
 * @param file the path as written
 * @param key names of columns
 * @param reload whether a changed file is read again
 * @param columns as declared; none if the file's are taken
 */
public record TableSpec(
        String name,
        String file,
        List<String> key,
        Match match,
        boolean reload,
        List<Column> columns) {
    public TableSpec {
        key = List.copyOf(key);
        columns = List.copyOf(columns);
    }

    /**
     * A declared column.
     *
     * @param isPrefix whether it is an address with the length of its prefix
     * @param path its place in a record of the file; its name if no other is told
     */
    public record Column(String name, Kind kind, boolean isPrefix, String path) {}
}
