package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.demo.Processes;
import io.weir.cluster.faults.Shell;
import io.weir.cluster.kafka.CommittedRecords;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.heartbeat.WorkerTable;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.protocol.WorkerEpoch;
import io.weir.testing.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Worker processes that share a capture in slices; one of them is killed in the middle. Others go
 * on with its slices, each window has its rows once, and rows and counted losses together are the
 * packets of the capture.
 */
@Timeout(1800)
@Tag("faults")
final class SliceTakeoverTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int SECONDS = 30;
    private static final int A_SECOND = 400;
    private static final int PACKETS = SECONDS * A_SECOND;
    private static final int HOSTS = 200;

    /** Of the query whose open window is lost with its worker, and of one that ends each second. */
    private static final int LONG_S = 10;

    /** The worker is killed in the middle of a long window, that much into the replay at least. */
    private static final int BEFORE_KILL_S = 5;

    private static final long PATIENCE_S = 300;
    private static final String SQL =
            "CREATE QUERY rate AS SELECT window_end, COUNT(*) AS n, packets_lost AS lost,"
                    + " completeness AS whole FROM packets GROUP BY TUMBLE(ts, INTERVAL '10'"
                    + " SECOND);CREATE QUERY pinned AS SELECT window_end, src_addr, dst_addr, COUNT(*)"
                    + " AS n FROM packets WHERE node_id = 'trace' GROUP BY TUMBLE(ts, INTERVAL '1'"
                    + " SECOND), src_addr, dst_addr;";

    /** At each second packets wait. */
    private static final String WAITS =
            "CREATE QUERY second AS SELECT COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"
                    + "CREATE QUERY woken AS SELECT COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND) WHEN second.n > 1000000;";

    private static final Pattern ROW =
            Pattern.compile(
                    "\\{\"window_end\":\"([^\"]+)\",\"n\":(\\d+),\"lost\":(\\d+),\"whole\":([^}]+)}");

    private static final Pattern GROUP =
            Pattern.compile(
                    "\\{\"window_end\":\"([^\"]+)\",\"src_addr\":\"([^\"]+)\","
                            + "\"dst_addr\":\"([^\"]+)\",\"n\":(\\d+)}");

    @TempDir private Path directory;
    private final List<String> hosts = new ArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final long seed = Long.getLong("weir.seed", 20_261_122L);

    private Path capture() throws Exception {
        Random random = new Random(seed);
        PcapFile file = new PcapFile();
        for (int p = 0; p < PACKETS; p++) {
            int source = 1 + random.nextInt(HOSTS);
            int destination = 1 + random.nextInt(HOSTS);
            file.udp(atNs(p), source, destination, 53, 60);
            hosts.add(address(source) + " " + address(destination));
        }
        return file.write(directory.resolve("trace.pcap"));
    }

    private static String address(int host) {
        return "0.0.0." + host;
    }

    /** Since the first one. */
    private static long atNs(int packet) {
        return packet * SECOND_NS / A_SECOND;
    }

    /** Packets of each group in each window, counted one by one. */
    private Map<String, Long> groups(Instant begin) {
        Map<String, Long> groups = new HashMap<>();
        for (int p = 0; p < PACKETS; p++) {
            Instant end = begin.plusNanos(atNs(p)).truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
            groups.merge(end + " " + hosts.get(p), 1L, Long::sum);
        }
        return groups;
    }

    private Processes.Started worker(
            Processes processes, KafkaSettings kafka, String node, Path file, Way way) {
        List<String> arguments = new ArrayList<>(List.of("worker", "--kafka", kafka.bootstrap()));
        arguments.addAll(List.of("--node-id", node, "--slices", "trace", "--slice-count", "4"));
        arguments.addAll(List.of("--outbox", directory.resolve("outbox-" + node).toString()));
        arguments.addAll(way.options());
        arguments.addAll(List.of("--pcap", file.toString()));
        return processes.start(
                "worker-" + node,
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                arguments.toArray(String[]::new));
    }

    @Test
    void slicesOfAKilledWorkerGoOnElsewhereAndWhatWasLostIsCounted() throws Exception {
        takeOver(SQL, SliceTakeoverTest::paced, Blow.KILL);
    }

    /**
     * It goes on once others have its slices: with nothing of before, and with what it is given.
     */
    @Test
    void theSameOfAFrozenWorkerThatGoesOnMeanwhile() throws Exception {
        takeOver(SQL, SliceTakeoverTest::paced, Blow.FREEZE);
    }

    /** The others wait until another has its slices. */
    @Test
    void theSameOfWorkersThatSettle() throws Exception {
        List<String> options = List.of("--settle", "--slice-workers", "2");
        Instant begin = Instant.ofEpochSecond(PcapFile.START_NS / SECOND_NS);
        takeOver(SQL + WAITS, (processes, kafka) -> new Way(begin, options), Blow.KILL);
    }

    /** What befalls the one worker. */
    private enum Blow {
        KILL,
        FREEZE
    }

    private void takeOver(String sql, Ways ways, Blow blow) throws Exception {
        Path file = capture();
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                KafkaCatalog catalog =
                        KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "test");
                WorkerTable table = new WorkerTable(KafkaSettings.of(broker.bootstrap())).start();
                Processes processes = new Processes(directory)) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            MergedLibraryTest.queries(sql).forEach(query -> catalog.create(query, false));
            try (MergeService merge = merge(kafka, catalog, table)) {
                Way way = ways.of(processes, kafka);
                Processes.Started a = worker(processes, kafka, "A", file, way);
                Processes.Started b = worker(processes, kafka, "B", file, way);
                a.await("counts slice");
                awaitTaken(b, 2); // two of four, which A gives up, or never had
                awaitMiddle(table, a, way.begin());
                int counted = taken(b);
                assertTrue(a.process().isAlive(), String.join("\n", a.lines()));
                long killedNs = System.nanoTime();
                Shell.signal(blow == Blow.KILL ? "KILL" : "STOP", a.process().pid());
                awaitTaken(b, counted + 2);
                System.out.printf(
                        "slices after %s run elsewhere after %.1f s%n",
                        blow, (System.nanoTime() - killedNs) / 1e9);
                if (blow == Blow.FREEZE) {
                    Shell.signal("CONT", a.process().pid());
                    awaitEnd(a); // it counts what it is given again, as any that comes
                }
                awaitEnd(b);
                onlyWhoHadThemLastWrote(kafka);
                check(kafka, way.begin(), String.join("\n", b.lines()));
                System.out.println(merge.metrics().tasks());
            }
        }
        assertEquals(List.of(), failures);
    }

    private static void awaitEnd(Processes.Started worker) throws Exception {
        boolean ends = worker.process().waitFor(PATIENCE_S, TimeUnit.SECONDS);
        assertTrue(ends, worker.name() + " does not end");
        assertEquals(0, worker.process().exitValue(), String.join("\n", worker.lines()));
    }

    /** Of each slice, no process that had it writes after another has begun to. */
    private static void onlyWhoHadThemLastWrote(KafkaSettings kafka) {
        for (int shard = 0; shard < KafkaSettings.SHARDS; shard++) {
            Map<String, List<String>> lives = new TreeMap<>();
            for (ConsumerRecord<byte[], byte[]> record :
                    CommittedRecords.of(kafka, new TopicPartition(Topics.PARTIALS, shard))) {
                WorkerEpoch source = MergeMessageCodec.message(record.value()).source();
                List<String> of = lives.computeIfAbsent(source.worker(), w -> new ArrayList<>());
                if (of.isEmpty() || !of.get(of.size() - 1).equals(source.life())) {
                    of.add(source.life());
                }
            }
            assertTrue(lives.values().stream().anyMatch(of -> of.size() > 1), "none has moved");
            lives.forEach(
                    (slice, of) -> assertEquals(Set.copyOf(of).size(), of.size(), slice + of));
        }
    }

    /**
     * Waits until the worker has sent up to the middle of a long window, and no more: what it has
     * counted of that is lost with it. As heartbeats say: rows may come when the replay is over.
     */
    private void awaitMiddle(WorkerTable table, Processes.Started a, Instant begin) {
        long leastNs = (begin.getEpochSecond() + BEFORE_KILL_S) * SECOND_NS;
        Await.until(
                Duration.ofSeconds(PATIENCE_S),
                () -> {
                    assertTrue(failures.isEmpty() && a.process().isAlive(), () -> text(a));
                    List<Long> passed = passed(table);
                    return !passed.isEmpty()
                            && passed.stream().allMatch(ns -> ns > leastNs && isMiddle(ns));
                },
                () -> "not seen in the middle of a window: " + text(a));
    }

    private static List<Long> passed(WorkerTable table) {
        return table.workers().stream()
                .map(WorkerTable.Worker::beat)
                .filter(beat -> beat.getOwner().equals("A"))
                .map(beat -> beat.hasPartialsPassedNs() ? beat.getPartialsPassedNs() : 0)
                .toList();
    }

    private static String text(Processes.Started worker) {
        return String.join("\n", worker.lines());
    }

    private static boolean isMiddle(long timeNs) {
        long second = timeNs / SECOND_NS % LONG_S;
        return second >= 2 && second < LONG_S - 2;
    }

    /** When the replay begins, and what its workers are told. */
    private record Way(Instant begin, List<String> options) {}

    private interface Ways {
        Way of(Processes processes, KafkaSettings kafka) throws Exception;
    }

    /**
     * So that both have their slices before the first packet, also where processes start slowly.
     */
    private static Way paced(Processes processes, KafkaSettings kafka) throws Exception {
        long beganNs = System.nanoTime();
        processes
                .start("slices", List.of("-Xmx128m"), "slices", "--kafka", kafka.bootstrap())
                .process()
                .waitFor();
        double startS = (System.nanoTime() - beganNs) / 1e9;
        Instant begin =
                Instant.now().plusSeconds(5 + (long) (4 * startS)).truncatedTo(ChronoUnit.SECONDS);
        String speed = Double.toString(Math.min(1, 4 / startS));
        return new Way(begin, List.of("--begin", begin.toString(), "--speed", speed));
    }

    private static int taken(Processes.Started worker) {
        return (int) worker.lines().stream().filter(l -> l.contains("counts slice")).count();
    }

    private static void awaitTaken(Processes.Started worker, int slices) {
        Await.until(
                Duration.ofSeconds(PATIENCE_S),
                () -> taken(worker) >= slices || !worker.process().isAlive(),
                () -> text(worker));
        assertTrue(taken(worker) >= slices, () -> text(worker));
    }

    private static int longWindows(Instant begin) {
        long first = begin.getEpochSecond();
        return (int) ((first + SECONDS - 1) / LONG_S - first / LONG_S + 1);
    }

    private void check(KafkaSettings kafka, Instant begin, String said) {
        TreeMap<String, Long> windows = new TreeMap<>();
        List<String> seen = new ArrayList<>();
        long lost = 0;
        for (ConsumerRecord<byte[], byte[]> record :
                MergedRows.records(kafka, "rate", longWindows(begin), failures)) {
            String text = new String(record.value(), StandardCharsets.UTF_8);
            Matcher row = ROW.matcher(text);
            assertTrue(row.matches(), text);
            seen.add(row.group(1));
            windows.put(row.group(1), Long.parseLong(row.group(2)));
            lost += Long.parseLong(row.group(3));
            assertTrue(Long.parseLong(row.group(2)) <= LONG_S * A_SECOND, text);
            String header =
                    new String(
                            record.headers().lastHeader("completeness").value(),
                            StandardCharsets.UTF_8);
            assertEquals(row.group(4), header, text);
            assertEquals(row.group(3).equals("0"), row.group(4).equals("1.0"), text);
        }
        String all = windows + ", lost " + lost + ", seed " + seed + "\n" + said;
        assertEquals(seen.stream().distinct().toList(), seen, "a window twice: " + all);
        long rows = windows.values().stream().mapToLong(Long::longValue).sum();
        assertEquals(PACKETS, rows + lost, all);
        assertTrue(lost > 0, "killed between two windows: " + all);
        assertTrue(rows > PACKETS / 2, all);
        System.out.println("of " + (rows + lost) + " packets lost, and counted: " + lost);
        long pinned = pinned(kafka, groups(begin), all);
        assertTrue(pinned > PACKETS / 2, pinned + " in " + all);
        assertTrue(pinned <= PACKETS, pinned + " in " + all);
    }

    /** Packets in rows of groups, none of which counts more than there were. */
    private long pinned(KafkaSettings kafka, Map<String, Long> groups, String all) {
        long packets = 0;
        Set<String> seen = new HashSet<>();
        for (String text : MergedRows.await(kafka, "pinned", 1, failures)) {
            Matcher row = GROUP.matcher(text);
            assertTrue(row.matches(), text);
            String group = Instant.parse(row.group(1)) + " " + row.group(2) + " " + row.group(3);
            long counted = Long.parseLong(row.group(4));
            assertTrue(seen.add(group), text + " twice: " + all);
            assertTrue(counted <= groups.getOrDefault(group, 0L), text + " is too much: " + all);
            packets += counted;
        }
        return packets;
    }

    private MergeService merge(KafkaSettings kafka, KafkaCatalog catalog, WorkerTable table) {
        Path home = directory.resolve("merge");
        Duration patience = Duration.ofSeconds(PATIENCE_S);
        return Merges.start(kafka, catalog, table, patience, home, failures::add);
    }
}
