package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.launcher.Cli;
import io.weir.cluster.node.PcapFile;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.Fifo;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.testing.LogLines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tcpdump -w - | weir worker --pcap -}. */
@Timeout(300)
class PipedWorkerTest {
    private static final int PCAP_HEADER_BYTES = 24;
    private static final int PACKETS = 100;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final String PER_SECOND =
            "CREATE QUERY per_second AS SELECT window_start, node_id, src_addr, COUNT(*) AS n FROM"
                    + " packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), node_id, src_addr";
    private static final Pattern COUNT = Pattern.compile("\"n\":(\\d+)");

    @TempDir private Path directory;
    private EmbeddedBroker broker;
    private KafkaSettings kafka;
    private final List<LogLines> logs = new ArrayList<>();

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        kafka = KafkaSettings.of(broker.bootstrap());
        try (KafkaCatalog catalog = KafkaCatalog.open(kafka, "test")) {
            var create = (Statement.CreateQuery) new SqlFrontend(catalog).parse(PER_SECOND).get(0);
            catalog.create(create.query(), false);
        }
    }

    @AfterEach
    void stop() {
        logs.forEach(LogLines::close);
        broker.close();
    }

    private Worker worker(Path pipe, CountDownLatch reading) {
        WorkerSettings settings =
                WorkerSettings.of("a", pipe, ReplayOptions.AT_ONCE, directory.resolve("outbox"));
        logs.add(LogLines.after("worker a: packets are counted as ", t -> reading.countDown()));
        return new Worker(settings, kafka, new WorkerListener() {});
    }

    private static FutureTask<List<Stage.Snapshot>> started(Worker worker) {
        FutureTask<List<Stage.Snapshot>> account = new FutureTask<>(worker::run);
        new Thread(account, "worker").start();
        return account;
    }

    private static long counted(List<String> rows) {
        long sum = 0;
        for (String row : rows) {
            Matcher count = COUNT.matcher(row);
            assertTrue(count.find(), row);
            sum += Long.parseLong(count.group(1));
        }
        return sum;
    }

    /** Packets as tcpdump sees them: their times are those at which they are written. */
    private void write(OutputStream out, int packets, boolean first) throws IOException {
        for (int i = 0; i < packets; i++) {
            long nowNs = System.currentTimeMillis() * 1_000_000 - PcapFile.START_NS;
            Path one =
                    new PcapFile().udp(nowNs, 1 + i % 3, 2, 53, 60).write(directory.resolve("one"));
            byte[] bytes = Files.readAllBytes(one);
            int from = first && i == 0 ? 0 : PCAP_HEADER_BYTES;
            out.write(bytes, from, bytes.length - from);
        }
    }

    /** No later packet ends the last window, but the clock. */
    @Test
    void aSilentPipesWindowsEndWithTheClock() throws Exception {
        Path pipe = Fifo.in(directory, "pipe");
        CountDownLatch seen = new CountDownLatch(1);
        Fifo.write(
                pipe,
                out -> {
                    write(out, PACKETS, true);
                    seen.await();
                    write(out, PACKETS, false);
                });
        FutureTask<List<Stage.Snapshot>> running = started(worker(pipe, new CountDownLatch(1)));
        ResultRows.await(kafka, "per_second", rows -> counted(rows) == PACKETS);
        seen.countDown();
        List<Stage.Snapshot> account = running.get();
        assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
        assertEquals(2 * PACKETS, counted(ResultRows.all(kafka, "per_second")));
    }

    @Test
    void stopsWhileNobodyWrites() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        Worker worker = worker(Fifo.in(directory, "pipe"), reading);
        FutureTask<List<Stage.Snapshot>> running = started(worker);
        reading.await();
        worker.stop();
        List<Stage.Snapshot> account = running.get();
        assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
    }

    /** Of yesterday: the clock has nothing to do with its windows, however it comes. */
    @Test
    void anOldCaptureHasTheRowsOfItsFile() throws Exception {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        PcapFile packets = new PcapFile();
        long atNs = -10L * 86_400 * SECOND_NS;
        for (int i = 0; i < 3_000; i++) {
            atNs += random.nextInt(5_000_000);
            packets.udp(atNs, 1 + random.nextInt(9), 2, 53, 60);
        }
        Path file = packets.write(directory.resolve("day.pcap"));
        Path pipe = Fifo.in(directory, "pipe");
        Fifo.write(pipe, Files.readAllBytes(file), seed);
        started(worker(pipe, new CountDownLatch(1))).get();
        Cli.Result ofFile =
                Cli.run("run", "-e", PER_SECOND, "--format", "json", "--pcap", "a=" + file);
        assertEquals(
                ofFile.out()
                        .lines()
                        .map(line -> line.replace("\"query\":\"per_second\",", ""))
                        .sorted()
                        .toList(),
                ResultRows.all(kafka, "per_second").stream().sorted().toList(),
                "seed " + seed);
    }

    @Test
    void whatCannotBeWithAPipeIsSaid() throws Exception {
        Path pipe = Fifo.in(directory, "pipe");
        Path file = new PcapFile().udp(0, 1, 2, 53, 60).write(directory.resolve("a.pcap"));
        for (String[] wrong :
                List.of(
                        new String[] {"--repeat cannot be with a pipe", "--repeat"},
                        new String[] {"--speed cannot be with a pipe", "--speed", "2"},
                        new String[] {"--begin cannot be with a pipe", "--begin", "now"},
                        new String[] {"is read more than once here", "--slices", "day"},
                        new String[] {"cannot be beside other captures", "--pcap", "" + file},
                        new String[] {"is named twice", "--pcap", "" + pipe})) {
            for (String command : List.of("worker", "up")) {
                if (command.equals("up") && wrong[1].equals("--slices")) {
                    continue; // it has none
                }
                String[] arguments = {command, "--kafka", "127.0.0.1:1", "--pcap", "" + pipe};
                arguments[2] = command.equals("up") ? "1" : arguments[2];
                Cli.Result result = Cli.run(with(arguments, wrong));
                assertEquals(2, result.code(), result.err());
                assertTrue(result.err().contains(wrong[0]), result.err());
                assertTrue(result.err().contains("hint: "), result.err());
            }
        }
    }

    private static String[] with(String[] arguments, String[] more) {
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length - 1);
        System.arraycopy(more, 1, all, arguments.length, more.length - 1);
        return all;
    }
}
