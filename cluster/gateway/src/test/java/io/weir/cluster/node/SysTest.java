package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.audit.AuditEntry;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.cluster.server.WeirServer;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.SqlFrontend;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SELECT … FROM sys on one machine, over JDBC. */
class SysTest {
    private static final List<String> AUDITED =
            List.of("2026-01-01T00:00:00Z", "here", "eve", "ok", "", "SHOW QUERIES", "");

    @TempDir private Path folder;

    private EmbeddedNode node() {
        Path pcap = new PcapFile().random(3, 20_000).write(folder.resolve("a.pcap"));
        return new EmbeddedNode(NodeSettings.DEFAULT, List.of(SourceSpec.pcap("local", pcap)))
                .withAudit(new Answer.Texts(AuditEntry.HEADINGS, () -> List.of(AUDITED)));
    }

    /** Columns with their types, then rows. */
    private static List<String> table(Connection connection, String sql) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            ResultSetMetaData meta = rows.getMetaData();
            StringBuilder head = new StringBuilder();
            for (int c = 1; c <= meta.getColumnCount(); c++) {
                head.append(meta.getColumnLabel(c)).append(' ').append(meta.getColumnTypeName(c));
                head.append(' ').append(meta.isNullable(c)).append(' ');
            }
            lines.add(head.toString());
            while (rows.next()) {
                StringBuilder line = new StringBuilder();
                for (int c = 1; c <= meta.getColumnCount(); c++) {
                    line.append(rows.getObject(c)).append('|');
                }
                lines.add(line.toString());
            }
        }
        return lines;
    }

    private static void change(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    @Test
    void eachTableIsWhatShowSays() throws SQLException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (WeirServer server = new WeirServer(node(), any, WeirServer.IDLE).start();
                Connection connection = DriverManager.getConnection(server.url())) {
            change(
                    connection,
                    "CREATE QUERY w AS SELECT dst_port, COUNT(*) AS n FROM packets GROUP BY"
                            + " dst_port, TUMBLE(ts, INTERVAL '1' SECOND) WITH (memory = '64MB',"
                            + " on_overflow = 'evict')");
            change(
                    connection,
                    "CREATE QUERY woken AS SELECT COUNT(*) AS n FROM packets"
                            + " WHEN w.n > 0 UNTIL w.n > 1");
            assertTrue(table(connection, "SUBSCRIBE woken").size() > 1);
            change(
                    connection,
                    "CREATE AGGREGATE packets_of() STATE (n BIGINT = 0) UPDATE n = n + 1 RETURN n"
                            + " MERGE n = n + other.n");
            assertEquals(
                    table(connection, "SELECT COUNT(*) AS n FROM packets"),
                    table(connection, "SELECT packets_of(*) AS n FROM packets"));
            for (String listing :
                    List.of(
                            "queries",
                            "streams",
                            "functions",
                            "aggregates",
                            "account",
                            "events",
                            "audit")) {
                List<String> shown = table(connection, "SHOW " + listing);
                assertTrue(shown.size() > 1, listing);
                assertEquals(shown, table(connection, "SELECT * FROM sys." + listing));
            }
            for (String listing : SqlFrontend.sysTables().keySet()) {
                described(connection, listing, listing.equals("workers") ? 0 : 1);
            }
            refused(connection, "DESCRIBE sys.workers", "NOT_SUPPORTED: there are no workers");
            assertEquals(
                    List.of("w|64MB|evict|", "woken|||"),
                    rows(
                            connection,
                            "SELECT name, memory, on_overflow FROM sys.queries ORDER BY 1"));
            assertEquals(
                    List.of("capture|20000|"),
                    rows(
                            connection,
                            "SELECT stage, offered FROM sys.account WHERE stage = 'capture'"
                                    + " AND offered > 19999"));
            assertEquals(
                    List.of("w|"),
                    rows(
                            connection,
                            "SELECT a.name FROM sys.queries a JOIN sys.queries b"
                                    + " ON a.name = b.waits_for"));
            refused(connection, "SELECT * FROM sys.workers", "NOT_SUPPORTED: there are no workers");
            refused(connection, "SELECT nam FROM sys.queries", "UNKNOWN_COLUMN: ");
            refused(
                    connection,
                    "SELECT COUNT(*) FROM sys.functions a, sys.functions b, sys.functions c,"
                            + " sys.functions d",
                    "combinations of rows, over 1000000");
            refused(connection, "SELECT 1 / 0 FROM sys.queries", "cannot be worked out");
        }
    }

    /** By DESCRIBE, and to tools: as its rows are. */
    private static void described(Connection connection, String listing, int tables)
            throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        String[] types = {"SYSTEM TABLE"};
        assertEquals(
                tables,
                lines(meta.getTables(null, "sys", listing, types), "TABLE_SCHEM", "TABLE_TYPE")
                        .size());
        assertEquals(List.of(), lines(meta.getTables(null, "public", listing, null), "TABLE_NAME"));
        if (tables > 0) {
            List<String> columns = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT * FROM sys." + listing)) {
                for (int c = 1; c <= rows.getMetaData().getColumnCount(); c++) {
                    columns.add(
                            rows.getMetaData().getColumnLabel(c)
                                    + "|"
                                    + rows.getMetaData().getColumnTypeName(c)
                                    + "|");
                }
            }
            assertEquals(
                    columns,
                    lines(meta.getColumns(null, "sys", listing, "%"), "COLUMN_NAME", "TYPE_NAME"));
            assertEquals(
                    columns.stream().map(column -> column + "|").toList(),
                    rows(connection, "DESCRIBE sys." + listing));
        }
    }

    private static List<String> lines(ResultSet rows, String... columns) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                StringBuilder line = new StringBuilder();
                for (String column : columns) {
                    line.append(rows.getString(column)).append('|');
                }
                lines.add(line.toString());
            }
        }
        return lines;
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> table = table(connection, sql);
        return table.subList(1, table.size());
    }

    private static void refused(Connection connection, String sql, String why) {
        SQLException e = assertThrows(SQLException.class, () -> table(connection, sql));
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    /** A prepared SELECT has the rows of when it is executed. */
    @Test
    void rowsAreThoseOfTheMoment() {
        EmbeddedNode node = node();
        SqlSession session = node.session(User.ANYBODY);
        Answer.Snapshot count =
                (Answer.Snapshot) session.prepare("SELECT COUNT(*) AS n FROM sys.queries");
        assertEquals(0L, count.rows().get().get(0)[0]);
        Answer.Change create =
                (Answer.Change) session.prepare("CREATE QUERY a AS SELECT ts FROM packets");
        var unused = create.action().get();
        assertEquals(1L, count.rows().get().get(0)[0]);
    }

    @Test
    void whoMayShowMaySelect() {
        EmbeddedNode node = node();
        SqlSession reader = node.session(new User("eve", Set.of(Role.VIEWER)));
        assertEquals("[0]", first(reader, "SELECT COUNT(*) FROM sys.queries"));
        assertEquals(
                List.of(
                        "queries",
                        "streams",
                        "functions",
                        "aggregates",
                        "account",
                        "events",
                        "sources",
                        "bindings",
                        "tables",
                        "query_cost",
                        "loss"),
                node.sysTables(new User("eve", Set.of(Role.VIEWER))).stream()
                        .map(SqlNode.Stream::name)
                        .toList());
        for (String sql :
                List.of(
                        "SHOW AUDIT",
                        "DESCRIBE sys.audit",
                        "SELECT * FROM sys.audit",
                        "SELECT 1 FROM sys.queries WHERE EXISTS (SELECT 1 FROM sys.audit)",
                        "SELECT * FROM sys.queries q, (SELECT * FROM sys.audit) AS a")) {
            WeirException e = assertThrows(WeirException.class, () -> reader.prepare(sql));
            assertEquals(ErrorCode.NOT_ALLOWED, e.code(), sql);
        }
    }

    private static String first(SqlSession session, String sql) {
        Answer.Snapshot answer = (Answer.Snapshot) session.prepare(sql);
        return Arrays.toString(answer.rows().get().get(0));
    }

    /** In a text of {@code weir run}: printed as SHOW is. */
    @Test
    void aProgramHasItsTexts() {
        EmbeddedNode node = node();
        Program program =
                node.load(
                        node.frontend()
                                .parse(
                                        "CREATE QUERY a AS SELECT ts FROM packets; SELECT name,"
                                                + " NULLIF(name, 'a') AS x FROM sys.queries; DESCRIBE"
                                                + " sys.streams; DROP QUERY a"));
        assertEquals(List.of("name", "x"), program.texts().get(0).headings());
        assertEquals(List.of(List.of("a", "NULL")), program.texts().get(0).rows().get());
        assertEquals(
                List.of(List.of("name", "VARCHAR", ""), List.of("about", "VARCHAR", "")),
                program.texts().get(1).rows().get());
        for (String table :
                List.of(
                        "events",
                        "account",
                        "bindings",
                        "workers",
                        "audit",
                        "query_cost",
                        "loss")) {
            WeirException e =
                    assertThrows(
                            WeirException.class,
                            () -> node.load(node.frontend().parse("SELECT * FROM sys." + table)));
            assertEquals(ErrorCode.NOT_SUPPORTED, e.code());
        }
    }
}
