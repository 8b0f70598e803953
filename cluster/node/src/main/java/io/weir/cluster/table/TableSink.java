package io.weir.cluster.table;

import io.weir.operators.graph.TableSchema.Match;
import io.weir.operators.table.TableBuilder;
import io.weir.operators.table.TableBuilder.DuplicateKey;
import io.weir.operators.table.TableSnapshot;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.catalog.TableSpec.Column;
import java.util.ArrayList;
import java.util.List;

/** Takes the rows of a file, checks their keys, and makes the content of the table. One thread. */
final class TableSink {
    private static final int MOST_ROWS = 1 << 22;

    private final TableSpec spec;
    private final List<Column> columns;
    private final TableBuilder builder;
    private final List<String> places = new ArrayList<>();

    TableSink(TableSpec spec, List<Column> columns, TableBuilder builder) {
        this.spec = spec;
        this.columns = columns;
        this.builder = builder;
    }

    /**
     * Adds a row.
     *
     * @param values by column; a prefix is one value
     * @param place where the file has it
     */
    void row(Object[] values, String place) {
        if (builder.rows() == MOST_ROWS) {
            throw TableFault.of(spec.file() + " has more than " + MOST_ROWS + " rows");
        }
        List<Object> row = new ArrayList<>();
        for (int c = 0; c < values.length; c++) {
            if (values[c] == null && spec.key().contains(columns.get(c).name())) {
                throw TableFault.of(
                        spec.file()
                                + ", "
                                + place
                                + ": the key "
                                + columns.get(c).name()
                                + " is empty");
            } else if (values[c] instanceof Cell.Prefix prefix) {
                row.add(prefix.network());
                row.add((long) prefix.bits());
            } else {
                row.add(values[c]);
            }
        }
        builder.add(row.toArray());
        places.add(place);
    }

    TableSnapshot content(String hash, long loadedNs) {
        try {
            return builder.build(hash, loadedNs);
        } catch (DuplicateKey twice) {
            String what = spec.match() == Match.PREFIX ? "prefix" : "key";
            throw TableFault.of(
                    spec.file()
                            + ", "
                            + places.get(twice.second())
                            + ": its "
                            + what
                            + " is there before, in "
                            + places.get(twice.first()),
                    "a key finds one row; equal rows may be there twice");
        }
    }
}
