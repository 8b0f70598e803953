package io.weir.cluster.kafka.catalog;

import io.weir.cluster.graph.GraphTables;
import io.weir.cluster.table.NamedTable;
import io.weir.cluster.wire.CatalogRecord;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.LookupTable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.table.StoredTable;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.Catalog;
import io.weir.sql.catalog.DefinedAggregate;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.plan.TablesRead;
import java.util.List;
import java.util.Optional;

/** The records of lookup tables in the catalogue. Stateless. */
final class TableRecords {
    private static final String KEY = "\u0000table ";

    private TableRecords() {}

    /** Returns the key of a table's record. No query has such a name. */
    static String key(String name) {
        return KEY + name;
    }

    static CatalogRecord.Builder of(Statement.CreateTable create, String hash) {
        return CatalogRecord.newBuilder()
                .setSql(create.sql())
                .setTable(
                        io.weir.cluster.wire.NamedTable.newBuilder()
                                .setTable(GraphTables.of(create.table()))
                                .setHash(hash));
    }

    /**
     * Returns the table of a record. While its columns stay, it is one object in this process, so
     * that queries go on with other contents.
     */
    static NamedTable of(String key, long offset, CatalogRecord record, CatalogState before) {
        io.weir.cluster.wire.NamedTable named = record.getTable();
        String name = named.getTable().getName();
        if (!key.equals(key(name))) {
            throw new IllegalArgumentException("the table " + name + " lies under another name");
        }
        NamedTable known = before.tables().get(name);
        if (known != null && known.version() == offset) {
            return known;
        }
        TableSchema schema = GraphTables.schema(named.getTable());
        StoredTable table =
                known != null && known.table().schema().equals(schema)
                        ? known.table()
                        : new StoredTable(name, schema);
        return new NamedTable(spec(record.getSql(), table), table, named.getHash(), offset);
    }

    private static TableSpec spec(String sql, StoredTable table) {
        List<Statement> statements = new SqlFrontend(new Columns(table)).parse(sql);
        if (statements.size() == 1
                && statements.get(0) instanceof Statement.CreateTable create
                && create.spec().name().equals(table.name())) {
            return create.spec();
        }
        throw new IllegalArgumentException("it is no CREATE TABLE of its name");
    }

    /** Nothing is there, and the new table has the columns of the record. */
    private record Columns(StoredTable table) implements Catalog {
        @Override
        public Optional<Query> find(String name) {
            return Optional.empty();
        }

        @Override
        public List<String> names() {
            return List.of();
        }

        @Override
        public List<DefinedAggregate> aggregates() {
            return List.of();
        }

        @Override
        public LookupTable newTable(TableSpec spec) {
            return table;
        }
    }

    /** Fails if a table cannot be created: others may have changed it since it was planned. */
    static void checkCreate(Statement.CreateTable create, CatalogState state) {
        String name = create.spec().name();
        NamedTable there = state.tables().get(name);
        if (state.find(name).isPresent() || there != null && !create.orReplace()) {
            throw new WeirException(
                    ErrorCode.DUPLICATE_QUERY,
                    "there is a query or table " + name + " already",
                    "choose another name, or CREATE OR REPLACE TABLE");
        } else if (there != null && !there.table().schema().equals(create.table().schema())) {
            checkUnread(name, state);
        }
    }

    /** Returns whether there is a table to drop. */
    static boolean checkDrop(String name, boolean ifExists, CatalogState state) {
        boolean is = state.tables().containsKey(name);
        if (!is && !ifExists) {
            throw new WeirException(
                    ErrorCode.UNKNOWN_STREAM,
                    "there is no table " + name,
                    "SHOW TABLES lists them");
        }
        checkUnread(name, state);
        return is;
    }

    private static void checkUnread(String name, CatalogState state) {
        List<String> readers =
                state.queries().stream()
                        .filter(query -> TablesRead.of(query).contains(name))
                        .map(Query::name)
                        .toList();
        if (!readers.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_QUERY,
                    String.join(", ", readers) + " reads " + name,
                    "drop it first");
        }
    }
}
