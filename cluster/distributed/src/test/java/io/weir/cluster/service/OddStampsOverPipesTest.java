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
import io.weir.operators.memory.Fifo;
import io.weir.testing.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live packets of two workers: one of each comes stamped a day ahead, and each tenth is 5 s old.
 * Merged windows go on, and say what they left out; merged totals count all.
 */
@Timeout(300)
class OddStampsOverPipesTest {
    private static final int PACKETS = 160;
    private static final int EVERY_MS = 50;
    private static final int AHEAD = 40;
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final long FIVE_SECONDS_NS = 5_000_000_000L;
    private static final int PCAP_HEADER_BYTES = 24;

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Test
    void windowsGoOnAndTotalsCountAll() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ClusterNode node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "one");
                MergeInstance merge =
                        new MergeInstance(
                                KafkaSettings.of(broker.bootstrap()), node, failures::add);
                WeirServer server = new WeirServer(node, any, WeirServer.IDLE).start();
                Connection connection = DriverManager.getConnection(server.url())) {
            merge.meter(); // it merges beside, and is closed last
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE QUERY total AS SELECT COUNT(*) AS n FROM packets");
                statement.execute(
                        "CREATE QUERY seconds AS SELECT window_end, COUNT(*) AS n, packets_late"
                                + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
                statement.execute(
                        "CREATE QUERY said AS SELECT COUNT(*) AS windows, SUM(n) AS n,"
                                + " SUM(packets_late) AS late FROM seconds");
            }
            List<Thread> running = new ArrayList<>();
            for (String name : List.of("a", "b")) {
                running.add(run(broker, name));
            }
            for (Thread thread : running) {
                thread.join();
            }
            await(connection, "SELECT n FROM total", 2L * PACKETS);
            await(connection, "SELECT n + late FROM said", 2L * PACKETS);
            long late = one(connection, "SELECT late FROM said");
            assertTrue(late >= 2 && late <= 2 * (PACKETS / 10 + 1), late + " left out");
            long windows = one(connection, "SELECT windows FROM said");
            assertTrue(windows >= (long) PACKETS * EVERY_MS / 1_000, windows + " windows");
            assertEquals(List.of(), failures);
        }
    }

    private Thread run(EmbeddedBroker broker, String name) throws IOException {
        Path pipe = Fifo.in(directory, name + ".pipe");
        Fifo.write(pipe, out -> write(out, directory.resolve(name + ".one")));
        Worker worker =
                new Worker(
                        WorkerSettings.of(
                                name,
                                pipe,
                                ReplayOptions.AT_ONCE,
                                directory.resolve("outbox-" + name)),
                        KafkaSettings.of(broker.bootstrap()),
                        new WorkerListener() {});
        Thread thread = new Thread(worker::run, name);
        thread.start();
        return thread;
    }

    private static void write(OutputStream out, Path one) throws IOException, InterruptedException {
        for (int i = 0; i < PACKETS; i++) {
            long oddNs = i == AHEAD ? DAY_NS : i % 10 == 5 ? -FIVE_SECONDS_NS : 0;
            long atNs = System.currentTimeMillis() * 1_000_000 - PcapFile.START_NS + oddNs;
            byte[] bytes =
                    Files.readAllBytes(new PcapFile().udp(atNs, 1 + i % 3, 2, 53, 60).write(one));
            int from = i == 0 ? 0 : PCAP_HEADER_BYTES;
            out.write(bytes, from, bytes.length - from);
            out.flush();
            Thread.sleep(EVERY_MS);
        }
    }

    private static long one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getLong(1) : -1;
        }
    }

    private static void await(Connection connection, String sql, long wanted) {
        Await.until(
                () -> one(connection, sql) == wanted,
                () -> one(connection, sql) + " for " + wanted + ": " + sql);
    }
}
