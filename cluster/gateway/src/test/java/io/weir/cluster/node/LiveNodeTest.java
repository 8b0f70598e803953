package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.server.WeirServer;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.memory.Fifo;
import io.weir.testing.Await;
import java.io.IOException;
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
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions over a pipe: one engine, to which statements attach. Over JDBC, as clients see it. */
@Timeout(180)
class LiveNodeTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final String COUNTS =
            "SELECT NANOSECONDS(window_start) AS w, COUNT(*) AS n, packets_lost, is_partial"
                    + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";

    @TempDir private Path folder;

    private final long seed = Long.getLong("weir.seed", 9);
    private final NavigableMap<Long, Long> windows = new TreeMap<>();
    private final CountDownLatch second = new CountDownLatch(1);

    /** A server over a pipe. */
    private record Served(EmbeddedNode node, WeirServer server) implements AutoCloseable {
        static Served of(SourceSpec source, Shape shape) {
            EmbeddedNode node =
                    new EmbeddedNode(NodeSettings.DEFAULT.withShape(shape), List.of(source));
            node.open();
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            return new Served(node, new WeirServer(node, any, WeirServer.IDLE).start());
        }

        Connection connect() throws SQLException {
            return DriverManager.getConnection(server.url());
        }

        @Override
        public void close() {
            server.close();
            node.close();
        }
    }

    /** Twenty seconds of packets, in order. */
    private byte[] capture() throws IOException {
        Random random = new Random(seed);
        PcapFile capture = new PcapFile();
        for (long atNs = 0; atNs < 20 * SECOND_NS; atNs += 1 + random.nextInt(2_000_000)) {
            int source = 0x0a000000 + random.nextInt(50);
            capture.udp(atNs, source, 0x0a010000 + random.nextInt(50), random.nextInt(9), 60);
            long second = Math.floorDiv(PcapFile.START_NS + atNs, SECOND_NS);
            windows.merge(second * SECOND_NS, 1L, Long::sum);
        }
        return Files.readAllBytes(capture.write(folder.resolve("written.pcap")));
    }

    /** Half of it waits for the second statement. */
    private Path pipe(byte[] bytes) {
        Path fifo = Fifo.in(folder, "pipe");
        Fifo.write(
                fifo,
                out -> {
                    out.write(bytes, 0, bytes.length / 2);
                    out.flush();
                    second.await();
                    out.write(bytes, bytes.length / 2, bytes.length - bytes.length / 2);
                });
        return fifo;
    }

    private record Row(long window, long packets, long lost, boolean partial) {}

    private static List<Row> rows(Connection connection, String sql, Runnable afterFirst)
            throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(
                        new Row(
                                result.getLong(1),
                                result.getLong(2),
                                result.getLong(3),
                                result.getBoolean(4)));
                afterFirst.run();
            }
        }
        return rows;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void statementsShareThePacketsOfAPipe() throws Exception {
        Path fifo = pipe(capture());
        try (Served served = Served.of(SourceSpec.pcap("local", fifo), new Shape(1, 2));
                Connection one = served.connect();
                Connection two = served.connect()) {
            CountDownLatch begun = new CountDownLatch(1);
            CompletableFuture<List<Row>> first =
                    CompletableFuture.supplyAsync(() -> unchecked(one, begun::countDown));
            begun.await();
            CompletableFuture<List<Row>> later =
                    CompletableFuture.supplyAsync(() -> unchecked(two, () -> {}));
            Await.until(() -> served.node().isRunning(2));
            second.countDown();
            List<Row> all = first.get();
            assertEquals(windows.size(), all.size());
            all.forEach(row -> assertEquals(windows.get(row.window()), row.packets(), row + ""));
            assertTrue(all.stream().allMatch(row -> row.lost() == 0));
            List<Row> half = later.get();
            assertTrue(half.size() > 5 && half.size() < windows.size(), half.size() + " windows");
            for (Row row : half) {
                long offered = windows.get(row.window());
                assertTrue(row.partial() || row.packets() == offered, row + "");
                assertTrue(row.packets() <= offered, row + "");
            }
            assertThrows(SQLException.class, () -> rows(one, COUNTS, () -> {}));
        }
    }

    private static List<Row> unchecked(Connection connection, Runnable afterFirst) {
        try {
            return rows(connection, COUNTS, afterFirst);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void queriesRunFromCreateToDrop() throws Exception {
        Path fifo = pipe(capture());
        try (Served served = Served.of(SourceSpec.pcap("local", fifo), Shape.ONE);
                Connection one = served.connect();
                Connection two = served.connect()) {
            execute(one, "CREATE QUERY seconds AS " + COUNTS);
            execute(
                    one,
                    "CREATE QUERY hosts AS SELECT src_addr, COUNT(*) AS n FROM packets"
                            + " GROUP BY src_addr");
            // Half of the packets are read for this; it waits for the first window.
            long firstSeen =
                    rows(two, "SELECT w, n, packets_lost, is_partial FROM seconds", () -> {})
                            .get(0)
                            .window();
            assertTrue(windows.containsKey(firstSeen));
            CompletableFuture<Long> drained =
                    CompletableFuture.supplyAsync(() -> packets(two, "SUBSCRIBE seconds"));
            Await.until(() -> served.node().isRunning(1));
            second.countDown();
            assertTrue(drained.get() > 0);
            // The packets have ended; what was created keeps its last rows.
            long packets = windows.values().stream().mapToLong(Long::longValue).sum();
            assertEquals(packets, packets(two, "SELECT n, n, n, false FROM hosts"));
            List<Row> last =
                    rows(two, "SELECT w, n, packets_lost, is_partial FROM seconds", () -> {});
            assertEquals(windows.lastKey(), last.get(last.size() - 1).window());
            assertTrue(account(one).contains("capture|" + packets));
            execute(one, "DROP QUERY hosts");
            assertThrows(SQLException.class, () -> rows(two, "SELECT n FROM hosts", () -> {}));
        }
    }

    private static long packets(Connection connection, String sql) {
        try {
            return rows(connection, sql, () -> {}).stream().mapToLong(Row::packets).sum();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static String account(Connection connection) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SHOW ACCOUNT")) {
            while (result.next()) {
                text.append(result.getString(1)).append('|').append(result.getLong(2)).append('\n');
            }
        }
        return text.toString();
    }

    /** A pipe whose writer never comes does not hold the end of the process. */
    @Test
    void aServerOverAPipeWithoutAWriterEnds() throws Exception {
        Path fifo = Fifo.in(folder, "silent");
        for (String live : List.of("false", "true")) {
            SourceSpec source = SourceSpec.pcap("local", fifo).with("live", live);
            try (Served served = Served.of(source, Shape.ONE);
                    Connection one = served.connect();
                    Statement statement = one.createStatement()) {
                CompletableFuture<Void> running =
                        CompletableFuture.runAsync(
                                () -> {
                                    try (ResultSet rows = statement.executeQuery(COUNTS)) {
                                        rows.next();
                                    } catch (SQLException e) {
                                        return; // cancelled
                                    }
                                });
                Await.until(() -> served.node().isRunning(1));
                statement.cancel();
                running.get();
            }
        }
    }
}
