package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.node.SourceLine;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.security.User;
import io.weir.cluster.server.WeirServer;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.SocketLibrary;
import io.weir.ingest.wire.dpdk.DpdkCheck;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.memory.Fifo;
import io.weir.testing.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Live sources of the catalogue are opened by the workers of their nodes, over restarts too. */
@Timeout(300)
class CreatedSourcesTest {
    private static final int PCAP_HEADER_BYTES = 24;
    private static final long PATIENCE_MS = 60_000;
    private static final int IP_BYTES = 60;

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final Map<String, Running> workers = new HashMap<>();
    private EmbeddedBroker broker;
    private ClusterNode node;
    private MergeInstance merge;
    private WeirServer server;

    private record Running(Worker worker, Thread thread) {}

    @BeforeEach
    void open() {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "one");
        merge = new MergeInstance(KafkaSettings.of(broker.bootstrap()), node, failures::add);
        server = new WeirServer(node, any, WeirServer.IDLE).start();
    }

    @AfterEach
    void close() throws InterruptedException {
        for (String name : List.copyOf(workers.keySet())) {
            stop(name);
        }
        server.close();
        merge.close();
        node.close();
        broker.close();
        assertEquals(List.of(), failures);
    }

    private void start(String name) {
        start(name, List.of());
    }

    private void start(String name, List<SourceSpec> sources) {
        Worker worker =
                new Worker(
                        new WorkerSettings(
                                name,
                                sources,
                                NodeSettings.DEFAULT,
                                ReplayOptions.AT_ONCE,
                                directory.resolve("outbox-" + name),
                                Outbox.LEAST_BYTES,
                                false),
                        KafkaSettings.of(broker.bootstrap()),
                        new WorkerListener() {});
        Thread thread = new Thread(worker::run, name);
        thread.setUncaughtExceptionHandler((which, why) -> failures.add(why));
        thread.start();
        workers.put(name, new Running(worker, thread));
    }

    private void stop(String name) throws InterruptedException {
        Running running = workers.remove(name);
        running.worker().stop();
        running.thread().join();
    }

    private void run(String sql) {
        Answer.Change change = (Answer.Change) node.session(User.ANYBODY).prepare(sql);
        var unused = change.action().get();
    }

    private Map<String, String> source(String name) {
        Answer.Texts shown = (Answer.Texts) node.session(User.ANYBODY).prepare("SHOW SOURCES");
        for (List<String> row : shown.rows().get()) {
            if (row.get(0).equals(name)) {
                Map<String, String> cells = new HashMap<>();
                for (int i = 0; i < row.size(); i++) {
                    cells.put(SourceLine.HEADINGS.get(i), row.get(i));
                }
                return cells;
            }
        }
        return Map.of();
    }

    private static void await(Callable<Boolean> wanted, Callable<Object> found) throws Exception {
        Await.until(Duration.ofMillis(PATIENCE_MS), wanted::call, found);
    }

    private void awaitState(String name, String state) throws Exception {
        await(() -> state.equals(source(name).get("state")), () -> source(name));
    }

    private void awaitPackets(String name, int packets) throws Exception {
        await(() -> (packets + "").equals(source(name).get("packets")), () -> source(name));
    }

    /** A pipe that is open as long as it is written to. */
    private final class Tap implements AutoCloseable {
        private final Path pipe;
        private OutputStream out;

        Tap(String name) {
            pipe = Fifo.in(directory, name);
        }

        String uri() {
            return "pcap:" + pipe + "?live=true";
        }

        void write(int packets) throws Exception {
            int from = out == null ? 0 : PCAP_HEADER_BYTES;
            out = out == null ? Files.newOutputStream(pipe) : out;
            for (int i = 0; i < packets; i++) {
                long atNs = System.currentTimeMillis() * 1_000_000 - PcapFile.START_NS;
                PcapFile one = new PcapFile().udp(atNs, 1 + i % 3, 2, 53, IP_BYTES);
                byte[] bytes = Files.readAllBytes(one.write(directory.resolve("one")));
                out.write(bytes, from, bytes.length - from);
                from = PCAP_HEADER_BYTES;
                Thread.sleep(5);
            }
        }

        void end() throws IOException {
            if (out != null) {
                out.close();
                out = null;
            }
        }

        @Override
        public void close() throws IOException {
            end();
        }
    }

    private long one(String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getLong(1) : -1;
        }
    }

    @Test
    void theWorkerOfItsNodeOpensIt() throws Exception {
        run("CREATE QUERY total AS SELECT COUNT(*) AS n FROM packets");
        try (Tap first = new Tap("first");
                Tap second = new Tap("second")) {
            run("CREATE SOURCE x WITH (uri = '" + first.uri() + "', node = 'a')");
            assertEquals("waiting", source("x").get("state"));
            assertEquals("no worker has the node a", source("x").get("last_error"));
            start("a");
            start("b");
            first.write(30);
            awaitState("x", "running");
            awaitPackets("x", 30);
            run("CREATE SOURCE y WITH (uri = '" + second.uri() + "', node = 'b')");
            second.write(20);
            awaitPackets("y", 20);
            assertEquals("a", source("x").get("node"));
            assertEquals(second.uri(), source("y").get("uri"));
            assertEquals("b", source("y").get("node"));
            assertEquals(20, one("SELECT packets FROM sys.sources WHERE name = 'y'"));
            await(() -> one("SELECT n FROM total") == 50, () -> one("SELECT n FROM total"));

            run("DROP SOURCE y");
            await(() -> source("y").isEmpty(), () -> source("y"));
            assertEquals("running", source("x").get("state"));

            first.end();
            stop("a");
            assertTrue(source("x").get("last_error").startsWith("worker a ended"), "x");
            start("a");
            first.write(7);
            awaitPackets("x", 7);
            await(() -> one("SELECT n FROM total") == 57, () -> one("SELECT n FROM total"));
        }
    }

    /** Workers whose own sources are an interface and a device. */
    @Test
    void workersReadInterfacesAndDevices() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        Assumptions.assumeTrue(SocketLibrary.isLoaded() && DpdkCheck.isLoaded(), "no library");
        Path file = new PcapFile().udp(0, 1, 2, 77, IP_BYTES).write(directory.resolve("device"));
        String device = "dpdk:net_pcap7?infinite_rx=1&rx_pcap=" + file;
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            run(
                    "CREATE QUERY lo AS SELECT COUNT(*) AS n FROM packets WHERE dst_port = "
                            + socket.getLocalPort());
            run("CREATE QUERY device AS SELECT COUNT(*) AS n FROM packets WHERE dst_port = 77");
            start("a", Sources.parse("afpacket:lo", "a"));
            start("b", Sources.parse(device, "b"));
            await(() -> shown("state").equals(List.of("running", "running")), () -> shown("state"));
            for (int i = 0; i < 200; i++) {
                socket.send(new DatagramPacket(new byte[40], 40, socket.getLocalSocketAddress()));
            }
            await(() -> one("SELECT n FROM lo") == 200, () -> one("SELECT n FROM lo"));
            await(() -> one("SELECT n FROM device") > 1000, () -> one("SELECT n FROM device"));
            assertEquals(List.of("a", "b"), shown("node").stream().sorted().toList());
        }
    }

    private List<String> shown(String column) {
        Answer.Texts shown = (Answer.Texts) node.session(User.ANYBODY).prepare("SHOW SOURCES");
        int place = SourceLine.HEADINGS.indexOf(column);
        return shown.rows().get().stream().map(row -> row.get(place)).toList();
    }

    @Test
    void aSourceThatCannotBeOpenedEndsNothing() throws Exception {
        start("a");
        run("CREATE SOURCE gone WITH (uri = 'pcap:/nowhere?live=true', node = 'a')");
        awaitState("gone", "failed");
        assertTrue(source("gone").get("last_error").contains("/nowhere"), "" + source("gone"));
        run("CREATE SOURCE slow WITH (uri = 'afpacket:lo', node = 'a', lateness = '5m')");
        awaitState("slow", "failed");
        assertTrue(source("slow").get("last_error").contains("lateness"), "" + source("slow"));
        run("DROP SOURCE gone");
        run("DROP SOURCE slow");
        await(() -> source("gone").isEmpty() && source("slow").isEmpty(), () -> source("gone"));
        try (Tap tap = new Tap("tap")) {
            run("CREATE SOURCE gone WITH (uri = '" + tap.uri() + "', node = 'a')");
            tap.write(3);
            awaitPackets("gone", 3);
        }
    }

    @Test
    void wrongOnesAreErrorsOfTheStatement() {
        run("CREATE SOURCE x WITH (uri = 'afpacket:lo', node = 'a')");
        assertFails("there is a source x", "CREATE SOURCE x WITH (uri = 'afpacket:lo', node='a')");
        assertFails("has no node", "CREATE SOURCE y WITH (uri = 'afpacket:lo')");
        assertFails("is finite", "CREATE SOURCE y WITH (uri = 'pcap:a.pcap', node = 'a')");
        assertFails("there is no source", "CREATE SOURCE y WITH (uri = 'tap:a', node = 'a')");
        assertFails("there is no source y", "DROP SOURCE y");
        run("DROP SOURCE IF EXISTS y");
        run("DROP SOURCE x");
        assertEquals(Map.of(), source("x"));
    }

    private void assertFails(String part, String sql) {
        WeirException why = assertThrows(WeirException.class, () -> run(sql));
        assertEquals(ErrorCode.INVALID_OPTION, why.code());
        assertTrue(why.getMessage().contains(part), why.getMessage());
    }
}
