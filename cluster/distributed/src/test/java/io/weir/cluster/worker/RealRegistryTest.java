package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.format.RealRegistry;
import io.weir.cluster.format.RowFormat;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.security.User;
import io.weir.cluster.service.ClusterNode;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows with a real registry's numbers, read by a client that is not ours: all kinds of values, and
 * a query that is replaced under the registry's rule. Skipped where .ci/registry was not run.
 */
class RealRegistryTest {
    private static final int PACKETS = 8;
    private static final String COLUMNS =
            "dst_port, src_addr, dst_mac, dst_port > 2 AS \"is big\","
                    + " CASE WHEN dst_port > 2 THEN dst_port / 4.0 END AS quarter,"
                    + " TIMESTAMP '1969-12-31 23:59:59.5' AS past,"
                    + " INTERVAL '-1.5' SECOND AS gap, node_id";
    private static final String CAN_BE_NULL =
            COLUMNS + ", CASE WHEN dst_port = 5 THEN 'five' END AS five";

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Test
    void othersReadWhatItHasNumbersOf() throws Exception {
        assumeTrue(RealRegistry.isThere(), "no registry: .ci/registry");
        PcapFile packets = new PcapFile();
        for (int p = 1; p <= PACKETS; p++) {
            packets.udp(p * 10_000_000L, 0x0A000000 + p, 0x0A000101, p, 100 + p);
        }
        Path capture = packets.write(directory.resolve("capture.pcap"));
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                RealRegistry registry = new RealRegistry(broker.bootstrap(), directory)) {
            registry.compatibility("BACKWARD");
            // Older rows would lack a value; a field's number would get another type.
            tried(RowFormat.AVRO, "odd-name", COLUMNS + ", bytes", broker, registry, capture);
            // The first query is still there, and Avro: this registry answers Protobuf with 500.
            tried(RowFormat.PROTOBUF, "google", "src_addr, dst_port", broker, registry, capture);
        }
        assertEquals(List.of(), failures);
    }

    private void tried(
            RowFormat format,
            String query,
            String refused,
            EmbeddedBroker broker,
            RealRegistry registry,
            Path capture)
            throws Exception {
        KafkaSettings kafka =
                KafkaSettings.of(broker.bootstrap())
                        .with(new RowFormats(format, Optional.empty(), registry.client()));
        try (ClusterNode node = ClusterNode.open(kafka, "test")) {
            execute(node, query, COLUMNS);
            Worker worker =
                    new Worker(
                            WorkerSettings.of(
                                    format.text(),
                                    capture,
                                    new ReplayOptions(1, true, Optional.empty(), Duration.ZERO),
                                    directory.resolve(format.text())),
                            kafka,
                            new WorkerListener() {});
            Thread running = new Thread(() -> run(worker));
            running.start();
            awaitRows(kafka, query, 1);
            WeirException no =
                    assertThrows(WeirException.class, () -> execute(node, query, refused));
            assertEquals(ErrorCode.UNWRITABLE_OUTPUT, no.code());
            assertTrue(no.getMessage().contains("it answers 409 "), no.text());
            assertTrue(no.hint().orElseThrow().contains("rule"), no.text());
            execute(node, query, CAN_BE_NULL);
            awaitRows(kafka, query, 2);
            worker.stop();
            running.join();
        }
        assertEquals(2, registry.versions(Topics.results(query) + "-value"));
        assertEquals(
                List.of(
                        expected(p -> columns(format, p) + "}"),
                        expected(
                                p ->
                                        columns(format, p)
                                                + ",\"five\":"
                                                + (p == 5 ? "\"five\"}" : "null}"))),
                List.copyOf(read(registry, query).values()));
    }

    private void run(Worker worker) {
        try {
            worker.run();
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    private static void execute(ClusterNode node, String query, String columns) {
        String sql = "CREATE OR REPLACE QUERY \"" + query + "\" AS SELECT " + columns;
        var answer = node.session(User.ANYBODY).prepare(sql + " FROM packets");
        var unused = ((Answer.Change) answer).action().get();
    }

    /** Until so many versions of it have rows, and the last one those of all packets. */
    private static void awaitRows(KafkaSettings kafka, String query, int versions)
            throws InterruptedException {
        ResultRows.await(
                kafka,
                query,
                rows -> {
                    Map<Long, Long> counts =
                            ResultRows.versions(kafka, query).stream()
                                    .collect(
                                            Collectors.groupingBy(
                                                    v -> v, TreeMap::new, Collectors.counting()));
                    return counts.size() == versions
                            && counts.values().stream().allMatch(n -> n > 2 * PACKETS);
                });
    }

    /** What the other client makes of it: different rows, by their schema's number. */
    private static Map<Integer, Set<String>> read(RealRegistry registry, String query)
            throws Exception {
        Map<Integer, Set<String>> rows = new TreeMap<>();
        for (String line : registry.rows(Topics.results(query))) { // [number,{…}]
            int comma = line.indexOf(',');
            rows.computeIfAbsent(Integer.valueOf(line.substring(1, comma)), n -> new TreeSet<>())
                    .add(line.substring(comma + 1, line.length() - 1));
        }
        return rows;
    }

    private static Set<String> expected(IntFunction<String> row) {
        return IntStream.rangeClosed(1, PACKETS)
                .mapToObj(row)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String columns(RowFormat format, int packet) {
        return "{\"dst_port\":%1$d,\"src_addr\":\"10.0.0.%1$d\",\"dst_mac\":\"00:00:00:00:00:00\","
                        .formatted(packet)
                + "\"is_big\":%s,\"quarter\":%s,\"past\":-500000000,\"gap\":-1500000000,"
                        .formatted(packet > 2, packet > 2 ? packet / 4.0 : "null")
                + "\"node_id\":\"%s\"".formatted(format.text());
    }
}
