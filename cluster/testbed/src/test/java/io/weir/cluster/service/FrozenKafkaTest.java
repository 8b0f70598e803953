package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.audit.AuditedNode;
import io.weir.cluster.demo.Brokers;
import io.weir.cluster.demo.Processes;
import io.weir.cluster.faults.Shell;
import io.weir.cluster.kafka.RawRecords;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.launcher.Cli;
import io.weir.cluster.server.WeirServer;
import io.weir.cluster.wire.Heartbeat;
import io.weir.operators.time.Clock;
import io.weir.testing.Await;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kafka takes connections and never answers: what a server knows it shows, soon. */
@Timeout(300)
class FrozenKafkaTest {
    /** As docs/CLUSTER.md has it, and more for a machine that does other things. */
    private static final long MOST_MS = 3 * 3_000;

    private static final long DOCTOR_MS = 3 * 15_000;

    private static final List<String> STATEMENTS =
            List.of(
                    "SHOW QUERIES",
                    "SELECT name FROM sys.queries",
                    "SHOW WORKERS",
                    "SHOW EVENTS",
                    "SHOW ACCOUNT",
                    "SHOW STREAMS",
                    "EXPLAIN q",
                    "DESCRIBE q");

    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir private Path directory;

    @Test
    void showIsAnsweredFromWhatIsKnown() throws Exception {
        try (Processes processes = new Processes(directory)) {
            Brokers brokers =
                    new Brokers(
                            processes,
                            directory,
                            InetAddress.getLoopbackAddress().getHostAddress(),
                            1);
            brokers.start();
            try (ClusterNode node = ClusterNode.open(brokers.client(), "test");
                    WeirServer server =
                            new WeirServer(
                                            new AuditedNode(
                                                    node, node.audit(), "here:1", Clock.SYSTEM),
                                            ANY,
                                            WeirServer.IDLE)
                                    .start();
                    Connection connection = DriverManager.getConnection(server.url());
                    Statement sql = connection.createStatement()) {
                sql.execute(
                        "CREATE QUERY q AS SELECT COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts,"
                                + " INTERVAL '1' SECOND)");
                for (String statement : STATEMENTS) {
                    text(sql, statement); // so that all of it is loaded
                }
                do {
                    beat(brokers); // it is heard when Kafka freezes
                } while (!text(sql, "SHOW WORKERS").contains("running"));
                long pid = brokers.all().get(0).process().pid();
                Shell.signal("STOP", pid);
                try {
                    awaitNoticed(sql);
                    whileItIsFrozen(sql, brokers, server.url());
                } finally {
                    Shell.signal("CONT", pid);
                }
                awaitNoted(sql);
                assertEquals("", text(sql, "SELECT * FROM sys.events WHERE event = 'unheard'"));
            }
        }
    }

    private static void awaitNoticed(Statement sql) throws Exception {
        Await.until(
                () ->
                        text(sql, "SHOW WORKERS").contains("unheard for ")
                                && text(sql, "SHOW EVENTS").contains("Kafka has not answered for "),
                () -> "nobody notices that Kafka is frozen");
    }

    private static void whileItIsFrozen(Statement sql, Brokers brokers, String url)
            throws Exception {
        for (int round = 0; round < 2; round++) {
            Map<String, String> answers = new HashMap<>();
            for (String statement : STATEMENTS) {
                answers.put(statement, soon(sql, statement));
            }
            assertTrue(answers.get("SHOW QUERIES").contains("q"));
            assertTrue(answers.get("SELECT name FROM sys.queries").contains("q"));
            assertTrue(answers.get("SHOW WORKERS").contains("unheard for "));
            assertTrue(answers.get("SHOW EVENTS").contains("Kafka has not answered for "));
        }
        long begunNs = System.nanoTime();
        assertThrows(SQLException.class, () -> text(sql, "SHOW NOTHING"));
        SQLException audit = assertThrows(SQLException.class, () -> text(sql, "SHOW AUDIT"));
        assertTrue(audit.getMessage().contains("KAFKA_UNAVAILABLE"), audit.getMessage());
        assertSoon("errors", begunNs, MOST_MS);

        begunNs = System.nanoTime();
        Cli.Result doctor = Cli.run("doctor", "--kafka", brokers.bootstrap(), "--url", url);
        assertSoon("doctor", begunNs, DOCTOR_MS);
        assertTrue(doctor.out().contains("BROKEN  kafka"), doctor.out());
        assertTrue(doctor.out().contains("workers: w unheard for "), doctor.out());
    }

    private static void beat(Brokers brokers) throws Exception {
        byte[] beat =
                Heartbeat.newBuilder()
                        .setFormat(1)
                        .setWorker("w")
                        .setLife("1")
                        .build()
                        .toByteArray();
        RawRecords.write(brokers.client(), Topics.HEARTBEATS, "w", beat);
    }

    /** What was answered meanwhile is noted now. */
    private static void awaitNoted(Statement sql) {
        List<String> wanted = List.of("SHOW WORKERS", "SHOW EVENTS", "EXPLAIN q", "SHOW NOTHING");
        Await.until(
                () -> wanted.stream().allMatch(audit(sql)::contains),
                () -> text(sql, "SHOW AUDIT"));
    }

    /** Returns nothing while Kafka is away. */
    private static String audit(Statement sql) {
        try {
            return text(sql, "SHOW AUDIT");
        } catch (SQLException away) {
            return "";
        }
    }

    private static String soon(Statement sql, String statement) throws SQLException {
        long begunNs = System.nanoTime();
        String text = text(sql, statement);
        assertSoon(statement, begunNs, MOST_MS);
        return text;
    }

    private static void assertSoon(String what, long begunNs, long mostMs) {
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs);
        assertTrue(tookMs <= mostMs, what + " took " + tookMs + " ms");
    }

    private static String text(Statement statement, String sql) throws SQLException {
        StringJoiner text = new StringJoiner("\n");
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                StringJoiner row = new StringJoiner(" ");
                for (int c = 1; c <= rows.getMetaData().getColumnCount(); c++) {
                    row.add(String.valueOf(rows.getString(c)));
                }
                text.add(row.toString());
            }
        }
        return text.toString();
    }
}
