package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.RawRecords;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.security.User;
import io.weir.cluster.server.WeirServer;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.testing.Await;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterNodeTest {
    private static final long PATIENCE_MS = 60_000;

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** Two servers of one cluster with a worker: what one is told, the other shows. */
    @Test
    void twoServersSpeakForOneCluster() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ClusterNode one = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "one");
                ClusterNode two = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "two");
                WeirServer first = new WeirServer(one, any, WeirServer.IDLE).start();
                WeirServer second = new WeirServer(two, any, WeirServer.IDLE).start();
                Connection a = DriverManager.getConnection(first.url());
                Connection b = DriverManager.getConnection(second.url())) {
            MergeInstance merge =
                    new MergeInstance(KafkaSettings.of(broker.bootstrap()), one, failures::add);
            Worker worker = worker(broker);
            Thread running = new Thread(worker::run);
            running.start();
            execute(
                    a,
                    "CREATE QUERY per_port AS SELECT window_end, dst_port, COUNT(*) AS n FROM"
                            + " packets WHERE node_id = 'x' GROUP BY TUMBLE(ts, INTERVAL '1' SECOND),"
                            + " dst_port");
            execute(
                    a,
                    "CREATE QUERY all_nodes AS SELECT window_end, COUNT(*) AS n FROM packets GROUP"
                            + " BY TUMBLE(ts, INTERVAL '1' SECOND)");

            List<String> subscribed = rows(b, "SUBSCRIBE per_port", 4);
            assertEquals(4, subscribed.size());
            List<String> last = rows(b, "SELECT n, dst_port FROM per_port ORDER BY dst_port", 9);
            assertEquals(5, last.size(), last.toString());
            assertTrue(last.get(0).endsWith(" 0"), last.toString());

            assertTrue(text(b, "SHOW QUERIES").contains("per_port"));
            assertTrue(text(b, "EXPLAIN per_port").contains("runs on x, not merged"));
            awaitText(b, "SHOW WORKERS", "2 of 2");
            assertEquals("", text(b, "SHOW EVENTS"));
            assertEquals("", text(b, "SELECT * FROM sys.events"));
            assertEquals(text(b, "SHOW QUERIES"), text(b, "SELECT * FROM sys.queries"));
            assertEquals(
                    List.of("x 1"),
                    rows(
                            b,
                            "SELECT nodes, COUNT(*) FROM sys.workers WHERE lost = 0 GROUP BY 1",
                            2));
            assertTrue(text(b, "DESCRIBE sys.workers").contains("packets BIGINT"));
            assertTrue(text(b, "DESCRIBE sys.account").startsWith("worker VARCHAR"));
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
                            "workers",
                            "audit",
                            "query_cost",
                            "loss"),
                    two.sysTables(User.ANYBODY).stream().map(SqlNode.Stream::name).toList());
            awaitText(b, "SELECT worker, stage, lost FROM sys.account", "x query:per_port 0");
            assertTrue(text(b, "EXPLAIN all_nodes").contains("runs on all nodes, merged"));
            assertTrue(failure(b, "SELECT src_addr FROM packets").contains("at the workers"));
            assertTrue(text(b, "SHOW ACCOUNT").contains("x pipeline "));
            assertTrue(failure(b, "DROP QUERY nothing").contains("there is no query"));

            assertEquals(2, rows(a, "SUBSCRIBE all_nodes", 2).size()); // by way of the merge

            wake(a, b, "all_nodes"); // whose rows the merge makes
            wake(a, b, "per_port"); // those of this one the worker itself

            execute(b, "DROP QUERY per_port");
            awaitGone(a, "per_port");
            worker.stop();
            running.join();
            awaitText(a, "SHOW WORKERS", "ended "); // in order: that is no fault
            assertEquals("", text(a, "SHOW EVENTS"));
            merge.close();
            assertEquals(List.of(), failures);
        }
    }

    /**
     * It takes no query's place but its own, and people see it where they look for what is wrong.
     */
    @Test
    void aRecordThatCannotBeReadIsAnEvent() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ClusterNode node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "test");
                WeirServer server = new WeirServer(node, any, WeirServer.IDLE).start();
                Connection connection = DriverManager.getConnection(server.url())) {
            execute(connection, "CREATE QUERY good AS SELECT ts FROM packets");
            assertEquals("", text(connection, "SELECT * FROM sys.events"));
            byte[] none = {-1, 3, 'x'};
            RawRecords.write(KafkaSettings.of(broker.bootstrap()), Topics.CATALOG, "spoiled", none);
            String events = "SELECT event, query, at FROM sys.events WHERE about <> ''";
            awaitText(connection, events, "set aside spoiled record ");
            assertEquals(
                    text(connection, "SHOW EVENTS"), text(connection, "SELECT * FROM sys.events"));
            assertEquals("good", text(connection, "SELECT name FROM sys.queries"));
            execute(connection, "DROP QUERY IF EXISTS spoiled");
            awaitText(connection, "SELECT COUNT(*) AS n FROM sys.events", "0");
        }
    }

    /** One server is told of a query with WHEN, the other tells when it fired. */
    private static void wake(Connection a, Connection b, String upstream) throws Exception {
        execute(
                a,
                "CREATE QUERY woken AS SELECT ts FROM packets WHERE node_id = 'x' WHEN "
                        + upstream
                        + ".n > 0 FOR INTERVAL '1' SECOND");
        String events = "SELECT event, query, about FROM sys.events";
        awaitText(b, events, "wakes woken until 20");
        awaitText(b, events, "Z on worker x, which it woke ");
        execute(a, "DROP QUERY woken");
        awaitGone(b, "woken");
    }

    private Worker worker(EmbeddedBroker broker) {
        Path capture = new PcapFile().random(7, 10_000).write(directory.resolve("capture.pcap"));
        return new Worker(
                WorkerSettings.of(
                        "x",
                        capture,
                        new ReplayOptions(2, true, Optional.empty(), Duration.ZERO),
                        directory.resolve("outbox")),
                KafkaSettings.of(broker.bootstrap()),
                new WorkerListener() {});
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> rows(Connection connection, String sql, int most)
            throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (rows.size() < most && result.next()) {
                StringBuilder row = new StringBuilder();
                for (int c = 1; c <= columns; c++) {
                    row.append(c == 1 ? "" : " ").append(result.getString(c));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    private static String text(Connection connection, String sql) throws SQLException {
        return String.join("\n", rows(connection, sql, Integer.MAX_VALUE));
    }

    private static void awaitText(Connection connection, String sql, String wanted)
            throws Exception {
        Await.until(
                Duration.ofMillis(PATIENCE_MS),
                () -> text(connection, sql).contains(wanted),
                () -> text(connection, sql));
    }

    private static void awaitGone(Connection connection, String name) throws Exception {
        Await.until(
                Duration.ofMillis(PATIENCE_MS),
                () -> !text(connection, "SHOW QUERIES").contains(name),
                () -> "it does not come");
    }

    private static String failure(Connection connection, String sql) {
        return assertThrows(SQLException.class, () -> rows(connection, sql, 1)).getMessage();
    }
}
