package io.weir.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.kafka.results.ResultTopic;
import io.weir.cluster.sink.Fanout;
import io.weir.cluster.sink.FileOptions;
import io.weir.cluster.sink.FileSink;
import io.weir.cluster.sink.TolerantSink;
import io.weir.operators.account.Account;
import io.weir.testing.Await;
import io.weir.testing.LogLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server's sinks against the topics that rows are in: all of them, each once. */
@Timeout(900)
class ClusterSinksTest {
    private static final long PATIENCE_MS = 300_000;
    private static final List<String> QUERIES = List.of("per_node", "merged", "ordered");

    @TempDir private Path directory;
    private final LogLines log = LogLines.of(TolerantSink.class, ClusterSinks.class);
    private final List<String> notes = log.texts();
    private final List<ClusterSinks> open = new ArrayList<>();
    private final List<Account> accounts = new ArrayList<>();

    private ClusterSinks sinks(TinyCluster cluster, String group, String folder) {
        Account account = new Account();
        accounts.add(account);
        FileSink files =
                new FileSink(
                        directory.resolve(folder),
                        FileOptions.DEFAULT,
                        InstantSource.system(),
                        account.stage("rows to " + folder),
                        true);
        List<Fanout.Branch> branches =
                List.of(new Fanout.Branch(Optional.empty(), new TolerantSink(folder, files)));
        ClusterSinks made =
                new ClusterSinks(cluster.kafka(), cluster.node(), group, branches, account);
        open.add(made);
        return made.start();
    }

    /** Also where a test has failed. */
    @AfterEach
    void close() {
        log.close();
        open.forEach(ClusterSinks::close);
    }

    private static void create(TinyCluster cluster) throws Exception {
        cluster.execute(
                "CREATE QUERY per_node AS SELECT window_end, node_id, dst_port, COUNT(*) AS n FROM"
                        + " packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), node_id, dst_port",
                "CREATE QUERY merged AS SELECT window_end, dst_addr, COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr",
                "CREATE QUERY ordered AS SELECT window_end, src_addr, SUM(bytes) AS b FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr ORDER BY b DESC"
                        + " LIMIT 3");
    }

    /** A query's rows in whole files and in parts, in the files' order. */
    private List<String> written(String query, String... folders) {
        List<String> rows = new ArrayList<>();
        for (String folder : folders) {
            if (!Files.exists(directory.resolve(folder))) {
                continue;
            }
            try (Stream<Path> files = Files.list(directory.resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString();
                    if (name.matches(query + "-\\d+\\.json(\\.part)?")) {
                        rows.addAll(Files.readAllLines(file));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        String begin = "{\"query\":\"" + query + "\",";
        return rows.stream().map(row -> row.replace(begin, "{")).toList();
    }

    private static List<String> inKafka(TinyCluster cluster, String query) {
        List<String> rows = new ArrayList<>();
        new ResultTopic(cluster.kafka(), query)
                .all(row -> rows.add(new String(row.value(), StandardCharsets.UTF_8)));
        return rows;
    }

    private void awaitWritten(int rows, String... folders) {
        for (String query : QUERIES) {
            Await.until(() -> written(query, folders).size() >= rows, () -> query + " " + notes);
        }
    }

    /** When no more rows come: those of Kafka, in its order where one server had them all. */
    private void compare(TinyCluster cluster, boolean inOrder, String... folders) {
        for (String query : QUERIES) {
            List<String> theirs = new ArrayList<>(inKafka(cluster, query));
            List<String> ours = new ArrayList<>(written(query, folders));
            assertTrue(theirs.size() > 20, query + ": " + theirs.size());
            if (!inOrder) {
                theirs.sort(null);
                ours.sort(null);
            }
            assertEquals(String.join("\n", theirs), String.join("\n", ours), query);
        }
        assertEquals(List.of(), notes);
        accounts.forEach(each -> assertTrue(each.isBalanced(), "" + each.snapshot()));
        accounts.forEach(
                each ->
                        each.snapshot()
                                .forEach(stage -> assertEquals(0, stage.lostInAll(), "" + stage)));
    }

    /** Sinks that end and begin again go on where they were, also with rows made in between. */
    @Test
    void eachRowOnceThroughRestarts() throws Exception {
        try (TinyCluster cluster = new TinyCluster(directory.resolve("c"), "a", "b")) {
            ClusterSinks first = sinks(cluster, "g", "rows");
            create(cluster);
            awaitWritten(10, "rows");
            first.close();
            int before = written("ordered", "rows").size();
            Await.until(() -> inKafka(cluster, "ordered").size() >= before + 6);
            ClusterSinks second = sinks(cluster, "g", "rows");
            awaitWritten(before + 10, "rows");
            cluster.stopWorkers();
            awaitAll(cluster, "rows");
            second.close();
            compare(cluster, true, "rows");
        }
    }

    /** Servers of one group: who comes shares, who goes leaves its queries to the other. */
    @Test
    void aGroupSharesTheRows() throws Exception {
        try (TinyCluster cluster = new TinyCluster(directory.resolve("c"), "a", "b")) {
            ClusterSinks one = sinks(cluster, "g", "one");
            create(cluster);
            awaitWritten(10, "one");
            ClusterSinks two = sinks(cluster, "g", "two");
            Await.until(
                    Duration.ofMillis(PATIENCE_MS),
                    () -> QUERIES.stream().anyMatch(q -> !written(q, "two").isEmpty()),
                    () -> "nothing is shared");
            awaitWritten(30, "one", "two");
            one.close();
            int now = written("ordered", "one", "two").size();
            awaitWritten(now + 9, "one", "two");
            cluster.stopWorkers();
            awaitAll(cluster, "one", "two");
            two.close();
            compare(cluster, false, "one", "two");
        }
    }

    /** Until what is in Kafka is in files, and stays so. */
    private void awaitAll(TinyCluster cluster, String... folders) throws InterruptedException {
        long deadline = System.currentTimeMillis() + PATIENCE_MS;
        for (int quiet = 0; quiet < 4; ) {
            boolean all =
                    QUERIES.stream()
                            .allMatch(
                                    q -> inKafka(cluster, q).size() == written(q, folders).size());
            quiet = all ? quiet + 1 : 0;
            assertTrue(System.currentTimeMillis() < deadline, "rows are missing; " + notes);
            Thread.sleep(500);
        }
    }
}
