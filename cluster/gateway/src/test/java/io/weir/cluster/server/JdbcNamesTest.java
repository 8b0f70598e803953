package io.weir.cluster.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.sql.catalog.Streams;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the driver tells of streams and columns, and which schemas it takes. */
class JdbcNamesTest {
    private final WeirServer server =
            new WeirServer(
                            new FakeNode(),
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            WeirServer.IDLE)
                    .start();
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = DriverManager.getConnection(server.url());
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        server.close();
    }

    /** As DESCRIBE and SHOW STREAMS say it; NULL where there is nothing to say. */
    @Test
    void remarksAreWhatIsKnownOfColumns() throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        try (ResultSet rows = metadata.getColumns(null, null, "packets", "ts")) {
            assertTrue(rows.next());
            assertEquals(Streams.about("packets", "ts"), rows.getString("REMARKS"));
        }
        try (ResultSet rows = metadata.getColumns(null, null, "numbers", "ts")) {
            assertTrue(rows.next());
            assertNull(rows.getString("REMARKS"));
        }
        try (ResultSet rows = metadata.getTables(null, null, "packets", null)) {
            assertTrue(rows.next());
            assertEquals("a row for each IP packet", rows.getString("REMARKS"));
        }
    }

    @Test
    void otherSchemasAndCatalogsAreErrors() throws SQLException {
        connection.setSchema("public");
        connection.setCatalog(null);
        for (String schema : new String[] {"nope", "sys", ""}) {
            SQLException error =
                    assertThrows(SQLException.class, () -> connection.setSchema(schema));
            assertTrue(error.getMessage().contains("the schema is public"), error.getMessage());
        }
        assertThrows(SQLException.class, () -> connection.setCatalog("nope"));
        assertEquals("public", connection.getSchema());
    }
}
