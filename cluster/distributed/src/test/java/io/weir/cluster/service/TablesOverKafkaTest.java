package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.PcapFile;
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
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queries over totals in a cluster: what workers, the merge and a server's SELECT make of them. */
@Timeout(300)
class TablesOverKafkaTest {
    private static final int PACKETS = 5_000;

    private static final String[] CREATES = {
        "CREATE QUERY tot AS SELECT dst_port, COUNT(*) AS n FROM packets GROUP BY dst_port",
        "CREATE QUERY hidden AS SELECT COUNT(*) AS n FROM packets GROUP BY dst_port, src_addr",
        "CREATE QUERY hosts AS SELECT DISTINCT src_addr FROM packets",
        "CREATE QUERY flow AS SELECT src_addr, dst_port, packets FROM flows",
        "CREATE QUERY here AS SELECT dst_port, COUNT(*) AS n FROM packets WHERE node_id = 'a'"
                + " GROUP BY dst_port",
        "CREATE QUERY low AS SELECT dst_port AS p, n FROM tot WHERE dst_port < 5",
        "CREATE QUERY sums AS SELECT SUM(n) AS s, COUNT(*) AS ports FROM tot",
        "CREATE QUERY sums_here AS SELECT SUM(n) AS s FROM here",
        "CREATE QUERY host_count AS SELECT COUNT(*) AS n FROM hosts"
    };

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private Connection connection;

    @Test
    void theNewestRowOfEachGroupCounts() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ClusterNode node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "one");
                MergeInstance merge =
                        new MergeInstance(
                                KafkaSettings.of(broker.bootstrap()), node, failures::add);
                WeirServer server = new WeirServer(node, any, WeirServer.IDLE).start();
                Connection opened = DriverManager.getConnection(server.url())) {
            connection = opened;
            merge.meter(); // it merges beside, and is closed last
            for (String create : CREATES) {
                execute(create);
            }
            List<Thread> running = new ArrayList<>();
            for (String name : List.of("a", "b")) {
                Worker worker = worker(broker, name);
                Thread thread = new Thread(worker::run, name);
                thread.start();
                running.add(thread);
            }
            check();
            for (Thread thread : running) {
                thread.join();
            }
            assertEquals(List.of(), failures);
        }
    }

    private void check() throws Exception {
        long all = 2L * PACKETS;
        Map<String, String> wanted = new TreeMap<>();
        wanted.put("SELECT SUM(n) AS s FROM tot", "" + all);
        wanted.put("SELECT SUM(n) AS s FROM hidden", "" + all);
        wanted.put("SELECT COUNT(*) AS n FROM hosts", "50");
        wanted.put("SELECT SUM(packets) AS n FROM flow", "" + all);
        wanted.put("SELECT SUM(n) AS s FROM low", "" + all);
        wanted.put("SELECT SUM(n) AS s FROM here", "" + PACKETS);
        wanted.put("SELECT s, ports FROM sums", all + " 5");
        wanted.put("SELECT s FROM sums_here", "" + PACKETS);
        wanted.put("SELECT n FROM host_count", "50");
        wanted.put("SELECT SUM(n) AS s FROM (SELECT n FROM tot WHERE dst_port < 5) AS x", "" + all);
        wanted.put("WITH x AS (SELECT n FROM low) SELECT COUNT(*) AS c FROM x WHERE n > 0", "5");
        wanted.put(
                "SELECT COUNT(*) AS n FROM (SELECT src_addr FROM hosts UNION ALL SELECT src_addr"
                        + " FROM hosts) AS u",
                "100");
        wanted.put(
                "SELECT SUM(x) AS s FROM (SELECT a.n + b.n AS x FROM tot AS a JOIN low AS b ON"
                        + " a.dst_port = b.p) AS j",
                "" + 2 * all);
        for (Map.Entry<String, String> one : wanted.entrySet()) {
            await(one.getKey(), one.getValue());
        }
    }

    private Worker worker(EmbeddedBroker broker, String name) {
        Path capture =
                new PcapFile()
                        .random(name.charAt(0), PACKETS)
                        .write(directory.resolve(name + ".pcap"));
        Duration forQuery = Duration.ofSeconds(60);
        return new Worker(
                WorkerSettings.of(
                        name,
                        capture,
                        new ReplayOptions(4, false, Optional.empty(), forQuery),
                        directory.resolve("outbox-" + name)),
                KafkaSettings.of(broker.bootstrap()),
                new WorkerListener() {});
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String sql) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                for (int c = 1; c <= result.getMetaData().getColumnCount(); c++) {
                    text.append(result.getString(c)).append(' ');
                }
            }
        }
        return text.toString().strip();
    }

    private void await(String sql, String wanted) {
        Await.until(() -> text(sql).equals(wanted), () -> sql + " has " + text(sql));
    }
}
