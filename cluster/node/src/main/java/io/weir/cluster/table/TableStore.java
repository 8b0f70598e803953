package io.weir.cluster.table;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.StoredTable;
import io.weir.operators.table.TableSnapshot;
import io.weir.operators.time.Clock;
import io.weir.sql.catalog.TableSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The lookup tables of a node. A changed file is read again, if the statement says so. On live
 * packets this happens within some seconds. On files it happens before a run, if nobody reads the
 * table. If the file has a fault, the old content stays, and the table tells the fault.
 * Thread-safe.
 */
public final class TableStore implements AutoCloseable {
    private static final int MOST_TABLES = 100;
    private static final long MOST_BYTES = 8L << 30;
    private static final long LOOK_MS = 1_000;

    private final NativeAllocator allocator = new NativeAllocator(MOST_BYTES);
    private final TableLoader loader;
    private final Map<String, Entry> tables = new LinkedHashMap<>();
    private ScheduledExecutorService watcher;

    /** A table, its statement, and the file that its content comes from. */
    private static final class Entry {
        private final StoredTable table;
        private TableSpec spec;
        private TableLoader.Stamp stamp;
        private String error = "";

        Entry(StoredTable table) {
            this.table = table;
        }
    }

    public TableStore(TableFolders folders, Clock clock) {
        loader = new TableLoader(folders, allocator, clock);
    }

    public synchronized Optional<LookupTable> find(String name) {
        return Optional.ofNullable(tables.get(name)).map(entry -> entry.table);
    }

    public synchronized List<String> names() {
        return List.copyOf(tables.keySet());
    }

    /** Returns a table for a statement, without content. The store does not have it yet. */
    public LookupTable newTable(TableSpec spec) {
        return new StoredTable(spec.name(), loader.schema(spec));
    }

    /**
     * Reads the file of a table, which the store has from now on.
     *
     * @param table from {@link #newTable}, or one that the store has
     * @throws WeirException UNREADABLE_INPUT, OUT_OF_NATIVE_MEMORY, TOO_MANY_STRINGS
     */
    public synchronized void create(TableSpec spec, LookupTable table) {
        Entry before = tables.get(spec.name());
        if (before == null && tables.size() == MOST_TABLES) {
            throw new WeirException(
                    ErrorCode.TOO_MANY_QUERIES,
                    "there are " + MOST_TABLES + " tables already",
                    "DROP TABLE makes room");
        }
        TableLoader.Stamp stamp = loader.stamp(spec);
        TableSnapshot content = loader.load(spec, table.schema());
        Entry entry =
                before != null && before.table == table ? before : new Entry((StoredTable) table);
        entry.spec = spec;
        entry.stamp = stamp;
        entry.error = "";
        entry.table.replace(content);
        tables.put(spec.name(), entry);
        if (before != null && before != entry) {
            before.table.close();
        }
    }

    /** Forgets a table, if it is there. States that read it still hold its content. */
    public synchronized void drop(String name) {
        Entry entry = tables.remove(name);
        if (entry != null) {
            entry.table.close();
        }
    }

    /** Begins to look for changed files, for queries over live packets. Idempotent. */
    public synchronized void watch() {
        if (watcher == null) {
            watcher =
                    Executors.newSingleThreadScheduledExecutor(
                            run -> {
                                Thread thread = new Thread(run, "weir-tables");
                                thread.setDaemon(true);
                                return thread;
                            });
            var unused =
                    watcher.scheduleWithFixedDelay(
                            () -> reload(false), LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Reads changed files again.
     *
     * @param unread whether a table that somebody reads keeps its content: a run over files has one
     *     content from its begin to its end
     */
    public synchronized void reload(boolean unread) {
        for (Entry entry : tables.values()) {
            if (entry.spec.reload() && !(unread && entry.table.isRead())) {
                reload(entry);
            }
        }
    }

    private void reload(Entry entry) {
        try {
            TableLoader.Stamp now = loader.stamp(entry.spec);
            if (!now.equals(entry.stamp)) {
                entry.stamp = now;
                entry.table.replace(loader.load(entry.spec, entry.table.schema()));
                entry.error = "";
            }
        } catch (WeirException fault) {
            entry.error = fault.getMessage();
        }
    }

    /** Returns the tables for SHOW TABLES. */
    public synchronized List<TableLine> lines() {
        List<TableLine> lines = new ArrayList<>();
        tables.values().forEach(e -> lines.add(TableLine.of(e.spec, e.table, e.error)));
        return lines;
    }

    @Override
    public synchronized void close() {
        if (watcher != null) {
            watcher.shutdownNow();
            watcher = null;
        }
        tables.values().forEach(entry -> entry.table.close());
        tables.clear();
    }
}
