package io.weir.operators.table;

import io.weir.operators.graph.LookupTable;
import io.weir.operators.memory.NativeAllocator;
import java.util.List;

/** The lookup tables that one state of a query reads. The thread that owns the state. */
public final class TableReaders implements AutoCloseable {
    private final TableReader[] readers;

    /**
     * @param tables each a {@link SnapshotTable}
     */
    public TableReaders(List<LookupTable> tables, NativeAllocator allocator) {
        readers = new TableReader[tables.size()];
        for (int t = 0; t < readers.length; t++) {
            readers[t] = new TableReader((SnapshotTable) tables.get(t), allocator);
        }
    }

    /** Returns the reader of a table. Kernels call it once a block. */
    public TableReader of(long id) {
        for (TableReader reader : readers) {
            if (reader.reads(id)) {
                return reader;
            }
        }
        throw new IllegalStateException("table " + id + " is not the query's");
    }

    /** Takes new contents. The caller is between two blocks. */
    public void follow() {
        for (TableReader reader : readers) {
            reader.follow();
        }
    }

    @Override
    public void close() {
        for (TableReader reader : readers) {
            reader.close();
        }
    }
}
