package io.weir.operators.table;

import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.SymbolSet;
import io.weir.operators.memory.NativeAllocator;
import java.util.concurrent.atomic.AtomicLong;

/** A lookup table whose content kernels read. Any thread. */
public interface SnapshotTable extends LookupTable {
    /** Numbers of tables in this process. */
    AtomicLong IDS = new AtomicLong();

    /**
     * Returns the content now, which the caller holds and releases.
     *
     * @param allocator for a content that is made for the caller
     */
    TableSnapshot hold(NativeAllocator allocator);

    /** Returns whether there is a newer content than this one. */
    boolean isOld(TableSnapshot seen);

    /** Returns the texts of all contents, which rows can have. */
    SymbolSet strings();
}
