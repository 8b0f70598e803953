package io.weir.operators.result;

import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import java.util.ArrayList;
import java.util.List;

/**
 * The readers of a query's rows inside the engine: conditions of WHEN, and queries over this one.
 * Rows go to a copy of the list: a reader that is woken, and cannot begin, is removed. The results'
 * thread.
 */
final class QueryReaders {
    private final List<RowSink> readers = new ArrayList<>();
    private final List<TableReader> tableReaders = new ArrayList<>();

    void add(RowSink reader) {
        readers.add(reader);
    }

    void remove(RowSink reader) {
        readers.remove(reader);
    }

    /** Adds a reader that takes the rows as a keyed table. */
    void add(TableReader reader) {
        tableReaders.add(reader);
    }

    void remove(TableReader reader) {
        tableReaders.remove(reader);
    }

    void addAll(QueryReaders others) {
        readers.addAll(others.readers);
        tableReaders.addAll(others.tableReaders);
    }

    /** Returns whether somebody reads the rows as a keyed table. */
    boolean readTable() {
        return !tableReaders.isEmpty();
    }

    boolean wantTicks() {
        return !readers.isEmpty() || tableReaders.stream().anyMatch(TableReader::wantsTicks);
    }

    void rows(RowBatch batch) {
        List.copyOf(readers).forEach(reader -> reader.rows(batch));
    }

    void table(RowBatch table, Receivers by) {
        List.copyOf(tableReaders).forEach(reader -> reader.table(table, by));
    }

    /** Passes on that there is no memory for the table's rows. */
    void unmade(long endNs, Receivers by) {
        List.copyOf(tableReaders).forEach(reader -> reader.unmade(endNs, by));
    }
}
