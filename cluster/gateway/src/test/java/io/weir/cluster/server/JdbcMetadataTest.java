package io.weir.cluster.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Kind;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client sees streams, columns and types as they are. */
class JdbcMetadataTest extends JdbcFixture {
    @Test
    void metadataListsStreams() throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        assertEquals("Weir", metadata.getDatabaseProductName());
        assertEquals(server.url(), metadata.getURL());
        assertEquals(
                List.of("packets", "numbers", "queries"),
                names(metadata.getTables(null, null, "%", null), 3));
        for (String all : List.of("%", "")) {
            assertEquals(
                    List.of("public", "public", "sys"),
                    names(metadata.getTables(null, all, null, null), 2));
        }
        assertEquals(List.of("queries"), names(metadata.getTables(null, "sys", null, null), 3));
        assertEquals(
                List.of("SYSTEM TABLE"), names(metadata.getTables(null, "sys", null, null), 4));
        assertEquals(List.of("n"), names(metadata.getColumns(null, "s%", null, null), 4));
        assertEquals(List.of("public", "sys"), names(metadata.getSchemas(), 1));
        assertEquals(List.of("sys"), names(metadata.getSchemas(null, "s_s"), 1));
        assertEquals("public", connection.getSchema());
        assertEquals(
                List.of("numbers"),
                names(metadata.getTables(null, null, "num%", new String[] {"QUERY"}), 3));
        assertEquals(
                List.of("n", "ts", "addr", "share"),
                names(metadata.getColumns(null, null, "packets", null), 4));
        assertEquals(List.of(), names(metadata.getPrimaryKeys(null, null, "packets"), 1));
        assertEquals(
                List.of("QUERY", "STREAM", "SYSTEM TABLE"), names(metadata.getTableTypes(), 1));
    }

    private static List<String> names(ResultSet rows, int column) throws SQLException {
        List<String> names = new ArrayList<>();
        while (rows.next()) {
            names.add(rows.getString(column));
        }
        rows.close();
        return names;
    }

    /** Each type that a column can have is there, with the size that its columns have. */
    @Test
    void metadataHasTheTypes() throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        List<String> types = new ArrayList<>();
        int before = Integer.MIN_VALUE;
        try (ResultSet rows = metadata.getTypeInfo()) {
            while (rows.next()) {
                types.add(rows.getString("TYPE_NAME") + " " + rows.getObject("PRECISION"));
                assertTrue(before <= rows.getInt("DATA_TYPE"), types + " are in order");
                before = rows.getInt("DATA_TYPE");
            }
        }
        assertEquals(Kind.values().length, types.size());
        try (ResultSet rows = metadata.getColumns(null, null, "packets", null)) {
            while (rows.next()) {
                String type = rows.getString("TYPE_NAME") + " " + rows.getObject("COLUMN_SIZE");
                assertTrue(types.contains(type), type + " is of " + types);
            }
        }
        assertTrue(types.contains("INET 43"), types.toString());
        assertTrue(types.contains("VARCHAR null"), types.toString());
    }

    @Test
    void metadataSaysHowNamesAreKept() throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        assertTrue(metadata.storesLowerCaseIdentifiers());
        assertFalse(metadata.storesUpperCaseIdentifiers());
    }
}
