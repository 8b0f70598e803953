package io.weir.cluster.table;

import io.weir.operators.graph.Kind;
import io.weir.operators.graph.TableSchema.Match;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.catalog.TableSpec.Column;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads a table from a CSV file, whose first line names the columns. Stateless. */
final class CsvTable {
    /** The kinds that are tried for a column that nobody has declared. */
    private static final List<Kind> TRIED =
            List.of(Kind.BIGINT, Kind.DOUBLE, Kind.BOOLEAN, Kind.INET, Kind.MACADDR);

    private static final int MOST_COLUMNS = 63;
    private static final int MOST_NAME = 128;

    private CsvTable() {}

    static String text(TableSpec spec, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            int line = 1;
            String read = new String(bytes, StandardCharsets.UTF_8);
            for (int i = 0; i < read.length() && read.charAt(i) != '\uFFFD'; i++) {
                line += read.charAt(i) == '\n' ? 1 : 0;
            }
            throw TableFault.at(spec.file(), line, "the text is not UTF-8");
        }
    }

    private static List<String> header(TableSpec spec, CsvRecords records) {
        List<String> header = records.next();
        if (header == null) {
            throw TableFault.of(
                    spec.file() + " is empty", "its first line has the names of the columns");
        }
        List<String> names = header.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        Set<String> known = new HashSet<>();
        for (String name : names) {
            if (name.isEmpty() || name.length() > MOST_NAME || !known.add(name)) {
                throw TableFault.at(
                        spec.file(),
                        records.line(),
                        "each column needs a name of its own, and '" + name + "' is none");
            }
        }
        return names;
    }

    /** Returns the columns that the file has, with kinds that all their cells fit. */
    static List<Column> columns(TableSpec spec, byte[] bytes) {
        CsvRecords records = new CsvRecords(spec.file(), text(spec, bytes));
        List<String> names = header(spec, records);
        if (names.size() > MOST_COLUMNS) {
            throw TableFault.at(spec.file(), 1, names.size() + " columns; at most " + MOST_COLUMNS);
        }
        List<Set<Kind>> fitting = new ArrayList<>();
        names.forEach(name -> fitting.add(EnumSet.copyOf(TRIED)));
        boolean[] seen = new boolean[names.size()];
        for (List<String> cells = records.next(); cells != null; cells = records.next()) {
            checkCount(spec, records, cells, names);
            for (int c = 0; c < names.size(); c++) {
                String cell = cells.get(c);
                if (!cell.isEmpty()) {
                    seen[c] = true;
                    fitting.get(c).removeIf(kind -> Cell.value(cell, kind).isEmpty());
                }
            }
        }
        List<Column> columns = new ArrayList<>();
        for (int c = 0; c < names.size(); c++) {
            boolean prefix = spec.match() == Match.PREFIX && spec.key().contains(names.get(c));
            Kind kind = prefix ? Kind.INET : kind(seen[c], fitting.get(c));
            columns.add(new Column(names.get(c), kind, prefix, names.get(c)));
        }
        return columns;
    }

    private static Kind kind(boolean seen, Set<Kind> fitting) {
        return seen
                ? TRIED.stream().filter(fitting::contains).findFirst().orElse(Kind.VARCHAR)
                : Kind.VARCHAR;
    }

    private static void checkCount(
            TableSpec spec, CsvRecords records, List<String> cells, List<String> names) {
        if (cells.size() != names.size()) {
            throw TableFault.at(
                    spec.file(),
                    records.line(),
                    cells.size() + " cells; the first line has " + names.size());
        }
    }

    /**
     * Reads the rows.
     *
     * @param columns of the table, in its order
     */
    static void read(TableSpec spec, List<Column> columns, byte[] bytes, TableSink sink) {
        CsvRecords records = new CsvRecords(spec.file(), text(spec, bytes));
        List<String> names = header(spec, records);
        int[] places = new int[columns.size()];
        for (int c = 0; c < places.length; c++) {
            String path = columns.get(c).path().toLowerCase(Locale.ROOT);
            places[c] = names.indexOf(path);
            if (places[c] < 0) {
                throw TableFault.at(spec.file(), 1, "there is no column " + path);
            }
        }
        for (List<String> cells = records.next(); cells != null; cells = records.next()) {
            checkCount(spec, records, cells, names);
            Object[] values = new Object[columns.size()];
            for (int c = 0; c < places.length; c++) {
                values[c] = value(spec, columns.get(c), cells.get(places[c]), records.line());
            }
            sink.row(values, "line " + records.line());
        }
    }

    private static Object value(TableSpec spec, Column column, String cell, int line) {
        if (cell.isEmpty()) {
            return null;
        }
        boolean prefix = spec.match() == Match.PREFIX && spec.key().contains(column.name());
        Object value =
                prefix
                        ? Cell.prefix(cell).orElse(null)
                        : Cell.value(cell, column.kind()).orElse(null);
        if (value == null) {
            String shown = cell.length() > 40 ? cell.substring(0, 39) + "…" : cell;
            throw TableFault.at(
                    spec.file(),
                    line,
                    "'"
                            + shown
                            + "' in "
                            + column.name()
                            + " is not "
                            + Cell.called(column.kind(), prefix));
        }
        return value;
    }
}
