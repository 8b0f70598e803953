package io.weir.cluster.scale;

import io.weir.cluster.demo.Brokers;
import io.weir.cluster.demo.Processes;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.inspect.Inspection;
import io.weir.cluster.merge.MergeService;
import io.weir.cluster.merge.MergeSettings;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.Shape;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.protocol.MergeStage;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A cluster for measurements: brokers, and in this process an instance of the merge and workers.
 * The workers replay one capture once, as fast as they can, as nodes that saw it at the same time.
 * One thread.
 */
final class ScaleCluster implements AutoCloseable {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long PATIENCE_NS = 1_200 * SECOND_NS;
    private static final long MERGE_BYTES = 1L << 30;
    private static final long POLL_MS = 50;

    /** A multiple of the queries' windows, so that shifted packets lie in them as before. */
    private static final long ALIGN_NS = 60 * SECOND_NS;

    private final Path directory;
    private final NodeSettings node;
    private final Processes processes;
    private final KafkaSettings kafka;
    private final MergeService merge;
    private final KafkaCatalog catalog;
    private final Inspection inspection;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /**
     * @param directory that exists
     * @param workers the number of workers; the merge waits for all, however long, so that the sums
     *     are complete
     * @param partitions of each worker, a pipeline for each
     */
    ScaleCluster(Path directory, int brokers, int workers, int partitions)
            throws InterruptedException {
        this.directory = directory;
        node = NodeSettings.DEFAULT.withShape(new Shape(partitions, 1));
        processes = new Processes(directory);
        kafka = kafka(brokers);
        catalog = KafkaCatalog.open(kafka, "scale");
        merge = merge(workers).start();
        inspection = new Inspection(kafka);
    }

    private KafkaSettings kafka(int count) throws InterruptedException {
        Brokers brokers = new Brokers(processes, directory, "127.0.0.1", count);
        try {
            brokers.start();
        } catch (InterruptedException | RuntimeException e) {
            processes.close();
            throw e;
        }
        return brokers.client();
    }

    private MergeService merge(int workers) {
        // All are waited for. Heartbeats are not asked for windows on their way here.
        Map<String, Long> all =
                IntStream.rangeClosed(1, workers)
                        .mapToObj(ScaleCluster::name)
                        .collect(Collectors.toMap(name -> name, name -> Long.MIN_VALUE));
        MergeSettings settings =
                new MergeSettings(
                        "scale",
                        node.layouts(),
                        new MergeStage.Options(
                                MergeStage.Options.DEFAULT.partialBytes(), PATIENCE_NS),
                        MERGE_BYTES,
                        node.engine().delayNs(),
                        directory.resolve("merge"));
        return new MergeService(kafka, settings, catalog, () -> all, failures::add);
    }

    private static String name(int worker) {
        return "Node" + worker;
    }

    KafkaSettings kafka() {
        return kafka;
    }

    /** Creates a query. Returns the nanoseconds until Kafka has it. */
    long create(String sql) {
        long beganNs = Clock.SYSTEM.nanos();
        var create = (Statement.CreateQuery) new SqlFrontend(catalog).parse(sql).get(0);
        catalog.create(create.query(), false);
        return Clock.SYSTEM.nanos() - beganNs;
    }

    /**
     * The times of a replay.
     *
     * @param shiftNs what was added to the packets' times
     * @param wallNs from the first packet until there were as many records as rows
     * @param workersNs from the first packet until the last worker had sent all
     * @param mergeCpuNs of the merge's threads in that time
     * @param packets that the workers counted
     */
    record Replayed(long shiftNs, long wallNs, long workersNs, long mergeCpuNs, long packets) {}

