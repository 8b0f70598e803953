package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.alert.AlertmanagerSink;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.demo.Processes;
import io.weir.cluster.faults.Shell;
import io.weir.cluster.format.FakeRegistry;
import io.weir.cluster.format.RowFormat;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.launcher.Cli;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.sink.Fanout;
import io.weir.cluster.sink.OutputSink;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.Fifo;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.testing.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What takes rows accepts connections and never answers: packets are counted on, while it is so.
 * Packets come by a pipe, as live ones do, in portions that the test hands out.
 */
@Timeout(300)
class HangingSinksTest {
    private static final int PCAP_HEADER_BYTES = 24;
    private static final int SECONDS = 60;
    private static final int PACKETS_A_SECOND = 1_000;
    private static final int HOSTS = 7;
    private static final long PATIENCE_MS = 120_000;

    /** Made on the worker. */
    private static final String HERE =
            "SELECT window_end, src_addr, COUNT(*) AS n FROM packets WHERE node_id = 'a'"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr";

    /** Goes to the merge. */
    private static final String EVERYWHERE =
            "SELECT window_end, COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";

    @TempDir private Path directory;
    private final SynchronousQueue<byte[]> portions = new SynchronousQueue<>();

    /** Each packet is a record of the same length: so portions are cut. */
    private byte[] capture() throws IOException {
        PcapFile packets = new PcapFile();
        for (int p = 0; p < SECONDS * PACKETS_A_SECOND; p++) {
            packets.udp(p * 1_000_000L, 1 + p % HOSTS, 2, 53, SECONDS);
        }
        return Files.readAllBytes(packets.write(directory.resolve("capture.pcap")));
    }

    /** The header goes before the first. */
    private static byte[] seconds(byte[] capture, int from, int to) {
        int secondBytes = (capture.length - PCAP_HEADER_BYTES) / SECONDS;
        int begin = from == 0 ? 0 : PCAP_HEADER_BYTES + from * secondBytes;
        return Arrays.copyOfRange(capture, begin, PCAP_HEADER_BYTES + to * secondBytes);
    }

    private Path pipe() {
        Path pipe = Fifo.in(directory, "pipe");
        Fifo.write(
                pipe,
                out -> {
                    for (byte[] next = portions.take(); next.length > 0; next = portions.take()) {
                        write(out, next);
                    }
                });
        return pipe;
    }

    private static void write(OutputStream out, byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    private void hand(byte[] portion) throws InterruptedException {
        assertTrue(portions.offer(portion, PATIENCE_MS, TimeUnit.MILLISECONDS), "nobody reads");
    }

    private Worker worker(Path pipe, KafkaSettings kafka, OutputSink beside) {
        WorkerSettings settings =
                WorkerSettings.of("a", pipe, ReplayOptions.AT_ONCE, directory.resolve("outbox"));
        return new Worker(settings, kafka, new WorkerListener() {}, beside);
    }

    private static FutureTask<List<Stage.Snapshot>> started(Worker worker) {
        FutureTask<List<Stage.Snapshot>> account = new FutureTask<>(worker::run);
        new Thread(account, "worker").start();
        return account;
    }

    private static void create(KafkaSettings kafka, String name, String select) {
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            String sql = "CREATE QUERY " + name + " AS " + select;
            var create = (Statement.CreateQuery) new SqlFrontend(catalog).parse(sql).get(0);
            catalog.create(create.query(), false);
        }
    }

