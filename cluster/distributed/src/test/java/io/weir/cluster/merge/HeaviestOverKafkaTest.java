package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.results.OutboxSender;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.outbox.Outbox;
import io.weir.operators.account.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * on_overflow = 'topk' on two workers and through a real broker, against exact counts: no figure is
 * too high, none too low by more than its row says, and nothing without a row is heavier than rows
 * say.
 */
@Timeout(900)
final class HeaviestOverKafkaTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int SECONDS = 4;
    private static final int PACKETS = 12_000;
    private static final long PATIENCE_MS = 120_000;
    private static final List<String> WORKERS = List.of("a", "b");
    private static final String SQL =
            "CREATE QUERY heavy AS SELECT window_end, src_addr, SUM(bytes) AS total,"
                    + " COUNT(*) AS n, undercount, left_out_most, packets_lost, packets_missing"
                    + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr"
                    + " ORDER BY total DESC WITH (memory = '512KB', on_overflow = 'topk');";
    private static final Pattern ROW =
            Pattern.compile(
                    "\\{\"window_end\":\"([^\"]+)\",\"src_addr\":\"([^\"]+)\",\"total\":(\\d+),"
                            + "\"n\":(\\d+),\"undercount\":(\\d+),\"left_out_most\":(\\d+),"
                            + "\"packets_lost\":(\\d+),\"packets_missing\":(\\d+)}");

    private final long seed = Long.getLong("weir.seed", 47);
    private final Random random = new Random(seed);
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /** What was sent, by window and source. */
    private final TreeMap<Instant, Map<String, Sum>> exact = new TreeMap<>();

    @TempDir private Path directory;

    private record Sum(long bytes, long packets) {
        Sum plus(Sum other) {
            return new Sum(bytes + other.bytes, packets + other.packets);
        }
    }

    /** Few that are heavy and a flood that is not, in another mixture at each worker. */
    private Path capture(String worker) throws Exception {
        PcapFile file = new PcapFile();
        int flood = 6 + random.nextInt(3);
        for (int second = 0; second < SECONDS; second++) {
            Instant end = Instant.ofEpochSecond(0, PcapFile.START_NS + (second + 1) * SECOND_NS);
            for (int p = 0; p < PACKETS; p++) {
                boolean light = random.nextInt(10) < flood;
                int host = light ? 256 + random.nextInt(60_000) : 1 + random.nextInt(20);
                int bytes = light ? 40 + random.nextInt(400) : 1400;
                long atNs = second * SECOND_NS + p * (SECOND_NS / PACKETS);
                file.udp(atNs, 0x0a000000 + host, 7, 53, bytes);
                exact.computeIfAbsent(end, e -> new HashMap<>())
                        .merge(address(host), new Sum(bytes, 1), Sum::plus);
            }
        }
        return file.write(directory.resolve(worker + ".pcap"));
    }

    private static String address(int host) {
        return "10.0." + (host >> 8) + "." + (host & 255);
    }

    @Test
    void whatIsLeftOutIsTold() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                KafkaCatalog catalog =
                        KafkaCatalog.open(KafkaSettings.of(broker.bootstrap()), "test")) {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
            MergedLibraryTest.queries(SQL).forEach(query -> catalog.create(query, false));
            Topics.ensure(kafka);
            Map<String, Long> awaited = Map.of("a", Long.MIN_VALUE, "b", Long.MIN_VALUE);
            try (MergeService merge =
                    Merges.start(
                            kafka,
                            catalog,
                            () -> awaited,
                            Duration.ofMillis(PATIENCE_MS),
                            directory.resolve("merge"),
                            failures::add)) {
                for (String worker : WORKERS) {
                    send(
                            kafka,
                            worker,
                            new SentMessages(catalog.state(), worker, "1", capture(worker)));
                }
                check(rows(kafka));
                assertEquals(0, merge.metrics().malformed());
            }
        }
        assertEquals(List.of(), failures);
    }

    private void send(KafkaSettings kafka, String worker, SentMessages messages) throws Exception {
        String name = MergeMessageEntries.name(worker);
        try (Outbox outbox =
                        new Outbox(
                                directory.resolve("o" + worker),
                                64 << 20,
                                new Stage("o"),
                                Patience.endless());
                OutboxSender sender =
                        new OutboxSender(
                                        kafka,
                                        name,
                                        "1",
                                        outbox,
                                        new MergeMessageEntries(kafka, worker),
                                        failures::add)
                                .start()) {
            messages.put(outbox, Long.MAX_VALUE);
            assertTrue(sender.awaitSent(PATIENCE_MS));
        }
    }

    /** A window's rows are one transaction: when the last window is there, all are. */
    private Map<Instant, List<Matcher>> rows(KafkaSettings kafka) {
        long deadline = System.currentTimeMillis() + PATIENCE_MS;
        TreeMap<Instant, List<Matcher>> windows = new TreeMap<>();
        while (!windows.containsKey(exact.lastKey())
                && System.currentTimeMillis() < deadline
                && failures.isEmpty()) {
            windows.clear();
            for (String text : MergedRows.await(kafka, "heavy", 1, failures)) {
                Matcher row = ROW.matcher(text);
                assertTrue(row.matches(), text);
                windows.computeIfAbsent(Instant.parse(row.group(1)), e -> new ArrayList<>())
                        .add(row);
            }
        }
        return windows;
    }

    private void check(Map<Instant, List<Matcher>> windows) {
        assertEquals(List.of(), failures);
        assertEquals(exact.keySet(), windows.keySet(), "-Dweir.seed=" + seed);
        windows.forEach((end, rows) -> check(rows, exact.get(end), end));
    }

    private void check(List<Matcher> rows, Map<String, Sum> window, Instant end) {
        String about = "window " + end + ", -Dweir.seed=" + seed + ": ";
        Map<String, Sum> absent = new HashMap<>(window);
        long most = number(rows.get(0), 6);
        long packets = 0;
        long before = Long.MAX_VALUE;
        for (Matcher row : rows) {
            String text = about + row.group();
            Sum all = absent.remove(row.group(2));
            long lacks = number(row, 5);
            long less = all.bytes() - number(row, 3);
            assertTrue(less >= 0 && less <= lacks && lacks <= most, text + " of " + all);
            assertTrue(lacks > 0 || number(row, 4) == all.packets(), text + " of " + all);
            assertEquals(most, number(row, 6), text);
            assertEquals(0, number(row, 8), text);
            assertTrue(number(row, 3) <= before, text + " after " + before);
            before = number(row, 3);
            packets += number(row, 4);
        }
        absent.forEach((host, sum) -> assertTrue(sum.bytes() <= most, about + host + sum));
        assertTrue(absent.size() > 1_000 && most > 0, about + absent.size() + " left out");
        long sent = window.values().stream().mapToLong(Sum::packets).sum();
        for (Matcher row : rows) {
            assertEquals(sent - packets, number(row, 7), about + row.group());
        }
        for (int heavy = 0; heavy < 20; heavy++) {
            int host = Integer.parseInt(rows.get(heavy).group(2).replaceFirst(".*\\.", ""));
            assertTrue(host >= 1 && host <= 20, about + rows.get(heavy).group());
        }
    }

    private static long number(Matcher row, int column) {
        return Long.parseLong(row.group(column));
    }
}
