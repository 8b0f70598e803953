package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.heartbeat.Heartbeats;
import io.weir.cluster.launcher.Cli;
import io.weir.cluster.metrics.MetricsEndpoint;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.server.WeirServer;
import io.weir.cluster.wire.Heartbeat;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.operators.memory.Fifo;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A merge that waits for somebody for over 5 s says so wherever an operator looks. A merge that was
 * started anew makes rows within 15 s, on a machine that has time for it.
 */
@Timeout(300)
class StalledMergeTest {
    private static final int PCAP_HEADER_BYTES = 24;
    private static final Pattern STALLED =
            Pattern.compile("(?m)^weir_merge_stalled_seconds\\S* ([0-9.E]+)$");
    private static final long PATIENCE_MS = 60_000;

    /** Three times as long as the promise: tests run beside others. */
    private static final long BACK_MS = 45_000;

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final LogLines log = LogLines.after("the merge");
    private final List<String> notes = log.texts();

    @AfterEach
    void closeLog() {
        log.close();
    }

    private volatile boolean ends;
    private Connection connection;

    @Test
    void everybodyIsToldWhomItWaitsForAndARestartIsShort() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ClusterNode node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "one");
                WeirServer server = new WeirServer(node, any, WeirServer.IDLE).start();
                Connection opened = DriverManager.getConnection(server.url())) {
            connection = opened;
            execute(
                    "CREATE QUERY seconds AS SELECT window_end, COUNT(*) AS n FROM packets"
                            + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
            Thread worker;
            try (MergeInstance merge =
                    new MergeInstance(KafkaSettings.of(broker.bootstrap()), node, failures::add)) {
                worker = run(broker);
                awaitRows("the first rows", PATIENCE_MS);
                stall(broker, merge, server.url());
            }
            long beganMs = System.currentTimeMillis();
            try (MergeInstance merge =
                    new MergeInstance(KafkaSettings.of(broker.bootstrap()), node, failures::add)) {
                merge.meter(); // it merges beside
                awaitRows("rows after a restart", BACK_MS);
                System.out.println(
                        "merged rows " + (System.currentTimeMillis() - beganMs) + " ms after");
                ends = true;
                worker.join();
            }
            assertEquals(List.of(), failures);
        }
    }

    /** A worker says that windows of it are on their way, and sends none. */
    private void stall(EmbeddedBroker broker, MergeInstance merge, String url) throws Exception {
        try (Heartbeats ghost =
                new Heartbeats(
                                KafkaSettings.of(broker.bootstrap()),
                                "ghost",
                                () -> Heartbeat.newBuilder().setLife("1").setPartialsWaiting(3))
                        .start()) {
            await("a note", () -> notes.stream().anyMatch(n -> n.contains("ghost")));
            await("SHOW EVENTS", () -> text("SHOW EVENTS").matches("(?s).*stalled.*ghost.*"));
            assertTrue(stalledSeconds(merge) >= 5, "the metric says nothing");
            Cli.Result doctor = Cli.run("doctor", "--kafka", broker.bootstrap(), "--url", url);
            assertTrue(doctor.out().matches("(?s).*merge.*ghost.*"), doctor.out() + doctor.err());
            ghost.endsInOrder();
        }
        // The doctor has set up its own log in this process.
        try (LogLines since = LogLines.after("the merge")) {
            await("a note of its end", () -> since.texts().contains(" goes on"));
        }
        awaitRows("rows after the stall", PATIENCE_MS);
    }

    private static double stalledSeconds(MergeInstance merge) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (MetricsEndpoint metrics = new MetricsEndpoint(any, "server")) {
            metrics.add(merge.meter());
            URI uri = URI.create("http://127.0.0.1:" + metrics.port() + "/metrics");
            try (InputStream page = uri.toURL().openStream()) {
                String text = new String(page.readAllBytes(), StandardCharsets.UTF_8);
                Matcher stalled = STALLED.matcher(text);
                assertTrue(stalled.find(), text);
                return Double.parseDouble(stalled.group(1));
            }
        }
    }

    private Thread run(EmbeddedBroker broker) throws IOException {
        Path pipe = Fifo.in(directory, "pipe");
        Fifo.write(pipe, this::write);
        Worker worker =
                new Worker(
                        WorkerSettings.of(
                                "a", pipe, ReplayOptions.AT_ONCE, directory.resolve("outbox")),
                        KafkaSettings.of(broker.bootstrap()),
                        new WorkerListener() {});
        Thread thread = new Thread(worker::run, "a");
        thread.start();
        return thread;
    }

    private void write(OutputStream out) throws IOException, InterruptedException {
        for (int i = 0; !ends; i++) {
            long atNs = System.currentTimeMillis() * 1_000_000 - PcapFile.START_NS;
            Path one = new PcapFile().udp(atNs, 1 + i % 3, 2, 53, 60).write(directory.resolve("p"));
            byte[] bytes = Files.readAllBytes(one);
            int from = i == 0 ? 0 : PCAP_HEADER_BYTES;
            out.write(bytes, from, bytes.length - from);
            out.flush();
            Thread.sleep(50);
        }
    }

    /** Of packets that come after now. */
    private void awaitRows(String what, long mostMs) throws Exception {
        String since = Instant.now().toString();
        String sql = "SELECT window_end FROM seconds";
        Await.until(
                Duration.ofMillis(mostMs),
                () -> text(sql).replace(' ', 'T').compareTo(since) > 0,
                () -> what + ": " + notes + failures);
    }

    private static void await(String what, Callable<Boolean> holds) throws Exception {
        Await.until(Duration.ofMillis(PATIENCE_MS), holds::call, () -> what);
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
}
