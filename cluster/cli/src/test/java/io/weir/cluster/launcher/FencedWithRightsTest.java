package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.SecuredBroker;
import io.weir.cluster.broker.SecuredBroker.Allowed;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.cluster.service.ClusterNode;
import io.weir.cluster.trigger.TriggerFollower;
import io.weir.cluster.trigger.WokenQueries;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a Kafka that allows no more than docs/CLUSTER.md lists, a worker takes the place of another of
 * its name, which writes nothing from then on.
 */
@Timeout(600)
final class FencedWithRightsTest {
    private static final String PASSWORD = "worker-hush-hush";
    private static final String SERVER = "server-hush-hush";
    private static final long PATIENCE_S = 120;
    private static final String TRIGGERS = "weir-worker-x triggers";
    private static final List<String> QUERIES =
            List.of(
                    "CREATE QUERY busy AS SELECT window_end, COUNT(*) AS n FROM packets"
                            + " WHERE node_id = 'x' GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)",
                    "CREATE QUERY everywhere AS SELECT window_end, COUNT(*) AS n FROM packets"
                            + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)",
                    "CREATE QUERY woken AS SELECT COUNT(*) AS n FROM packets WHERE node_id = 'y'"
                            + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)"
                            + " WHEN busy.n > 0 FOR INTERVAL '1' SECOND");

    @TempDir private Path directory;
    private final List<String> woken = new CopyOnWriteArrayList<>();
    private final LogLines log = LogLines.after("");
    private final List<String> notes = log.texts();
    private Path capture;
    private SecuredBroker broker;
    private ClusterNode node;
    private TriggerFollower follower;

    @BeforeEach
    void start() throws Exception {
        capture = new PcapFile().random(7, 10_000).write(directory.resolve("capture.pcap"));
        broker = new SecuredBroker(directory.resolve("kafka"));
        broker.addUser("server", SERVER, SecuredClusterTest.SERVERS);
        KafkaSettings server = broker.client("server", SERVER);
        node = ClusterNode.open(server, "test");
        SqlSession session = node.session(new User("root", Set.of(Role.ADMIN)));
        for (String sql : QUERIES) {
            var unused = ((Answer.Change) session.prepare(sql)).action().get();
        }
        follower =
                new TriggerFollower(
                                server,
                                "test",
                                new WokenQueries(woken),
                                failure -> {
                                    throw failure;
                                })
                        .start();
    }

    @AfterEach
    void stop() {
        log.close();
        follower.close();
        node.close();
        broker.close();
    }

    @Test
    void oneWithTheListedRightsFencesAndIsFenced() throws Exception {
        broker.addUser("worker", PASSWORD, SecuredClusterTest.WORKERS);
        Worker old = worker("old");
        CompletableFuture<List<Stage.Snapshot>> oldEnded = run(old);
        await(() -> processed(old, "triggers") > 0 && processed(old, "outbox partials") > 0);
        Worker young = worker("young");
        CompletableFuture<List<Stage.Snapshot>> youngEnded = run(young);
        Exception why =
                assertThrows(Exception.class, () -> oldEnded.get(PATIENCE_S, TimeUnit.SECONDS));
        assertTrue(why.getCause() instanceof WeirException, why.toString());
        assertTrue(why.getMessage().contains("has taken this one's place"), why.toString());
        for (String stage : List.of("triggers", "outbox rows", "outbox partials")) {
            await(() -> processed(young, stage) > 0);
        }
        young.stop();
        var account = youngEnded.get(PATIENCE_S, TimeUnit.SECONDS);
        assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
        assertEquals(0, of(old, "triggers").lostInAll());
        assertEquals(List.of(), notes);
    }

    /** Of each place that a worker has, whichever of them hears of it first. */
    @Test
    void eachOfItsTransactionsIsFenced() throws Exception {
        broker.addUser("worker", PASSWORD, SecuredClusterTest.WORKERS);
        for (Allowed one : SecuredClusterTest.WORKERS) {
            if (one.type() == ResourceType.TRANSACTIONAL_ID) {
                try (KafkaProducer<byte[], byte[]> old = producer(one.name());
                        KafkaProducer<byte[], byte[]> young = producer(one.name())) {
                    old.initTransactions();
                    old.beginTransaction();
                    var unused = old.send(new ProducerRecord<>("weir.outbox", 0, bytes(), bytes()));
                    old.flush();
                    young.initTransactions();
                    assertThrows(ProducerFencedException.class, old::commitTransaction, one.name());
                    young.beginTransaction();
                    unused = young.send(new ProducerRecord<>("weir.outbox", 0, bytes(), bytes()));
                    young.commitTransaction();
                }
            }
        }
    }

    /** As with the list of an earlier release: rows wake others once they are there. */
    @Test
    void oneThatMayNotTellAtOnceTellsWithItsRows() throws Exception {
        broker.addUser(
                "worker",
                PASSWORD,
                SecuredClusterTest.WORKERS.stream()
                        .filter(allowed -> !allowed.name().equals(TRIGGERS))
                        .toList());
        Worker worker = worker("alone");
        CompletableFuture<List<Stage.Snapshot>> ended = run(worker);
        await(() -> of(worker, "triggers").lostInAll() > 0 && woken.contains("woken"));
        assertEquals(0, processed(worker, "triggers"));
        worker.stop();
        var account = ended.get(PATIENCE_S, TimeUnit.SECONDS);
        assertTrue(account.stream().allMatch(Stage.Snapshot::isBalanced), account.toString());
        assertEquals(1, notes.size(), notes.toString());
        assertTrue(
                notes.get(0).contains("wakes for other workers cannot be sent at once"),
                notes.get(0));
    }

    private static byte[] bytes() {
        return "of a test".getBytes(StandardCharsets.UTF_8);
    }

    private KafkaProducer<byte[], byte[]> producer(String transactions) throws Exception {
        var config = broker.client("worker", PASSWORD).client("test");
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactions);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private Worker worker(String outbox) throws Exception {
        return new Worker(
                WorkerSettings.of(
                        "x",
                        capture,
                        new ReplayOptions(2, true, Optional.empty(), Duration.ZERO),
                        directory.resolve(outbox)),
                broker.client("worker", PASSWORD),
                new WorkerListener() {});
    }

    private static CompletableFuture<List<Stage.Snapshot>> run(Worker worker) {
        return CompletableFuture.supplyAsync(worker::run, run -> new Thread(run).start());
    }

    private static Stage.Snapshot of(Worker worker, String stage) {
        return worker.account().snapshot().stream()
                .filter(page -> page.stage().equals(stage))
                .findAny()
                .orElseGet(() -> new Stage(stage).snapshot());
    }

    private static long processed(Worker worker, String stage) {
        return of(worker, stage).processed();
    }

    private void await(BooleanSupplier isSo) throws InterruptedException {
        Await.until(Duration.ofSeconds(PATIENCE_S), isSo::getAsBoolean, () -> notes + " " + woken);
    }
}
