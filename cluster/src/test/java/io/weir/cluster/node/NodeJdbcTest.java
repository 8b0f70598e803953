package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.server.WeirServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JDBC over the embedded node and a capture of 20,000 packets. */
class NodeJdbcTest {
    private static final int PACKETS = 20_000;

    @TempDir private Path folder;

    private WeirServer server;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connect(Shape.ONE);
    }

    private void connect(Shape shape) throws SQLException {
        Path pcap = new PcapFile().random(3, PACKETS).write(folder.resolve("a.pcap"));
        List<Capture> captures = List.of(new Capture("local", pcap));
        NodeSettings standard = NodeSettings.DEFAULT;
        NodeSettings settings =
                new NodeSettings(shape, standard.lateness(), standard.cache(), standard.threads());
        EmbeddedNode node = new EmbeddedNode(settings, captures);
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = new WeirServer(node, any, WeirServer.IDLE).start();
        connection = DriverManager.getConnection(server.url());
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        server.close();
    }

    private long sum(String sql, String column) throws SQLException {
        long sum = 0;
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                sum += rows.getLong(column);
            }
        }
        return sum;
    }

    @Test
    void packetsStreamWhole() throws SQLException {
        assertEquals(PACKETS, sum("SELECT 1 AS one, ts FROM packets", "one"));
    }

    @Test
    void queriesAreCreatedSubscribedAndDropped() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "CREATE QUERY w AS SELECT dst_port, COUNT(*) AS n FROM packets"
                            + " GROUP BY dst_port, TUMBLE(ts, INTERVAL '1' SECOND)");
            assertEquals(PACKETS, sum("SUBSCRIBE w", "n"));
            assertEquals(1_000, sum("SELECT n FROM w", "n")); // the last of its twenty windows
            assertThrows(
                    SQLException.class,
                    () -> statement.executeUpdate("CREATE QUERY w AS SELECT ts FROM packets"));
            statement.executeUpdate("DROP QUERY w");
            try (ResultSet rows = statement.executeQuery("SHOW QUERIES")) {
                assertFalse(rows.next());
            }
        }
    }

    @Test
    void aQueryOfAbsentColumnsIsRefusedAtOnce() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            SQLException error =
                    assertThrows(
                            SQLException.class,
                            () ->
                                    statement.executeUpdate(
                                            "CREATE QUERY x AS SELECT y FROM packets"));
            assertTrue(error.getMessage().contains("error UNKNOWN_COLUMN: "), error.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void closingAStatementEndsItsReplay(int parts) throws Exception {
        disconnect();
        connect(new Shape(parts, parts));
        try (Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("SELECT ts, src_addr FROM packets");
            assertTrue(rows.next());
            assertEquals(1, server.runningQueries());
        }
        for (int i = 0; i < 500 && server.runningQueries() > 0; i++) {
            Thread.sleep(10);
        }
        assertEquals(0, server.runningQueries());
    }

    @Test
    void metadataShowsStreamsAndQueries() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE QUERY mine AS SELECT ts, bytes FROM packets");
        }
        try (ResultSet columns = connection.getMetaData().getColumns(null, null, "mine", "%")) {
            assertTrue(columns.next());
            assertEquals("ts", columns.getString("COLUMN_NAME"));
            assertEquals("TIMESTAMP(9) WITH TIME ZONE", columns.getString("TYPE_NAME"));
        }
    }
}
