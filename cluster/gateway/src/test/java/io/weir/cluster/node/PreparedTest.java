package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values for {@code ?} over JDBC: the same rows as with the value in the text, or an error. */
class PreparedTest {
    private static final String TOTALS =
            "SELECT src_addr, COUNT(*) AS n, SUM(bytes) AS bytes FROM packets WHERE ";
    private static final String GROUPS = " GROUP BY src_addr";

    @TempDir private Path folder;

    private CaptureServer server;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        server = CaptureServer.start(folder, 5, 5_000, Shape.ONE);
        connection = server.connection();
    }

    @AfterEach
    void disconnect() throws SQLException {
        server.close();
    }

    private List<List<Object>> rows(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return rows(statement.executeQuery());
        }
    }

    private static List<List<Object>> rows(ResultSet result) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        try (result) {
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(result.getObject(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private List<List<Object>> written(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return rows(statement.executeQuery(sql));
        }
    }

    private String refusal(String sql, Object... values) {
        return assertThrows(SQLException.class, () -> rows(sql, values)).getMessage();
    }

    private static void assertContains(String part, String text) {
        assertTrue(text.contains(part), text);
    }

    @Test
    void aValueIsWhatItWouldBeInTheText() throws SQLException {
        Object source = written(TOTALS + "TRUE" + GROUPS).get(0).get(0);
        Object[][] pairs = {
            {"bytes > ?", "bytes > 200", 200},
            {"bytes > ?", "bytes > 200", 200L},
            {"bytes > ?", "bytes > 200.5", 200.5},
            {"bytes > ?", "bytes > 200.5", new BigDecimal("200.5")},
            {"bytes > ?", "bytes > 200", new BigDecimal("200")},
            {"src_addr = ?", "src_addr = '" + source + "'", source},
            {"IN_SUBNET(src_addr, ?)", "IN_SUBNET(src_addr, '10.0.0.0/30')", "10.0.0.0/30"},
            {"ts > ?", "ts > '2026-11-20 23:40:01.5'", "2026-11-20 23:40:01.5"},
            {"(bytes > 100) = ?", "(bytes > 100) = TRUE", true},
            {"node_id = ?", "node_id = 'local'", "local"},
        };
        for (Object[] pair : pairs) {
            List<List<Object>> expected = written(TOTALS + pair[1] + GROUPS);
            assertTrue(!expected.isEmpty(), pair[1].toString());
            assertEquals(expected, rows(TOTALS + pair[0] + GROUPS, pair[2]), pair[0].toString());
        }
    }

    @Test
    void placesThatNeedAConstantTakeOne() throws SQLException {
        assertEquals(7, rows("SELECT ts FROM packets LIMIT ? OFFSET ?", 7, 2).size());
        String perWindow = "SELECT window_start, COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, ";
        assertEquals(
                written(perWindow + "INTERVAL '2' SECOND)"),
                rows(perWindow + "INTERVAL (?) SECOND)", 2));
        assertEquals(
                written("SELECT APPROX_QUANTILE(bytes, 1) AS m FROM packets"),
                rows("SELECT APPROX_QUANTILE(bytes, ?) AS m FROM packets", 1));
        assertEquals("x", rows("SELECT ? AS v FROM packets LIMIT 1", "x").get(0).get(0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "' OR '1'='1",
                "local' OR TRUE --",
                "'; DROP QUERY w; --",
                "?",
                ":x",
                "\\",
                "\u0000",
                "/* */",
                ""
            })
    void aHostileTextIsAText(String hostile) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE QUERY w AS SELECT ts, node_id FROM packets");
        }
        assertEquals(
                List.of(List.of(0L)),
                rows("SELECT COUNT(*) AS n FROM packets WHERE node_id = ?", hostile));
        assertEquals(
                hostile,
                rows("SELECT ? AS v, ts FROM packets WHERE node_id <> ? LIMIT 1", hostile, hostile)
                        .get(0)
                        .get(0));
        assertContains("is not an address", refusal(TOTALS + "src_addr = ?" + GROUPS, hostile));
        assertEquals(1, written("SHOW QUERIES").size());
    }

    /** Tools ask for objects, whatever the type. */
    @Test
    void aTimeIsAnObjectToo() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT ts FROM packets LIMIT 1")) {
            assertTrue(rows.next());
            assertEquals(rows.getString(1), rows.getObject(1));
            assertEquals(rows.getString(1), rows.getObject("ts"));
        }
    }

    @Test
    void oneStatementTakesManyValues() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT COUNT(*) AS n FROM packets WHERE bytes > ?")) {
            for (int bytes : new int[] {0, 100, 100_000}) {
                statement.setInt(1, bytes);
                assertEquals(
                        written("SELECT COUNT(*) AS n FROM packets WHERE bytes > " + bytes),
                        rows(statement.executeQuery()));
            }
        }
    }

    @Test
    void explainShowsTheValue() throws SQLException {
        String plan = rows("EXPLAIN SELECT ts FROM packets WHERE dst_port = ?", 443).toString();
        assertContains("dst_port = 443", plan);
    }

    @Test
    void aNullIsOne() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT COUNT(*) AS n FROM packets WHERE bytes > ?")) {
            statement.setNull(1, Types.BIGINT);
            assertEquals(List.of(List.of(0L)), rows(statement.executeQuery()));
        }
    }

    @Test
    void typesAreToldAsFarAsTheyAreKnown() throws SQLException {
        String sql =
                "SELECT src_addr, ? AS v FROM packets WHERE src_addr = ? AND bytes > ?"
                        + " AND ts > ? AND LN(bytes) < ? AND ? LIMIT ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            ParameterMetaData meta = statement.getParameterMetaData();
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= meta.getParameterCount(); i++) {
                names.add(meta.getParameterTypeName(i));
            }
            assertEquals(
                    List.of(
                            "VARCHAR",
                            "INET",
                            "BIGINT",
                            "TIMESTAMP(9) WITH TIME ZONE",
                            "DOUBLE",
                            "BOOLEAN",
                            "BIGINT"),
                    names);
            assertEquals(Types.VARCHAR, meta.getParameterType(4));
            assertEquals(2, statement.getMetaData().getColumnCount());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    bytes > ?    | many       | cannot compare bytes (BIGINT) with ? ('many',
                    src_addr = ? | 10.0.0     | '10.0.0' is not an address
                    ts > ?       | today      | 'today' is not a time
                    """)
    void aWrongTextIsAnErrorThatShowsIt(String condition, String value, String message) {
        assertContains(message, refusal(TOTALS + condition + GROUPS, value));
    }

    @Test
    void wrongTypesAreErrorsWithAPlace() {
        assertContains(
                "error TYPE_MISMATCH: cannot compare src_addr (INET) with ? (BIGINT) (line 2,",
                refusal("SELECT ts FROM packets\nWHERE src_addr = ?", 5));
        assertContains("node_id", refusal("SELECT ts FROM packets WHERE node_id = ?", 5));
        assertContains("LIMIT takes", refusal("SELECT ts FROM packets LIMIT ?", "1"));
        assertContains(
                "the parameter 1 (?) is no finite number",
                refusal("SELECT ts FROM packets WHERE bytes > ?", Double.NaN));
        assertContains(
                "the parameter 1 (?) does not fit",
                refusal("SELECT ts FROM packets WHERE bytes > ?", new BigDecimal("1e30")));
        assertContains(
                "is of a type that is not supported",
                refusal("SELECT ts FROM packets WHERE bytes > ?", (Object) new byte[] {1}));
    }

    @Test
    void whatIsNotSetIsMissing() throws SQLException {
        String sql = "SELECT ts FROM packets WHERE bytes > ? AND bytes < ?";
        assertContains("the parameter 1 (?) has no value (line 1, column 38)", refusal(sql));
        assertContains("the parameter 2 (?) has no value (line 1, column 52)", refusal(sql, 1));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            assertThrows(SQLException.class, () -> statement.setInt(3, 1));
        }
    }

    @Test
    void whereNoneCanBeGivenItIsRefusedWithItsPlace() {
        String kept = "CREATE QUERY k AS SELECT ts FROM packets WHERE bytes > ?";
        assertContains("a parameter (?) in CREATE is not supported (line 1,", refusal(kept));
        SQLException plain =
                assertThrows(
                        SQLException.class,
                        () -> written("SELECT ts FROM packets\nWHERE dst_port = ?"));
        assertContains("(?) is not supported here (line 2, column 18)\n", plain.getMessage());
        assertContains("\nhint: write the value itself", plain.getMessage());
        assertEquals("0A000", plain.getSQLState());
    }

    @Test
    void aTimestampIsATime() throws SQLException {
        String sql = "SELECT ts FROM packets WHERE ts >= ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setTimestamp(1, new Timestamp(0));
            assertTrue(statement.executeQuery().next());
        }
    }
}
