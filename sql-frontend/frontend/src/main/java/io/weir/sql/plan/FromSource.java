package io.weir.sql.plan;

import io.weir.sql.catalog.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/**
 * The stream that FROM names.
 *
 * @param alias by which columns are qualified
 * @param window of TABLE(TUMBLE(…)) or TABLE(HOP(…))
 * @param at its place
 * @param sides the aliases of a join's sides: its column {@code a.n} is n of a
 * @param using columns of a join that need no qualifier, with their names in the stream
 * @param tables lookup tables, in the order of FROM
 */
record FromSource(
        Stream stream,
        String alias,
        Optional<Windowing> window,
        SqlNode at,
        List<String> sides,
        Map<String, String> using,
        List<TableJoin> tables) {
    FromSource {
        tables = List.copyOf(tables);
        sides = List.copyOf(sides);
        using = Map.copyOf(using);
    }

    /** A source that is no join. */
    FromSource(Stream stream, String alias, Optional<Windowing> window, SqlNode at) {
        this(stream, alias, window, at, List.of(), Map.of());
    }

    /** A source without lookup tables. */
    FromSource(
            Stream stream,
            String alias,
            Optional<Windowing> window,
            SqlNode at,
            List<String> sides,
            Map<String, String> using) {
        this(stream, alias, window, at, sides, using, List.of());
    }

    FromSource with(TableJoin table) {
        List<TableJoin> more = new ArrayList<>(tables);
        more.add(table);
        return new FromSource(stream, alias, window, at, sides, using, more);
    }

    boolean isJoin() {
        return !sides.isEmpty();
    }

    /** Returns whether a name can qualify its columns. */
    boolean isQualifier(String name) {
        boolean ofStream = isJoin() ? sides.contains(name) : name.equals(alias);
        return ofStream || tables.stream().anyMatch(table -> table.alias().equals(name));
    }

    /** Returns the stream's columns that a name can mean: none, one, or several of a join. */
    List<String> columns(SqlIdentifier name) {
        int last = name.names.size() - 1;
        String column = name.names.get(last);
        if (!isJoin()) {
            return stream.find(column).map(c -> List.of(column)).orElse(List.of());
        } else if (last == 1) {
            String qualified = name.names.get(0) + "." + column;
            return stream.find(qualified).map(c -> List.of(qualified)).orElse(List.of());
        } else if (using.containsKey(column)) {
            return List.of(using.get(column));
        }
        return sides.stream()
                .map(side -> side + "." + column)
                .filter(one -> stream.find(one).isPresent())
                .toList();
    }
}
