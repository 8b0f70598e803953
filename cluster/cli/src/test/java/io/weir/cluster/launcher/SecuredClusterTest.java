package io.weir.cluster.launcher;

import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.audit.AuditEntry;
import io.weir.cluster.audit.AuditedNode;
import io.weir.cluster.broker.SecuredBroker;
import io.weir.cluster.broker.SecuredBroker.Allowed;
import io.weir.cluster.format.RowFormat;
import io.weir.cluster.format.RowFormats;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.TopicTail;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.node.RowProducer;
import io.weir.cluster.node.SqlSession;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.cluster.service.ClusterNode;
import io.weir.cluster.service.ClusterSinks;
import io.weir.cluster.service.MergeInstance;
import io.weir.cluster.sink.Fanout;
import io.weir.cluster.sink.FileOptions;
import io.weir.cluster.sink.FileSink;
import io.weir.cluster.sink.TolerantSink;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster on a Kafka with TLS, SCRAM and nothing allowed but what docs/CLUSTER.md lists: worker,
 * server and merge work, and whoever else comes stays out.
 */
class SecuredClusterTest {
    private static final String WORKER = "worker-hush-hush";
    private static final String SERVER = "server-hush-hush";
    private static final User ADMIN = new User("root", Set.of(Role.ADMIN));

    /** The list of docs/CLUSTER.md. */
    static final List<Allowed> WORKERS =
            List.of(
                    new Allowed(TOPIC, "weir.catalog", LITERAL, READ),
                    new Allowed(TOPIC, "weir.outbox", LITERAL, READ, WRITE),
                    new Allowed(TOPIC, "weir.triggers", LITERAL, READ, WRITE),
                    new Allowed(TOPIC, "weir.heartbeats", LITERAL, WRITE),
                    new Allowed(TOPIC, "weir.partials", LITERAL, WRITE),
                    new Allowed(TOPIC, "weir.results.", PREFIXED, WRITE),
                    new Allowed(TRANSACTIONAL_ID, "weir-worker-x", LITERAL, WRITE, DESCRIBE),
                    new Allowed(
                            TRANSACTIONAL_ID, "weir-worker-x partials", LITERAL, WRITE, DESCRIBE),
                    new Allowed(
                            TRANSACTIONAL_ID, "weir-worker-x triggers", LITERAL, WRITE, DESCRIBE));

    static final List<Allowed> SERVERS =
            List.of(
                    new Allowed(TOPIC, "weir.", PREFIXED, READ, WRITE, CREATE),
                    new Allowed(TOPIC, "weir-merge-", PREFIXED, READ, WRITE, CREATE),
                    new Allowed(GROUP, "weir-merge", LITERAL, READ),
                    new Allowed(TRANSACTIONAL_ID, "weir-catalog", LITERAL, WRITE, DESCRIBE),
                    new Allowed(TRANSACTIONAL_ID, "weir-merge-", PREFIXED, WRITE, DESCRIBE));

    private static final List<Allowed> OF_SLICES =
            List.of(
                    new Allowed(GROUP, "weir.slices.s.", PREFIXED, READ),
                    new Allowed(TOPIC, "weir.slices.s.", PREFIXED, READ, CREATE),
                    new Allowed(TOPIC, "weir.catalog", LITERAL, WRITE),
                    new Allowed(TRANSACTIONAL_ID, "weir-catalog", LITERAL, WRITE, DESCRIBE),
                    new Allowed(TRANSACTIONAL_ID, "weir-worker-s.", PREFIXED, WRITE, DESCRIBE));

    private static final List<Allowed> OF_SINKS =
            List.of(new Allowed(GROUP, "weir-sinks-", PREFIXED, READ));

    private static final String ALL_NODES =
            "CREATE QUERY all_nodes AS SELECT window_end, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Test
    void onlyWhatIsListedIsNeededAndNobodyElseComesIn() throws Exception {
        Path capture = new PcapFile().random(7, 10_000).write(directory.resolve("capture.pcap"));
        try (SecuredBroker broker = new SecuredBroker(directory.resolve("kafka"))) {
            broker.addUser("worker", WORKER, WORKERS);
            broker.addUser("server", SERVER, SERVERS);
            broker.addUser("stranger", "stranger-hush", List.of());
            try (ClusterNode node = ClusterNode.open(broker.client("server", SERVER), "test")) {
                MergeInstance merge =
                        new MergeInstance(
                                broker.client("server", SERVER).with(rows(RowFormat.PROTOBUF)),
                                node,
                                failures::add);
                statementsRunAndAreNoted(node, broker, capture);
                merge.close();
                assertEquals(List.of(), failures);
            }
            strangersStayOut(broker, capture);
        }
    }