    /**
     * Replays the capture on so many workers, and waits for as many rows.
     *
     * @param rows the expected number in the topics of these queries
     * @param firstNs time of the capture's first packet
     */
    Replayed replay(int workers, Path capture, long firstNs, Map<String, Long> rows)
            throws InterruptedException {
        long beginNs = begin(firstNs);
        Start start = new Start(workers);
        List<Thread> threads = new ArrayList<>();
        List<List<Stage.Snapshot>> accounts = new CopyOnWriteArrayList<>();
        for (int w = 1; w <= workers; w++) {
            Worker worker = worker(name(w), capture, Instant.ofEpochSecond(0, beginNs), start);
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    accounts.add(worker.run());
                                } catch (RuntimeException e) {
                                    failures.add(e);
                                }
                            },
                            "scale-worker-" + w);
            threads.add(thread);
            thread.start();
        }
        start.go(failures);
        long startNs = Clock.SYSTEM.nanos();
        long cpuNs = mergeCpuNs();
        for (Thread thread : threads) {
            thread.join();
        }
        long workersNs = Clock.SYSTEM.nanos() - startNs;
        long packets = balanced(accounts);
        awaitRows(rows);
        long wallNs = Clock.SYSTEM.nanos() - startNs;
        return new Replayed(beginNs - firstNs, wallNs, workersNs, mergeCpuNs() - cpuNs, packets);
    }

    /** Returns a recent time, whole windows after the first packet. */
    private static long begin(long firstNs) {
        Instant now = Clock.SYSTEM.instant();
        long nowNs = now.getEpochSecond() * SECOND_NS + now.getNano();
        return firstNs + Math.floorDiv(nowNs - firstNs, ALIGN_NS) * ALIGN_NS;
    }

    /** Holds workers until all have the catalogue, and have compiled its queries. */
    private static final class Start implements WorkerListener {
        private final CountDownLatch ready;
        private final CountDownLatch go = new CountDownLatch(1);

        Start(int workers) {
            ready = new CountDownLatch(workers);
        }

        @Override
        public void ready(int queries) {
            ready.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void go(List<Throwable> failures) throws InterruptedException {
            boolean all = false;
            while (failures.isEmpty() && !all) { // a failed one will never be ready
                all = ready.await(POLL_MS, TimeUnit.MILLISECONDS);
            }
            go.countDown();
        }
    }

    private Worker worker(String name, Path capture, Instant begin, WorkerListener listener) {
        ReplayOptions replay =
                new ReplayOptions(
                        Double.POSITIVE_INFINITY,
                        false,
                        Optional.of(begin),
                        Duration.ofSeconds(60));
        return new Worker(
                new WorkerSettings(
                        name,
                        List.of(SourceSpec.pcap(name, capture)),
                        node,
                        replay,
                        directory.resolve("outbox-" + name),
                        32 * Outbox.LEAST_BYTES,
                        false),
                kafka,
                listener);
    }

    private void awaitRows(Map<String, Long> rows) throws InterruptedException {
        long deadline = Clock.SYSTEM.nanos() + PATIENCE_NS;
        Set<String> open = new HashSet<>(rows.keySet());
        while (true) {
            Map<String, Long> ends =
                    inspection.ends(open.stream().map(Topics::results).collect(Collectors.toSet()));
            open.removeIf(query -> ends.get(Topics.results(query)) >= rows.get(query));
            if (open.isEmpty()) {
                return;
            } else if (Clock.SYSTEM.nanos() > deadline || !failures.isEmpty()) {
                throw new WeirException(
                        ErrorCode.INTERNAL,
                        "rows are missing of " + open + ": " + ends + "; failures: " + failures);
            }
            Thread.sleep(POLL_MS);
        }
    }

    private static long balanced(List<List<Stage.Snapshot>> accounts) {
        long packets = 0;
        for (List<Stage.Snapshot> account : accounts) {
            for (Stage.Snapshot stage : account) {
                boolean all = stage.excluded().getOrDefault("kept_on_disk", 0L) == 0;
                if (!stage.isBalanced() || stage.lostInAll() > 0 || !all) {
                    throw new WeirException(
                            ErrorCode.INTERNAL, "lost, not balanced, or not sent: " + stage);
                }
                packets += stage.stage().equals("pipeline") ? stage.processed() : 0;
            }
        }
        return packets;
    }

    private static long mergeCpuNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long ns = 0;
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().contains("StreamThread")) {
                ns += Math.max(0, threads.getThreadCpuTime(id));
            }
        }
        return ns;
    }

    Inspection inspection() {
        return inspection;
    }

    @Override
    public void close() {
        inspection.close();
        merge.close();
        catalog.close();
        processes.close();
    }
}
