package io.weir.cluster.table;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.TableSchema;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.table.TableBuilder;
import io.weir.operators.table.TableSnapshot;
import io.weir.operators.time.Clock;
import io.weir.sql.catalog.TableSpec;
import io.weir.sql.catalog.TableSpec.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads files of lookup tables, whose size is bounded. Any thread. */
final class TableLoader {
    private static final long MOST_BYTES = 256L << 20;

    /** Letters of a hash in an error. */
    private static final int SHOWN = 12;

    private final TableFolders folders;
    private final NativeAllocator allocator;
    private final Clock clock;

    TableLoader(TableFolders folders, NativeAllocator allocator, Clock clock) {
        this.folders = folders;
        this.allocator = allocator;
        this.clock = clock;
    }

    /** The time and the size of a file, which tell that it has changed. */
    record Stamp(long modifiedNs, long bytes) {}

    Stamp stamp(TableSpec spec) {
        Path path = folders.find(spec.file());
        try {
            return new Stamp(
                    Files.getLastModifiedTime(path).to(TimeUnit.NANOSECONDS), Files.size(path));
        } catch (IOException e) {
            throw unreadable(spec, e);
        }
    }

    private byte[] bytes(TableSpec spec) {
        Path path = folders.find(spec.file());
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw TableFault.of(
                        spec.file() + " has over " + (MOST_BYTES >> 20) + " MB, the most");
            }
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw unreadable(spec, e);
        }
    }

    private static RuntimeException unreadable(TableSpec spec, IOException e) {
        return TableFault.of(spec.file() + " cannot be read: " + e.getMessage());
    }

    /** Returns the columns of the file, or as declared. */
    private static List<Column> columns(TableSpec spec, byte[] bytes) {
        return !spec.columns().isEmpty() ? spec.columns() : CsvTable.columns(spec, bytes);
    }

    /** Returns the table's columns. The file is read only if the statement has none. */
    TableSchema schema(TableSpec spec) {
        folders.find(spec.file());
        if (MmdbTable.isOne(spec)) {
            MmdbTable.check(spec);
        }
        byte[] bytes = spec.columns().isEmpty() ? bytes(spec) : new byte[0];
        return TableColumns.schema(spec, columns(spec, bytes));
    }

    /**
     * Returns the content of the file.
     *
     * @param schema of the table; a file that lacks a column, or has other values, is an error
     */
    TableSnapshot load(TableSpec spec, TableSchema schema) {
        return load(spec, schema, bytes(spec));
    }

    /**
     * Returns the content of the file with this hash.
     *
     * @throws WeirException UNREADABLE_INPUT: the file has another hash
     */
    TableSnapshot load(TableSpec spec, TableSchema schema, String hash) {
        byte[] bytes = bytes(spec);
        String found = hash(bytes);
        if (!found.equals(hash)) {
            throw TableFault.of(
                    spec.file()
                            + " has the SHA-256 "
                            + found.substring(0, SHOWN)
                            + "… here, and "
                            + hash.substring(0, Math.min(SHOWN, hash.length()))
                            + "… in the catalogue",
                    "copy the file to each worker and server, then CREATE OR REPLACE TABLE");
        }
        return load(spec, schema, bytes);
    }

    private TableSnapshot load(TableSpec spec, TableSchema schema, byte[] bytes) {
        List<Column> columns = known(spec, schema, columns(spec, bytes));
        try (TableBuilder builder = new TableBuilder(allocator, schema)) {
            TableSink sink = new TableSink(spec, columns, builder);
            if (MmdbTable.isOne(spec)) {
                MmdbTable.read(spec, columns, bytes, sink);
            } else {
                CsvTable.read(spec, columns, bytes, sink);
            }
            return sink.content(hash(bytes), clock.millis() * 1_000_000);
        }
    }

    /** Returns the columns with the kinds that the table has from its first content on. */
    private static List<Column> known(TableSpec spec, TableSchema schema, List<Column> found) {
        if (!spec.columns().isEmpty()) {
            return found;
        }
        return schema.columns().stream()
                .filter(column -> found.stream().anyMatch(f -> f.name().equals(column.name())))
                .map(
                        column ->
                                new Column(
                                        column.name(), column.type().kind(), false, column.name()))
                .toList();
    }

    private static String hash(byte[] bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(bytes));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }
}