    /** What --slices and --sink need besides; a second process of the node has no more. */
    @Test
    void slicesAndSinksNeedNoMoreThanIsListed() throws Exception {
        Path capture = new PcapFile().random(7, 10_000).write(directory.resolve("capture.pcap"));
        try (SecuredBroker broker = new SecuredBroker(directory.resolve("kafka"))) {
            broker.addUser("worker", WORKER, both(WORKERS, OF_SLICES));
            broker.addUser("server", SERVER, both(SERVERS, OF_SINKS));
            KafkaSettings server = broker.client("server", SERVER);
            try (ClusterNode node = ClusterNode.open(server, "test")) {
                MergeInstance merge = new MergeInstance(server, node, failures::add);
                SqlSession session =
                        new AuditedNode(node, node.audit(), "here:1", Clock.SYSTEM).session(ADMIN);
                var unused = ((Answer.Change) session.prepare(ALL_NODES)).action().get();
                Path rows = directory.resolve("rows");
                Account account = new Account();
                try (LogLines sinks = LogLines.of(TolerantSink.class, ClusterSinks.class);
                        ClusterSinks given = sinks(server, node, rows, account)) {
                    assertNotNull(given);
                    Cli.Result counted =
                            Cli.run(
                                    "worker",
                                    "--kafka",
                                    broker.bootstrap(),
                                    "--kafka-config",
                                    broker.clientFile("worker", WORKER).toString(),
                                    "--slices",
                                    "s",
                                    "--slice-count",
                                    "2",
                                    "--pcap",
                                    capture.toString(),
                                    "--speed",
                                    "max",
                                    "--outbox",
                                    directory.resolve("outbox").toString());
                    assertEquals(0, counted.code(), counted.err());
                    assertFalse(counted.err().contains("hush"), counted.err());
                    awaitRow(rows);
                    assertEquals(List.of(), sinks.texts());
                }
                merge.close();
                assertTrue(account.isBalanced());
                assertEquals(List.of(), failures);
            }
        }
    }

    private static List<Allowed> both(List<Allowed> one, List<Allowed> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    private ClusterSinks sinks(KafkaSettings kafka, ClusterNode node, Path rows, Account account) {
        FileSink files =
                new FileSink(
                        rows,
                        FileOptions.DEFAULT,
                        InstantSource.system(),
                        account.stage("rows to file"),
                        true);
        List<Fanout.Branch> branches =
                List.of(new Fanout.Branch(Optional.empty(), new TolerantSink("files", files)));
        return new ClusterSinks(kafka, node, "g", branches, account).start();
    }

    private void awaitRow(Path rows) {
        Await.until(() -> hasRow(rows), () -> "no rows " + failures);
    }

    private static boolean hasRow(Path rows) throws IOException {
        if (!Files.exists(rows)) {
            return false;
        }
        try (Stream<Path> files = Files.list(rows)) {
            return files.filter(file -> file.toString().contains("json"))
                    .anyMatch(file -> file.toFile().length() > 0);
        }
    }

    private void statementsRunAndAreNoted(ClusterNode node, SecuredBroker broker, Path capture)
            throws Exception {
        SqlSession session =
                new AuditedNode(node, node.audit(), "here:1", Clock.SYSTEM).session(ADMIN);
        String perPort =
                "CREATE QUERY per_port AS SELECT window_end, dst_port, COUNT(*) AS n FROM packets"
                        + " WHERE node_id = 'x' GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_port";
        for (String sql : List.of(perPort, ALL_NODES)) {
            var unused = ((Answer.Change) session.prepare(sql)).action().get();
        }
        assertThrows(WeirException.class, () -> session.prepare("DROP QUERY none"));
        AtomicReference<Throwable> ended = new AtomicReference<>();
        Worker worker = worker(broker.client("worker", WORKER).with(rows(RowFormat.AVRO)), capture);
        Thread running = new Thread(worker::run);
        Thread test = Thread.currentThread();
        running.setUncaughtExceptionHandler(
                (thread, e) -> {
                    e.printStackTrace();
                    ended.set(e);
                    test.interrupt(); // no rows will come
                });
        running.start();
        assertRows(session, "SUBSCRIBE per_port"); // of the worker
        assertRows(session, "SUBSCRIBE all_nodes"); // of the merge
        assertAvro(broker.client("server", SERVER));
        worker.stop();
        running.join();
        assertEquals(null, ended.get());

        List<AuditEntry> noted = node.audit().last(10);
        assertEquals(
                List.of("ok", "ok", "UNKNOWN_QUERY", "begun", "begun"),
                noted.stream().map(AuditEntry::outcome).toList());
        assertEquals(perPort, noted.get(0).statement());
        assertEquals("root", noted.get(0).user());
        assertTrue(noted.get(1).version().getAsLong() > noted.get(0).version().getAsLong());
        List<List<String>> shown = ((Answer.Texts) session.prepare("SHOW AUDIT")).rows().get();
        assertEquals(5, shown.size());
    }

    private RowFormats rows(RowFormat format) {
        return new RowFormats(format, Optional.of(directory), Optional.empty());
    }

    /** A consumer that knows the schema's file reads a row. */
    private void assertAvro(KafkaSettings kafka) throws Exception {
        String topic = "weir.results.per_port";
        Schema schema = new Schema.Parser().parse(directory.resolve(topic + ".avsc").toFile());
        TopicPartition results = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = TopicTail.consumer(kafka, "test")) {
            consumer.assign(List.of(results));
            consumer.seekToBeginning(List.of(results));
            List<ConsumerRecord<byte[], byte[]>> records = List.of();
            while (records.isEmpty()) {
                records = consumer.poll(Duration.ofSeconds(1)).records(results);
            }
            ConsumerRecord<byte[], byte[]> first = records.get(0);
            GenericRecord row =
                    new GenericDatumReader<GenericRecord>(schema)
                            .read(null, DecoderFactory.get().binaryDecoder(first.value(), null));
            assertEquals(
                    "{\"dst_port\":" + row.get("dst_port") + "}",
                    new String(first.key(), StandardCharsets.UTF_8));
            assertEquals(
                    "avro",
                    new String(
                            first.headers().lastHeader("format").value(), StandardCharsets.UTF_8));
        }
    }

