package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.ScriptedFactory.Script;
import io.weir.cluster.security.User;
import io.weir.cluster.table.TableFolders;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.WeirException;
import io.weir.operators.rows.RowBatch;
import io.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lookup table's file is replaced while a live query reads it. */
@Timeout(120)
class LiveTablesTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long START_NS = 1_700_000_000L * SECOND_NS;
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir private Path folder;

    /** Packets by window and owner. */
    private final Map<String, Long> counted = new ConcurrentHashMap<>();

    private final String source = "tables" + NAMES.incrementAndGet();
    private EmbeddedNode node;
    private RowProducer producer;
    private Thread reader;

    @BeforeEach
    void open() throws IOException {
        Files.writeString(folder.resolve("hosts.csv"), "addr,owner\n10.0.0.1,first\n");
        node =
                new EmbeddedNode(
                        NodeSettings.DEFAULT,
                        Sources.parse("test:" + source, "local"),
                        new TableFolders(List.of(folder)));
        node.open();
        change("CREATE TABLE hosts WITH (file = 'hosts.csv', key = 'addr', reload = true)");
        Answer.Flow flow =
                (Answer.Flow)
                        node.session(User.ANYBODY)
                                .prepare(
                                        "SELECT window_start, owner, COUNT(*) AS n FROM packets"
                                                + " LEFT JOIN hosts ON src_addr = hosts.addr GROUP BY"
                                                + " TUMBLE(ts, INTERVAL '1' SECOND), owner");
        producer = flow.producer().get();
        reader = new Thread(() -> producer.produce(this::take), "live-tables");
        reader.start();
        Await.until(() -> node.isRunning(1));
    }

    @AfterEach
    void close() throws InterruptedException {
        producer.stop();
        reader.join();
        node.close();
    }

    private void take(RowBatch batch) {
        for (int row = 0; row < batch.rows(); row++) {
            long second = (batch.word(row, 0) - START_NS) / SECOND_NS;
            counted.merge(
                    second + " " + batch.value(row, 1), (Long) batch.value(row, 2), Long::sum);
        }
    }

    private void change(String sql) {
        var unused = ((Answer.Change) node.session(User.ANYBODY).prepare(sql)).action().get();
    }

    private List<String> table() {
        return ((Answer.Texts) node.session(User.ANYBODY).prepare("SHOW TABLES"))
                .rows()
                .get()
                .get(0);
    }

    private void replace(String text) throws IOException {
        Path next = Files.writeString(folder.resolve("next.csv"), text);
        Files.move(next, folder.resolve("hosts.csv"), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Ten packets, a tenth of a second apart. */
    private void second(int second) {
        Script script = ScriptedFactory.script(source);
        for (int tenth = 0; tenth < 10; tenth++) {
            script.packet(START_NS + second * SECOND_NS + tenth * SECOND_NS / 10, 1);
        }
        script.pass(START_NS + (second + 1) * SECOND_NS - 1);
        Await.until(script::isDone);
    }

    @Test
    void theNewContentComesBetweenTwoBlocks() throws IOException {
        second(0);
        second(1);
        replace("addr,owner\n10.0.0.1,\"second, longer than the first\"\n10.0.0.2,other\n");
        Await.until(() -> table().get(1).equals("2"));
        second(2);
        second(3);
        replace("addr,owner\nnot an address,x\n");
        Await.until(() -> table().get(9).contains("line 2"));
        second(4);
        replace("addr,owner\n10.0.0.9,x\n");
        Await.until(() -> table().get(1).equals("1") && table().get(9).isEmpty());
        for (int s = 5; s < 10; s++) {
            second(s);
        }
        String second = "second, longer than the first";
        Map<String, Long> wanted =
                new TreeMap<>(
                        Map.of(
                                "0 first",
                                10L,
                                "1 first",
                                10L,
                                "2 " + second,
                                10L,
                                "3 " + second,
                                10L,
                                "4 " + second,
                                10L,
                                "5 null",
                                10L));
        Await.until(() -> counted.containsKey("6 null"));
        wanted.forEach((key, n) -> assertEquals(n, counted.get(key), key + " of " + counted));
        assertTrue(counted.keySet().stream().noneMatch(key -> key.equals("5 " + second)));
    }

    @Test
    void conditionsOfWhenDoNotLookUp() {
        change(
                "CREATE QUERY hot AS SELECT src_addr, COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr");
        WeirException refused =
                assertThrows(
                        WeirException.class,
                        () ->
                                change(
                                        "CREATE QUERY woken AS SELECT COUNT(*) AS n FROM packets"
                                                + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)"
                                                + " WHEN hot.src_addr IN (SELECT addr FROM hosts)"));
        assertTrue(refused.place().isPresent(), refused.text());
        assertTrue(refused.text().contains("in WHEN"), refused.text());
        assertTrue(refused.hint().orElse("").contains("hot"), refused.text());
    }
}
