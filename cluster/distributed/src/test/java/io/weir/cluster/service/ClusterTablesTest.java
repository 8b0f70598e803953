package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.Answer;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.node.PcapFile;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.cluster.table.TableFolders;
import io.weir.cluster.worker.ReplayOptions;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerListener;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.rows.RowBatch;
import io.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lookup tables of a cluster: two workers and the merge, each with its own file. */
@Timeout(300)
class ClusterTablesTest {
    private static final int PACKETS = 5_000;
    private static final User ANYBODY = User.ANYBODY;

    private static final String NETS =
            "CREATE TABLE nets WITH (file = 'nets.csv', key = 'net', match = 'prefix')";
    private static final String BAD = "CREATE TABLE bad WITH (file = 'bad.csv', key = 'addr')";

    /** Tables in kernels of packets, of flows, and of rows where workers' rows are merged. */
    private static final String[] CREATES = {
        "CREATE QUERY owners AS SELECT owner, COUNT(*) AS n, SUM(bytes) AS b FROM packets"
                + " LEFT JOIN nets ON src_addr = nets.net GROUP BY owner",
        "CREATE QUERY listed AS SELECT dst_port, COUNT(*) AS n FROM packets"
                + " WHERE src_addr IN (SELECT addr FROM bad) GROUP BY dst_port",
        "CREATE QUERY named AS SELECT src_addr, name, score, COUNT(*) AS n FROM packets"
                + " JOIN bad ON src_addr = bad.addr GROUP BY src_addr",
        "CREATE QUERY seconds AS SELECT window_end, src_addr, COUNT(*) AS n FROM packets"
                + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr",
        "CREATE QUERY merged AS SELECT owner, SUM(n) AS n FROM seconds"
                + " JOIN nets ON seconds.src_addr = nets.net GROUP BY owner",
        "CREATE QUERY per_second AS SELECT window_end, owner, SUM(bytes) AS b FROM packets"
                + " JOIN nets ON src_addr = nets.net"
                + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), owner",
        "CREATE QUERY sums AS SELECT owner, SUM(b) AS b FROM per_second GROUP BY owner",
        "CREATE QUERY parts AS SELECT name, SUM(n) AS n FROM (SELECT window_end, src_addr, n"
                + " FROM seconds) AS s JOIN bad ON s.src_addr = bad.addr GROUP BY name"
    };

    private static final Map<String, String> SELECTS =
            new TreeMap<>(
                    Map.of(
                            "owners", "SELECT owner, n, b FROM owners",
                            "listed", "SELECT dst_port, n FROM listed",
                            "named", "SELECT src_addr, name, score, n FROM named",
                            "merged", "SELECT owner, n FROM merged",
                            "sums", "SELECT owner, b FROM sums",
                            "parts", "SELECT name, n FROM parts",
                            "joined",
                                    "SELECT name, SUM(n) AS n FROM named JOIN nets ON"
                                            + " named.src_addr = nets.net GROUP BY name"));

    @TempDir private Path directory;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Both workers are there before the first packet of either. */
    private final Instant begin = Instant.now().plusSeconds(25);

    private EmbeddedBroker broker;
    private ClusterNode node;
    private MergeInstance merge;

    @BeforeEach
    void start() throws IOException {
        for (String name : List.of("a", "b", "server")) {
            files(name);
        }
        broker = EmbeddedBroker.startAlone(directory.resolve("kafka"));
        KafkaSettings kafka = KafkaSettings.of(broker.bootstrap());
        node = ClusterNode.open(kafka, "one", folder("server"));
        merge = new MergeInstance(kafka, node, failures::add);
    }

    @AfterEach
    void stop() throws InterruptedException {
        workers.forEach(Worker::stop);
        for (Thread thread : threads) {
            thread.join();
        }
        merge.close();
        node.close();
        broker.close();
    }

    private Path files(String name) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("tables-" + name));
        Files.writeString(
                folder.resolve("nets.csv"),
                "net,owner\n10.0.0.0/8,ten\n10.0.0.16/28,lab\n10.0.0.40,host\n10.0.0.1,\n");
        Files.writeString(
                folder.resolve("bad.csv"),
                "addr,name,score\n10.0.0.3,three,5\n10.0.0.4,,7\n10.0.0.5,\"five, too\",\n");
        return folder;
    }

    private TableFolders folder(String name) {
        return new TableFolders(List.of(directory.resolve("tables-" + name)));
    }

    private Path capture(String name) {
        Path file = directory.resolve(name + ".pcap");
        return Files.exists(file)
                ? file
                : new PcapFile().random(name.charAt(0), PACKETS).write(file);
    }

    private void work(String name, boolean repeats) {
        Worker worker =
                new Worker(
                        WorkerSettings.of(
                                        name,
                                        capture(name),
                                        new ReplayOptions(
                                                4,
                                                repeats,
                                                Optional.of(begin),
                                                false,
                                                Duration.ofSeconds(60)),
                                        directory.resolve("outbox-" + name))
                                .withTables(folder(name)),
                        KafkaSettings.of(broker.bootstrap()),
                        new WorkerListener() {});
        workers.add(worker);
        Thread thread = new Thread(worker::run, name);
        threads.add(thread);
        thread.start();
    }

    private static void change(SqlNode node, String sql) {
        var unused = ((Answer.Change) node.session(ANYBODY).prepare(sql)).action().get();
    }

    private static List<String> rows(SqlNode node, String sql) {
        Answer answer = node.session(ANYBODY).prepare(sql);
        if (answer instanceof Answer.Texts texts) {
            return texts.rows().get().stream().map(row -> String.join(" ", row)).toList();
        }
        List<String> rows = new ArrayList<>();
        ((Answer.Flow) answer).producer().get().produce(batch -> rows.addAll(texts(batch)));
        rows.sort(null);
        return rows;
    }

    private static List<String> texts(RowBatch batch) {
        return IntStream.range(0, batch.rows())
                .mapToObj(
                        row ->
                                IntStream.range(0, batch.layout().columns().size())
                                        .mapToObj(c -> String.valueOf(batch.value(row, c)))
                                        .collect(Collectors.joining(" ")))
                .toList();
    }

    private void await(String sql, List<String> wanted) {
        Await.until(
                () -> rows(node, sql).equals(wanted),
                () -> wanted + " of " + sql + rows(node, sql) + rows(node, "SHOW EVENTS"));
    }

    private void awaitEvent(String wanted, boolean there) {
        Await.until(
                () ->
                        rows(node, "SHOW EVENTS").stream().anyMatch(one -> one.contains(wanted))
                                == there,
                () -> wanted + " in " + rows(node, "SHOW EVENTS"));
    }

    private Map<String, List<String>> onOneMachine() {
        Map<String, List<String>> rows = new TreeMap<>();
        List<SourceSpec> sources =
                List.of(SourceSpec.pcap("a", capture("a")), SourceSpec.pcap("b", capture("b")));
        try (EmbeddedNode one = new EmbeddedNode(NodeSettings.DEFAULT, sources, folder("server"))) {
            one.open();
            change(one, NETS);
            change(one, BAD);
            for (String create : CREATES) {
                change(one, create);
            }
            SELECTS.forEach((name, select) -> rows.put(name, rows(one, select)));
        }
        return rows;
    }

    @Test
    void theRowsAreThoseOfOneMachine() throws Exception {
        change(node, NETS);
        change(node, BAD);
        for (String create : CREATES) {
            change(node, create);
        }
        work("a", false);
        work("b", false);
        for (Map.Entry<String, List<String>> one : onOneMachine().entrySet()) {
            assertTrue(one.getValue().size() > 1, one.toString());
            await(SELECTS.get(one.getKey()), one.getValue());
        }
        String all = "SELECT COUNT(*) AS n, SUM(n) AS s FROM ";
        String joined =
                "(SELECT a.n FROM seconds AS a JOIN seconds AS b ON a.window_end = b.window_end AND"
                        + " a.src_addr = b.src_addr) AS j";
        await(all + joined, rows(node, all + "seconds"));
        WeirException refused =
                assertThrows(
                        WeirException.class,
                        () -> rows(node, all + "(SELECT bytes AS n FROM packets) AS x"));
        assertTrue(refused.getMessage().contains("at the workers"), refused.text());
        List<String> shown = rows(node, "SHOW TABLES");
        assertTrue(shown.get(0).startsWith("bad 3 "), shown.toString());
        assertTrue(shown.get(1).startsWith("nets 4 "), shown.toString());
        assertEquals(
                List.of(
                        "net INET of the prefix",
                        "net_length BIGINT of the prefix",
                        "owner VARCHAR NULL "),
                rows(node, "DESCRIBE nets"));
        assertEquals(List.of(), failures);
    }

    @Test
    void aWorkerWithAnotherFileDoesNotRunTheQuery() throws Exception {
        Path other = directory.resolve("tables-b").resolve("bad.csv");
        Files.writeString(other, "addr,name,score\n10.0.0.3,other,5\n");
        change(node, BAD);
        change(node, "CREATE QUERY all_of AS SELECT COUNT(*) AS n FROM packets");
        change(
                node,
                "CREATE QUERY listed AS SELECT window_end, COUNT(*) AS n, completeness FROM packets"
                        + " WHERE src_addr IN (SELECT addr FROM bad)"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)");
        work("a", true);
        work("b", true);
        awaitEvent("does not run listed worker b", true);
        awaitEvent("bad.csv has the SHA-256 ", true);
        awaitEvent("does not run all_of", false);
        awaitEvent("does not run listed worker a", false);
        awaitComplete(false);
        Files.copy(
                directory.resolve("tables-a").resolve("bad.csv"),
                other,
                StandardCopyOption.REPLACE_EXISTING);
        awaitEvent("does not run", false);
        awaitComplete(true);
        // New content: the files first, then the catalogue.
        for (String name : List.of("a", "server")) {
            Files.writeString(
                    directory.resolve("tables-" + name).resolve("bad.csv"),
                    "addr,name,score\n10.0.0.9,nine,1\n");
        }
        change(node, BAD.replace("CREATE", "CREATE OR REPLACE"));
        awaitEvent("does not run listed worker b", true);
        awaitComplete(false);
        assertTrue(rows(node, "SHOW TABLES").get(0).startsWith("bad 1 "));
        assertEquals(List.of(), failures);
    }

    private void awaitComplete(boolean wanted) {
        String select = "SELECT completeness FROM listed";
        Await.until(
                () -> {
                    List<String> rows = rows(node, select);
                    return !rows.isEmpty() && rows.get(0).equals("1.0") == wanted;
                },
                () -> rows(node, select));
    }

    @Test
    void rightsAndErrorsAreThoseOfOneMachine() {
        change(node, BAD);
        change(
                node,
                "CREATE QUERY q AS SELECT bytes FROM packets WHERE src_addr IN (SELECT addr FROM bad)");
        for (String[] one :
                new String[][] {
                    {BAD, "there is a table bad already"},
                    {"DROP TABLE bad", "q reads bad"},
                    {"DROP TABLE nothing", "there is no table nothing"},
                    {"CREATE TABLE q WITH (file = 'bad.csv', key = 'addr')", "stream or query"},
                    {"CREATE TABLE t WITH (file = '../x.csv', key = 'addr')", "no file ../x.csv"},
                    {
                        "CREATE TABLE t WITH (file = 'bad.csv', key = 'addr', reload = true)",
                        "not read by itself"
                    }
                }) {
            String message =
                    assertThrows(WeirException.class, () -> change(node, one[0])).getMessage();
            assertTrue(message.contains(one[1]), message);
        }
        WeirException refused =
                assertThrows(
                        WeirException.class,
                        () -> node.session(new User("eve", Set.of(Role.VIEWER))).prepare(NETS));
        assertEquals(ErrorCode.NOT_ALLOWED, refused.code());
        change(node, "DROP QUERY q");
        change(node, "DROP TABLE bad");
        assertEquals(List.of(), rows(node, "SHOW TABLES"));
    }
}
