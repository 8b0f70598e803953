package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.testing.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
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

    private CaptureServer server;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connect(Shape.ONE);
    }

    private void connect(Shape shape) throws SQLException {
        server = CaptureServer.start(folder, 3, PACKETS, shape);
        connection = server.connection();
    }

    @AfterEach
    void disconnect() throws SQLException {
        server.close();
    }

    @Test
    void anEmptyTextIsNoStatement() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : List.of("", " ", "-- nothing", ";")) {
                SQLException error =
                        assertThrows(SQLException.class, () -> statement.execute(text), text);
                assertEquals("42601", error.getSQLState(), error.getMessage());
            }
            SQLException error =
                    assertThrows(SQLException.class, () -> connection.prepareStatement(""));
            assertTrue(error.getMessage().contains("there is no statement"), error.getMessage());
        }
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

    /** ORDER BY, LIMIT and OFFSET over a snapshot, against a sort of its rows here. */
    @Test
    void aSnapshotCanBeOrderedAndLimited() throws SQLException {
        update(
                "CREATE QUERY w AS SELECT src_addr, dst_port, SUM(bytes) AS size FROM packets"
                        + " GROUP BY src_addr, dst_port, TUMBLE(ts, INTERVAL '1' SECOND)");
        List<Long> sizes = longs("SELECT size FROM w");
        assertTrue(sizes.size() > 10, sizes.toString());
        sizes.sort(Comparator.reverseOrder());
        assertEquals(sizes, longs("SELECT size FROM w ORDER BY size DESC"));
        assertEquals(sizes.subList(0, 3), longs("SELECT size FROM w ORDER BY 1 DESC LIMIT 3"));
        assertEquals(
                sizes.subList(2, 7),
                longs("SELECT size AS s, dst_port FROM w ORDER BY s DESC LIMIT 5 OFFSET 2"));
        assertTrue(texts("EXPLAIN SELECT size FROM w ORDER BY size").contains("Sort by size"));
        update("CREATE QUERY thin AS SELECT size FROM w WHERE size > 0");
        assertEquals(sizes, longs("SELECT size FROM thin ORDER BY size DESC"));
    }

    /** As far as it is selected; LIMIT takes the first of them. */
    @Test
    void aSnapshotHasTheOrderOfItsQuery() throws SQLException {
        update(
                "CREATE QUERY top AS SELECT src_addr, dst_port, SUM(bytes) AS size FROM packets"
                        + " GROUP BY src_addr, dst_port, TUMBLE(ts, INTERVAL '1' SECOND)"
                        + " ORDER BY size DESC, dst_port LIMIT 20");
        List<Long> sizes = longs("SELECT size AS s, src_addr FROM top");
        assertTrue(sizes.size() > 10, sizes.toString());
        List<Long> sorted = new ArrayList<>(sizes);
        sorted.sort(Comparator.reverseOrder());
        assertEquals(sorted, sizes);
        assertEquals(sizes.subList(0, 2), longs("SELECT size FROM top LIMIT 2"));
        assertTrue(texts("EXPLAIN SELECT * FROM top").contains("Sort by size desc, dst_port"));
        assertFalse(texts("EXPLAIN SELECT dst_port FROM top").contains("Sort"));
        sizes.sort(Comparator.naturalOrder());
        assertEquals(sizes, longs("SELECT size FROM top ORDER BY size"));
    }

    /** Where a stream of packets is cut is chance: so it is read whole, and has no order. */
    @Test
    void aQueryOfPacketsHasNoLastWindow() throws SQLException {
        update("CREATE QUERY p AS SELECT src_addr, bytes FROM packets");
        assertEquals(List.of((long) PACKETS), longs("SELECT COUNT(*) AS n FROM p"));
        SQLException error =
                assertThrows(SQLException.class, () -> longs("SELECT bytes FROM p ORDER BY bytes"));
        assertTrue(error.getMessage().contains("an endless stream"), error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theAccountAndTheEventsOfWhatRanLastAreShown(int parts) throws SQLException {
        disconnect();
        connect(new Shape(parts, parts));
        for (String show : List.of("SHOW ACCOUNT", "SHOW EVENTS")) {
            SQLException error = assertThrows(SQLException.class, () -> texts(show));
            assertTrue(error.getMessage().contains("nothing has run"), error.getMessage());
        }
        update(
                "CREATE QUERY w AS SELECT COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
        update(
                "CREATE QUERY woken AS SELECT COUNT(*) AS n FROM packets WHEN w.n > 0 UNTIL w.n > 1");
        assertTrue(sum("SUBSCRIBE woken", "n") > 0);
        String account = texts("SHOW ACCOUNT");
        assertTrue(account.contains("capture," + PACKETS + "," + PACKETS + ",0,0"), account);
        assertTrue(account.contains("query:woken,"), account);
        String events = texts("SHOW EVENTS");
        assertTrue(events.startsWith("wakes,woken,"), events);
        assertTrue(events.contains("ends,woken,"), events);
        assertThrows(SQLException.class, () -> texts("SELECT nobody FROM packets"));
        assertEquals(account, texts("SHOW ACCOUNT"), "an error in between is forgotten, not these");
        try (Connection other = DriverManager.getConnection(server.server().url());
                Statement statement = other.createStatement()) {
            assertThrows(SQLException.class, () -> statement.executeQuery("SHOW ACCOUNT"));
        }
    }

    @Test
    void whatWasStoppedHasAnAccountToo() throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT ts FROM packets")) {
            assertTrue(rows.next());
        }
        Await.until(() -> server.server().runningQueries() == 0);
        assertTrue(texts("SHOW EVENTS").contains("stopped before the end of the input"));
        assertTrue(longs("SHOW ACCOUNT", "offered").get(0) < PACKETS);
    }

    /** Its loss is in the account, whatever became of its rows. */
    @Test
    void whatEndedForWantOfRoomHasAnAccountToo() throws SQLException {
        SQLException error =
                assertThrows(
                        SQLException.class,
                        () ->
                                texts(
                                        "SELECT ts, COUNT(*) AS n FROM packets GROUP BY ts, src_addr,"
                                                + " dst_addr, src_port, dst_port, tcp_seq"
                                                + " WITH (memory = '64KB', on_overflow = 'fail')"));
        assertTrue(error.getMessage().contains("BUDGET_EXCEEDED"), error.getMessage());
        assertTrue(texts("SHOW ACCOUNT").contains("state_full"), texts("SHOW ACCOUNT"));
    }

    private void update(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private List<Long> longs(String sql) throws SQLException {
        return longs(sql, null);
    }

    private List<Long> longs(String sql, String columnOrFirst) throws SQLException {
        List<Long> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            int column = columnOrFirst == null ? 1 : rows.findColumn(columnOrFirst);
            while (rows.next()) {
                values.add(Long.parseLong(rows.getString(column)));
            }
        }
        return values;
    }

    /** All rows, cells joined by commas. */
    private String texts(String sql) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                for (int c = 1; c <= rows.getMetaData().getColumnCount(); c++) {
                    text.append(c == 1 ? "" : ",").append(rows.getString(c));
                }
                text.append('\n');
            }
        }
        return text.toString();
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
            assertEquals(1, server.server().runningQueries());
        }
        Await.until(() -> server.server().runningQueries() == 0);
        assertEquals(0, server.server().runningQueries());
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