    private Worker worker(KafkaSettings kafka, Path capture) {
        return new Worker(
                WorkerSettings.of(
                        "x",
                        capture,
                        new ReplayOptions(2, true, Optional.empty(), Duration.ZERO),
                        directory.resolve("outbox")),
                kafka,
                new WorkerListener() {});
    }

    private static void assertRows(SqlSession session, String sql) {
        RowProducer producer = ((Answer.Flow) session.prepare(sql)).producer().get();
        AtomicInteger rows = new AtomicInteger();
        producer.produce(
                batch -> {
                    rows.addAndGet(batch.rows());
                    producer.stop();
                });
        assertTrue(rows.get() > 0, sql);
    }

    private void strangersStayOut(SecuredBroker broker, Path capture) throws Exception {
        String kafka = broker.bootstrap();
        String[] worker = {"worker", "--kafka", kafka, "--pcap", capture.toString()};
        assertRefused("Authentication failed", worker, broker.clientFile("worker", "wrong-hush"));
        assertRefused("Authentication failed", worker, broker.clientFile("nobody", "none-hush"));
        assertRefused(
                "weir.catalog is not there, or hidden",
                worker,
                broker.clientFile("stranger", "stranger-hush"));
        String[] server = {"server", "--kafka", kafka, "--port", "0"};
        assertRefused("is not there, or hidden", server, broker.clientFile("worker", WORKER));
        // A worker of another name has no right to its transactions: it ends, and says so.
        String[] other = {
            "worker",
            "--kafka",
            kafka,
            "--pcap",
            capture.toString(),
            "--repeat",
            "--node-id",
            "y",
            "--outbox",
            directory.resolve("outbox-y").toString()
        };
        assertRefused("counted rows cannot be sent", other, broker.clientFile("worker", WORKER));
        try (KafkaConsumer<byte[], byte[]> consumer =
                TopicTail.consumer(broker.client("stranger", "stranger-hush"), "test")) {
            TopicPartition results = new TopicPartition("weir.results.per_port", 0);
            consumer.assign(List.of(results));
            assertThrows(
                    TopicAuthorizationException.class,
                    () -> consumer.beginningOffsets(List.of(results)));
        }
    }

    private static void assertRefused(String expected, String[] command, Path config) {
        String[] whole = new String[command.length + 2];
        System.arraycopy(command, 0, whole, 0, command.length);
        whole[command.length] = "--kafka-config";
        whole[command.length + 1] = config.toString();
        Cli.Result result = Cli.run(whole);
        assertEquals(2, result.code(), result.err());
        assertTrue(result.err().contains("error KAFKA_UNAVAILABLE: "), result.err());
        assertTrue(result.err().contains(expected), result.err());
        assertFalse(result.err().contains("hush"), result.err());
        assertTrue(result.err().contains("hint: credentials come from"), result.err());
    }
}
