package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.node.PcapFile;
import io.weir.operators.account.Stage;
import io.weir.operators.memory.Fifo;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A worker {@code a} that reads a pipe, with what was written to it. */
final class LiveWorker {
    /** Of a query by the second and source. */
    static final String ROWS =
            " AS SELECT window_start, node_id, src_addr, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), node_id, src_addr";

    /** Among its notes: packets are read from then on. */
    static final String READY = "ready";

    private static final int PCAP_HEADER_BYTES = 24;
    private static final Pattern COUNT = Pattern.compile("\"n\":(\\d+)");

    private final Path directory;
    private final LogLines log = LogLines.after("worker a: ");
    private final List<String> notes = log.texts();
    private final Worker worker;
    private final FutureTask<List<Stage.Snapshot>> account;
    private final OutputStream pipe;
    private final Set<String> groups = new HashSet<>();
    private boolean begun;

    /**
     * Returns once the worker reads.
     *
     * @param directory for the pipe
     */
    LiveWorker(Path directory, Path outbox, KafkaSettings kafka) throws IOException {
        this.directory = directory;
        Path fifo = Fifo.in(directory, "pipe");
        worker =
                new Worker(
                        WorkerSettings.of("a", fifo, ReplayOptions.AT_ONCE, outbox),
                        kafka,
                        new WorkerListener() {
                            @Override
                            public void ready(int queries) {
                                notes.add(READY);
                            }
                        });
        account = new FutureTask<>(worker::run);
        new Thread(account, "worker").start();
        pipe = Files.newOutputStream(fifo);
    }

    /** Packets of now. */
    void write(int packets) throws IOException, InterruptedException {
        for (int i = 0; i < packets; i++) {
            long nowMs = System.currentTimeMillis();
            groups.add(nowMs / 1_000 + " " + i % 3);
            PcapFile one =
                    new PcapFile().udp(nowMs * 1_000_000 - PcapFile.START_NS, 1 + i % 3, 2, 53, 60);
            byte[] bytes = Files.readAllBytes(one.write(directory.resolve("one")));
            int from = begun ? PCAP_HEADER_BYTES : 0;
            begun = true;
            pipe.write(bytes, from, bytes.length - from);
            Thread.sleep(5);
        }
    }

    /** Rows that a query by the second and source has of all that. */
    int rows() {
        return groups.size();
    }

    void awaitNote(String part) throws InterruptedException {
        await(() -> notes.stream().anyMatch(note -> note.contains(part)), part);
    }

    /** Waits until a stage of the running worker is as wanted. */
    void awaitStage(String name, Predicate<Stage.Snapshot> wanted) throws InterruptedException {
        await(
                () ->
                        worker.account().snapshot().stream()
                                .anyMatch(s -> s.stage().equals(name) && wanted.test(s)),
                name);
    }

    /** Waits until packets of now fall into another second than all before. */
    static void awaitNextSecond() throws InterruptedException {
        long lastMs = System.currentTimeMillis();
        Await.until(() -> System.currentTimeMillis() / 1_000 != lastMs / 1_000);
    }

    private void await(Await.Condition wanted, String what) {
        Await.until(wanted, () -> what + ": " + notes + worker.account().snapshot());
    }

    /** No packet comes any more: its account. */
    List<Stage.Snapshot> end() throws Exception {
        pipe.close();
        List<Stage.Snapshot> stages = account.get(90, TimeUnit.SECONDS);
        assertTrue(stages.stream().allMatch(Stage.Snapshot::isBalanced), stages.toString());
        log.close();
        return stages;
    }

    static Stage.Snapshot stage(List<Stage.Snapshot> stages, String name) {
        return stages.stream().filter(s -> s.stage().equals(name)).findFirst().orElseThrow();
    }

    static void create(KafkaCatalog catalog, String query) {
        var create =
                (Statement.CreateQuery)
                        new SqlFrontend(catalog).parse("CREATE QUERY " + query).get(0);
        catalog.create(create.query(), false);
    }

    /** Packets in the rows of such a query, none of which is there twice. */
    static long counted(KafkaSettings kafka, String query) {
        long sum = 0;
        Set<String> windows = new HashSet<>();
        for (String row : ResultRows.all(kafka, query)) {
            Matcher count = COUNT.matcher(row);
            assertTrue(count.find(), row);
            sum += Long.parseLong(count.group(1));
            assertTrue(windows.add(row.replaceAll(",\"n\".*", "")), "twice: " + row);
        }
        return sum;
    }
}
