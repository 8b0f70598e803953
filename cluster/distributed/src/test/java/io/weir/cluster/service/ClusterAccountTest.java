package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.Topics;
import io.weir.cluster.node.AccountTable;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.User;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.operators.account.Stage;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a worker has counted, and left out, as a server of its cluster tells it. */
@Timeout(300)
class ClusterAccountTest {
    private static final int PACKETS = 40_000;

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @TempDir private Path directory;

    /** Far more groups than 64 KB hold. */
    private Path flood() {
        Random random = new Random(59);
        PcapFile file = new PcapFile();
        for (int p = 0; p < PACKETS; p++) {
            file.udp(p * 100_000L, 0x0a000000 + random.nextInt(30_000), 7, 53, 100);
        }
        return file.write(directory.resolve("flood.pcap"));
    }

    private static List<List<String>> rows(SqlSession session, String sql) {
        Answer answer = session.prepare(sql);
        if (answer instanceof Answer.Texts texts) {
            return texts.rows().get();
        }
        return ((Answer.Snapshot) answer)
                .rows().get().stream()
                        .map(row -> Arrays.stream(row).map(String::valueOf).toList())
                        .toList();
    }

    private static void create(SqlSession session, String name, String where, String overflow) {
        Answer.Change change =
                (Answer.Change)
                        session.prepare(
                                "CREATE QUERY "
                                        + name
                                        + " AS SELECT src_addr, SUM(bytes) AS total FROM packets"
                                        + where
                                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr"
                                        + " ORDER BY total DESC WITH (memory = '512KB',"
                                        + " on_overflow = '"
                                        + overflow
                                        + "')");
        var unused = change.action().get();
    }

    @Test
    void whatQueriesLeftOutOnWorkersIsListed() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ClusterNode node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "one")) {
            SqlSession session = node.session(User.ANYBODY);
            create(session, "evicting", " WHERE node_id = 'x'", "evict");
            create(session, "ranking", " WHERE node_id = 'x'", "topk");
            create(session, "merged", "", "topk");
            assertEquals(List.of(), rows(session, "SHOW ACCOUNT"), "no worker yet");
            List<Stage.Snapshot> counted = worker(broker).run();
            List<List<String>> expected = pages(counted);
            assertEquals(
                    List.of(
                            "query:evicting",
                            "query:merged",
                            "query:ranking",
                            "topk:merged",
                            "topk:ranking"),
                    expected.stream().map(row -> row.get(1)).toList());
            String table = "FROM sys.account WHERE stage LIKE 'query:%' OR stage LIKE 'topk:%'";
            awaitRows(session, expected, "SELECT * " + table + " ORDER BY stage");
            assertTrue(lost(session, "query:evicting").endsWith(" state_full"));
            assertTrue(lost(session, "topk:ranking").endsWith(" left_out"));
            assertTrue(lost(session, "topk:merged").endsWith(" left_out"));
            assertFalse(rows(session, "SHOW ACCOUNT").isEmpty());
        }
    }

    /** Each server tells what its merge was given, and left out; others show it, also later. */
    @Test
    void whatTheMergeLeftOutIsListed() throws Exception {
        String account = " FROM sys.account WHERE worker = 'merge of one' AND stage = 'merge ";
        String whole = " AND offered > 3 AND processed = offered AND lost = '0'";
        String made = "SELECT 'one'" + account + "windows'" + whole;
        String parts = "SELECT 'one'" + account + "parts'" + whole;
        String heaviest = "SELECT 'one'" + account + "topk'" + whole;
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                ClusterNode node = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "one");
                ClusterNode other = ClusterNode.open(KafkaSettings.of(broker.bootstrap()), "two")) {
            SqlSession session = other.session(User.ANYBODY);
            MergeInstance merge =
                    new MergeInstance(KafkaSettings.of(broker.bootstrap()), node, failures::add);
            try {
                create(session, "merged", "", "topk");
                var unused = worker(broker).run();
                sendNoMessage(KafkaSettings.of(broker.bootstrap()));
                String lost = "SELECT lost" + account + "parcels'";
                awaitRows(session, List.of(List.of("1 malformed")), lost);
                awaitRows(session, List.of(List.of("one")), made);
                awaitRows(session, List.of(List.of("one")), parts);
                awaitRows(session, List.of(List.of("one")), heaviest);
            } finally {
                merge.close();
            }
            assertEquals(List.of(List.of("one")), rows(session, made));
        }
        assertEquals(List.of(), failures);
    }

    private static void sendNoMessage(KafkaSettings kafka) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (var producer = new KafkaProducer<>(kafka.client("test"), bytes, bytes)) {
            var unused =
                    producer.send(new ProducerRecord<>(Topics.PARTIALS, 0, null, new byte[] {1}));
        }
    }

    private Worker worker(EmbeddedBroker broker) {
        return new Worker(
                WorkerSettings.of("x", flood(), ReplayOptions.AT_ONCE, directory.resolve("outbox")),
                KafkaSettings.of(broker.bootstrap()),
                new WorkerListener() {});
    }

    /** As the worker itself says it in the end. */
    private static List<List<String>> pages(List<Stage.Snapshot> counted) {
        List<List<String>> pages = new ArrayList<>();
        counted.stream()
                .filter(page -> page.stage().matches("(query|topk):.*"))
                .forEach(
                        page -> {
                            assertTrue(page.isBalanced(), page.toString());
                            List<String> row = new ArrayList<>(List.of("x"));
                            row.addAll(AccountTable.row(page));
                            pages.add(row);
                        });
        pages.sort((a, b) -> a.get(1).compareTo(b.get(1)));
        return pages;
    }

    private static void awaitRows(SqlSession session, List<List<String>> expected, String sql) {
        Await.until(() -> rows(session, sql).equals(expected), () -> rows(session, sql));
    }

    private static String lost(SqlSession session, String stage) {
        return rows(session, "SELECT lost FROM sys.account WHERE stage = '" + stage + "'")
                .get(0)
                .get(0);
    }
}
