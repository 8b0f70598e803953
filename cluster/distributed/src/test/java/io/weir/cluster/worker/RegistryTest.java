package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.format.FakeRegistry;
import io.weir.cluster.format.RowFormat;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.security.User;
import io.weir.cluster.service.ClusterNode;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry that refuses, goes away and comes back, beside a worker and a SQL server. */
class RegistryTest {
    private static final String CREATE =
            "CREATE QUERY counted AS SELECT window_end, COUNT(*) AS n FROM packets"
                    + " WHERE node_id = 'x' GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Test
    void whatItRefusesIsNoQueryAndWhatWaitsForItRunsOnceItIsBack() throws Exception {
        Path capture = new PcapFile().random(7, 10_000).write(directory.resolve("capture.pcap"));
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
                FakeRegistry registry = new FakeRegistry()) {
            try (ClusterNode node = ClusterNode.open(settings(broker, registry), "test")) {
                registry.answer(409);
                WeirException refused =
                        assertThrows(WeirException.class, () -> execute(node, CREATE));
                assertEquals(ErrorCode.UNWRITABLE_OUTPUT, refused.code());
                assertTrue(refused.getMessage().contains("not compatible"), refused.text());
                assertEquals(List.of(), texts(node, "SHOW QUERIES"));
                registry.answer(200);
                execute(node, CREATE);
                WeirException there =
                        assertThrows(WeirException.class, () -> execute(node, CREATE));
                assertTrue(there.getMessage().contains("already"), there.text());

                registry.answer(503);
                Worker worker =
                        new Worker(
                                WorkerSettings.of(
                                        "x",
                                        capture,
                                        new ReplayOptions(1, true, Optional.empty(), Duration.ZERO),
                                        directory.resolve("outbox")),
                                settings(broker, registry),
                                new WorkerListener() {});
                Thread running = new Thread(() -> run(worker));
                running.start();
                await(node, "not compatible"); // what the registry says with its 503
                registry.answer(200);
                ResultRows.await(
                        KafkaSettings.of(broker.bootstrap()), "counted", rows -> rows.size() > 1);
                worker.stop();
                running.join();
            }
        }
        assertEquals(List.of(), failures);
    }

    private void run(Worker worker) {
        try {
            worker.run();
        } catch (RuntimeException e) {
            failures.add(e);
        }
    }

    /** Of a process of its own, which knows nothing of what others were told. */
    private static KafkaSettings settings(EmbeddedBroker broker, FakeRegistry registry) {
        return KafkaSettings.of(broker.bootstrap())
                .with(new RowFormats(RowFormat.AVRO, Optional.empty(), registry.client()));
    }

    private static void await(ClusterNode node, String event) throws InterruptedException {
        Await.until(
                Duration.ofSeconds(60),
                () -> texts(node, "SHOW EVENTS").toString().contains(event),
                () -> "no event says " + event);
    }

    private static void execute(ClusterNode node, String sql) {
        var unused = ((Answer.Change) node.session(User.ANYBODY).prepare(sql)).action().get();
    }

    private static List<List<String>> texts(ClusterNode node, String sql) {
        return ((Answer.Texts) node.session(User.ANYBODY).prepare(sql)).rows().get();
    }
}
