package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The four steps of Edison's chase of a packet loss, as docs/QUERIES.md prints them: two workers
 * see the two nodes, and rows of one wake queries of the other.
 */
@Timeout(300)
final class ChaseOverWorkersTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "QUERIES.md");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SEGMENT = 500;
    private static final int SECONDS = 40;
    private static final int LOSS_FROM = 3;
    private static final double SPEED = 2;

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** The sender repeats every fourth segment of host 2, and none of host 3. */
    private static PcapFile seen(boolean atSender) {
        PcapFile file = new PcapFile();
        long seq = 1;
        for (int i = 0; i < SECONDS * 100; i++) {
            long atNs = i * 10_000_000L;
            boolean isLost = i >= LOSS_FROM * 100 && i % 4 == 0;
            if (atSender || !isLost) {
                file.segment(atNs, 0x0a000001, 0x0a000002, seq, i, SEGMENT);
            }
            if (isLost) {
                file.segment(atNs + 1_000_000, 0x0a000001, 0x0a000002, seq, i, SEGMENT);
            }
            file.segment(atNs + 2_000_000, 0x0a000001, 0x0a000003, seq, i, SEGMENT);
            seq += SEGMENT;
        }
        return file;
    }

    /** Returns the page's statements of the chase. */
    private static List<String> statements() throws Exception {
        String page = Files.readString(PAGE);
        String part = page.substring(page.indexOf("### The chase of a packet loss on two workers"));
        String sql = part.substring(part.indexOf("```sql\n") + 7);
        return List.of(sql.substring(0, sql.indexOf("```")).trim().split(";\\s*"));
    }

    private Thread start(EmbeddedBroker broker, String node, PcapFile packets, Instant begin)
            throws Exception {
        Path capture = packets.write(directory.resolve(node + ".pcap"));
        ReplayOptions replay =
                new ReplayOptions(SPEED, false, Optional.of(begin), Duration.ofSeconds(60));
        Worker worker =
                new Worker(
                        WorkerSettings.of(
                                node, capture, replay, directory.resolve("outbox-" + node)),
                        KafkaSettings.of(broker.bootstrap()),
                        new WorkerListener() {});
        Thread thread = new Thread(worker::run, node);
        thread.start();
        return thread;
    }

    @Test
    @SuppressWarnings("try") // the merge only has to run
    void eachStepWakesTheNextOnTheOtherWorker() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ClusterNode node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "test");
                MergeInstance merge =
                        new MergeInstance(
                                KafkaSettings.of(broker.bootstrap()), node, failures::add);
                WeirServer server = new WeirServer(node, any, WeirServer.IDLE).start();
                Connection connection = DriverManager.getConnection(server.url())) {
            for (String sql : statements()) {
                execute(connection, sql);
            }
            Instant begin = Instant.now().plusSeconds(12);
            Thread one = start(broker, "tap1", seen(true), begin);
            Thread two = start(broker, "tap2", seen(false), begin);
            awaitText(connection, "SHOW EVENTS", "wakes q4");
            awaitText(connection, "SHOW BINDINGS", "dst_addr = 10.0.0.2");
            one.join();
            two.join();
            String events = text(connection, "SHOW EVENTS");
            for (String step : List.of("q2 ", "q3 ", "q4 ", "resent ")) {
                assertTrue(events.contains("wakes " + step), events);
            }
            assertTrue(events.lines().filter(line -> line.contains("wakes q2")).count() == 1);
            assertEquals(
                    String.valueOf(SECONDS * 100 - 1), text(connection, "SELECT tcp_win FROM q4"));
            String hosts = text(connection, "SELECT dst_addr, lost FROM resent");
            assertTrue(hosts.startsWith("10.0.0.2 "), hosts);
            assertEquals(1, hosts.lines().count(), hosts);
            assertEquals(List.of(), failures);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int c = 1; c <= columns; c++) {
                    row.append(c == 1 ? "" : " ").append(result.getString(c));
                }
                rows.add(row.toString());
            }
        }
        return String.join("\n", rows);
    }

    private static void awaitText(Connection connection, String sql, String wanted)
            throws Exception {
        Await.until(
                PATIENCE,
                () -> text(connection, sql).contains(wanted),
                () -> text(connection, sql));
    }
}
