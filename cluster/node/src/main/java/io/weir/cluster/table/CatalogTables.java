package io.weir.cluster.table;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.StoredTable;
import io.weir.operators.table.TableSnapshot;
import io.weir.operators.time.Clock;
import io.weir.sql.catalog.TableSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The contents of a cluster's lookup tables in one process. Each comes from a file of this process'
 * folders, and only a file with the hash of the catalogue is taken. A table without such a file has
 * no content. Thread-safe.
 */
public final class CatalogTables implements AutoCloseable {
    private static final long MOST_BYTES = 8L << 30;

    private final NativeAllocator allocator = new NativeAllocator(MOST_BYTES);
    private final TableLoader loader;
    private final Map<String, Entry> entries = new TreeMap<>();

    /** A table of the catalogue. It is several objects while several catalogues were read. */
    private static final class Entry {
        private final Set<StoredTable> tables = Collections.newSetFromMap(new IdentityHashMap<>());
        private NamedTable named;

        /** Null without a file that fits. */
        private TableSnapshot content;

        /** The file that was refused last; null if there was none. */
        private TableLoader.Stamp refused;

        private String lack = "";

        void give(TableSnapshot other) {
            release();
            content = other;
            lack = "";
            refused = null;
            tables.forEach(table -> table.replace(other.hold()));
        }

        void release() {
            if (content != null) {
                content.release();
                content = null;
            }
        }

        void close() {
            tables.forEach(StoredTable::close);
            release();
        }
    }

    public CatalogTables(TableFolders folders, Clock clock) {
        loader = new TableLoader(folders, allocator, clock);
    }

    /** Returns a table for a statement, without content. */
    public LookupTable newTable(TableSpec spec) {
        return new StoredTable(spec.name(), loader.schema(spec));
    }

    /**
     * Reads a file as a table's content, and forgets it.
     *
     * @return SHA-256 of the file
     * @throws WeirException UNREADABLE_INPUT, OUT_OF_NATIVE_MEMORY, TOO_MANY_STRINGS
     */
    public String check(TableSpec spec, LookupTable table) {
        TableSnapshot content = loader.load(spec, table.schema());
        content.release();
        return content.hash();
    }

    /** Reads the files of new and changed tables, and of those that lack one. */
    public synchronized void follow(Collection<NamedTable> catalog) {
        Set<String> names = new HashSet<>();
        catalog.forEach(named -> names.add(named.name()));
        entries.entrySet()
                .removeIf(
                        entry -> {
                            boolean gone = !names.contains(entry.getKey());
                            if (gone) {
                                entry.getValue().close();
                            }
                            return gone;
                        });
        catalog.forEach(this::follow);
    }

    private void follow(NamedTable named) {
        Entry entry = entries.computeIfAbsent(named.name(), name -> new Entry());
        boolean changed = entry.named == null || !hasSameContent(entry.named, named);
        entry.named = named;
        entry.tables.removeIf(table -> isOther(table, named));
        boolean isNew = entry.tables.add(named.table());
        if (changed) {
            entry.refused = null;
        }
        if (changed || entry.content == null) {
            load(entry);
        } else if (isNew) {
            named.table().replace(entry.content.hold());
        }
    }

    private static boolean hasSameContent(NamedTable one, NamedTable other) {
        return one.hash().equals(other.hash())
                && one.spec().equals(other.spec())
                && one.table().schema().equals(other.table().schema());
    }

    /** Returns whether the table has the columns of an earlier statement; it ends then. */
    private static boolean isOther(StoredTable table, NamedTable named) {
        boolean is = !table.schema().equals(named.table().schema());
        if (is) {
            table.close();
        }
        return is;
    }

    private void load(Entry entry) {
        NamedTable named = entry.named;
        try {
            TableLoader.Stamp now = loader.stamp(named.spec());
            if (!now.equals(entry.refused)) {
                entry.refused = now;
                entry.give(loader.load(named.spec(), named.table().schema(), named.hash()));
            }
        } catch (WeirException fault) {
            entry.lack = fault.getMessage();
            entry.tables.forEach(StoredTable::close);
            entry.release();
        }
    }

    /** Returns why one of these tables has no content; empty if all have one. */
    public synchronized Optional<String> lack(Collection<LookupTable> tables) {
        for (LookupTable table : tables) {
            Entry entry = entries.get(table.name());
            if (table instanceof StoredTable stored && !stored.hasContent()) {
                String why = entry == null ? "it is not read yet" : entry.lack;
                return Optional.of("the table " + table.name() + " is not here: " + why);
            }
        }
        return Optional.empty();
    }

    /** Returns the tables for SHOW TABLES. */
    public synchronized List<TableLine> lines() {
        List<TableLine> lines = new ArrayList<>();
        for (Entry entry : entries.values()) {
            NamedTable named = entry.named;
            lines.add(TableLine.of(named.spec(), entry.content, named.hash(), entry.lack));
        }
        return lines;
    }

    @Override
    public synchronized void close() {
        entries.values().forEach(Entry::close);
        entries.clear();
    }
}