    private static Stage.Snapshot stage(Worker worker, String name) {
        return worker.account().snapshot().stream()
                .filter(stage -> stage.stage().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void await(String what, BooleanSupplier is) throws InterruptedException {
        Await.until(Duration.ofMillis(PATIENCE_MS), is::getAsBoolean, () -> what);
    }

    /** All of the packets are read, and rows of most of them made. */
    private static void awaitCounted(Worker worker, String rows, long least)
            throws InterruptedException {
        await(
                "packets wait",
                () ->
                        stage(worker, "capture").processed() == SECONDS * PACKETS_A_SECOND
                                && stage(worker, rows).offered() >= least);
    }

    private static void assertNothingLost(List<Stage.Snapshot> account) {
        for (Stage.Snapshot stage : account) {
            assertTrue(stage.isBalanced(), stage.toString());
            assertEquals(0, stage.lostInAll(), stage.toString());
            if (stage.stage().equals("cache")) {
                assertEquals(SECONDS * PACKETS_A_SECOND, stage.processed());
            }
        }
    }

    /** Of one process, from the whole capture. */
    private List<String> rowsOfOneRun() {
        Path file = directory.resolve("capture.pcap");
        String sql = "CREATE QUERY here AS " + HERE;
        Cli.Result run = Cli.run("run", "-e", sql, "--format", "json", "--pcap", "a=" + file);
        return run.out().lines().map(l -> l.replace("\"query\":\"here\",", "")).sorted().toList();
    }

    /** A broker's process is frozen: the machine goes on taking connections for it. */
    @Test
    void kafkaThatNeverAnswersKeepsNoPacket() throws Exception {
        byte[] capture = capture();
        try (Processes processes = new Processes(directory)) {
            int port = EmbeddedBroker.freePort();
            Processes.Started broker = broker(processes, port);
            KafkaSettings kafka = KafkaSettings.of("127.0.0.1:" + port);
            create(kafka, "here", HERE);
            create(kafka, "everywhere", EVERYWHERE);
            Worker worker = worker(pipe(), kafka, new Fanout(List.of()));
            FutureTask<List<Stage.Snapshot>> running = started(worker);
            hand(seconds(capture, 0, 10));
            ResultRows.await(kafka, "here", rows -> rows.size() >= HOSTS);
            Shell.signal("STOP", broker.process().pid());
            long sent;
            try {
                hand(seconds(capture, 10, SECONDS));
                awaitCounted(worker, "outbox rows", HOSTS * 50);
                awaitCounted(worker, "outbox partials", 50);
                sent = stage(worker, "outbox rows").processed();
            } finally {
                Shell.signal("CONT", broker.process().pid());
            }
            assertTrue(sent <= HOSTS * 10, "Kafka has answered: " + sent);
            hand(new byte[0]);
            assertNothingLost(running.get());
            assertEquals(rowsOfOneRun(), ResultRows.all(kafka, "here").stream().sorted().toList());
        }
    }

    private Processes.Started broker(Processes processes, int port) throws InterruptedException {
        Processes.Started broker =
                processes.start(
                        "broker",
                        List.of("-Xmx256m", Processes.QUICK_COMPILER),
                        "broker",
                        "--port",
                        Integer.toString(port),
                        "--directory",
                        directory.resolve("kafka").toString());
        broker.await("listens on");
        return broker;
    }

    /** Asked for the schema of a query that comes while packets pass. */
    @Test
    void aRegistryThatNeverAnswersKeepsOnlyItsQuery() throws Exception {
        byte[] capture = capture();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                FakeRegistry registry = new FakeRegistry()) {
            create(KafkaSettings.of(broker.bootstrap()), "here", HERE);
            RowFormats avro = new RowFormats(RowFormat.AVRO, Optional.empty(), registry.client());
            Worker worker =
                    worker(
                            pipe(),
                            KafkaSettings.of(broker.bootstrap()).with(avro),
                            new Fanout(List.of()));
            FutureTask<List<Stage.Snapshot>> running = started(worker);
            hand(seconds(capture, 0, 10));
            ResultRows.await(
                    KafkaSettings.of(broker.bootstrap()), "here", rows -> rows.size() >= HOSTS);
            registry.first(
                    () -> {
                        asked.countDown();
                        awaitQuietly(answer);
                    });
            create(KafkaSettings.of(broker.bootstrap()), "late", HERE);
            assertTrue(asked.await(PATIENCE_MS, TimeUnit.MILLISECONDS), "nobody asks the registry");
            hand(seconds(capture, 10, 40));
            ResultRows.await(
                    KafkaSettings.of(broker.bootstrap()),
                    "here",
                    rows -> rows.size() >= HOSTS * 30);
            assertEquals(1, answer.getCount());
            assertEquals(List.of(), ResultRows.all(KafkaSettings.of(broker.bootstrap()), "late"));
            answer.countDown();
            await("late is not counted", () -> hasStage(worker, "query:late"));
            hand(seconds(capture, 40, SECONDS));
            hand(new byte[0]);
            assertNothingLost(running.get());
            assertEquals(
                    HOSTS * SECONDS,
                    ResultRows.all(KafkaSettings.of(broker.bootstrap()), "here").size());
            assertFalse(ResultRows.all(KafkaSettings.of(broker.bootstrap()), "late").isEmpty());
        } finally {
            answer.countDown();
        }
    }

    private static boolean hasStage(Worker worker, String name) {
        return worker.account().snapshot().stream().anyMatch(stage -> stage.stage().equals(name));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nobody ever reads what is posted to it; its own rows are lost, and counted. */
    @Test
    void anAlertmanagerThatNeverAnswersKeepsNoPacketAndNoRow() throws Exception {
        byte[] capture = capture();
        Account account = new Account();
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            create(KafkaSettings.of(broker.bootstrap()), "here", HERE);
            AlertmanagerSink alerts =
                    new AlertmanagerSink(
                            URI.create("http://127.0.0.1:" + silent.getLocalPort()),
                            Duration.ofMinutes(5),
                            Map.of(),
                            5,
                            InstantSource.system(),
                            account.stage("alerts"));
            Worker worker = worker(pipe(), KafkaSettings.of(broker.bootstrap()), alerts);
            FutureTask<List<Stage.Snapshot>> running = started(worker);
            hand(capture);
            hand(new byte[0]);
            assertNothingLost(running.get());
            assertEquals(
                    rowsOfOneRun(),
                    ResultRows.all(KafkaSettings.of(broker.bootstrap()), "here").stream()
                            .sorted()
                            .toList());
            Thread.currentThread().interrupt(); // or it would wait for the last ones
            alerts.close();
            assertTrue(Thread.interrupted());
        }
        Stage.Snapshot rows = account.snapshot().get(0);
        assertTrue(rows.isBalanced(), rows.toString());
        assertEquals(HOSTS * SECONDS, rows.lostInAll(), rows.toString());
        assertTrue(rows.lost().get("queue_full") > 0, rows.toString());
    }
}
