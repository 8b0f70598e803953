package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.cluster.table.TableFolders;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.rows.RowBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lookup tables from files, joined with packets, flows and rows of queries. */
class LookupTablesTest {
    private static final int A = 0x0a000001;
    private static final int B = 0x0a000002;
    private static final int C = 0x0a010203;

    @TempDir private Path folder;

    private EmbeddedNode node;

    @BeforeEach
    void open() throws IOException {
        Path capture =
                new PcapFile()
                        .udp(0, A, B, 53, 100)
                        .udp(1_000_000, B, A, 53, 200)
                        .tcp(2_000_000, C, A, 80, 2)
                        .udp(3_000_000, A, C, 54, 300)
                        .udp(4_000_000, A, B, 53, 400)
                        .write(folder.resolve("a.pcap"));
        csv("bad.csv", "addr,name,score\n10.0.0.1,\"one, first\",5\n10.0.0.2,,7\n");
        csv("nets.csv", "net,owner\n10.0.0.0/8,ten\n10.1.0.0/16,inner\n10.1.2.3,host\n");
        TableFolders folders = new TableFolders(List.of(folder));
        node =
                new EmbeddedNode(
                        NodeSettings.DEFAULT, List.of(SourceSpec.pcap("x", capture)), folders);
        node.open();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private Path csv(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Answer answer(String sql) {
        return node.session(User.ANYBODY).prepare(sql);
    }

    private void change(String sql) {
        var unused = ((Answer.Change) answer(sql)).action().get();
    }

    private List<String> rows(String sql) {
        Answer answer = answer(sql);
        if (answer instanceof Answer.Texts texts) {
            return texts.rows().get().stream().map(row -> String.join(" ", row)).toList();
        } else if (answer instanceof Answer.Snapshot snapshot) {
            return snapshot.rows().get().stream().map(List::of).map(Object::toString).toList();
        }
        List<String> rows = new ArrayList<>();
        RowProducer producer = ((Answer.Flow) answer).producer().get();
        producer.produce(batch -> rows.addAll(texts(batch)));
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

    private WeirException failure(String sql) {
        return assertThrows(WeirException.class, () -> change(sql), sql);
    }

    private void createBoth() {
        change("CREATE TABLE bad WITH (file = 'bad.csv', key = 'addr', reload = true)");
        change("CREATE TABLE nets WITH (file = 'nets.csv', key = 'net', match = 'prefix')");
    }

    @Test
    void packetsFindTheirRows() {
        createBoth();
        assertEquals(
                List.of("one, first 5 3 15", "null 7 1 7"),
                rows(
                        "SELECT name, score, COUNT(*) AS n, SUM(score) AS total FROM packets"
                                + " JOIN bad ON src_addr = bad.addr GROUP BY name, score"
                                + " ORDER BY n DESC"));
        assertEquals(
                List.of("host 1", "ten 4"),
                rows(
                        "SELECT n.owner, COUNT(*) AS n FROM packets AS p"
                                + " JOIN nets AS n ON p.src_addr = n.net GROUP BY n.owner"
                                + " ORDER BY owner"));
        assertEquals(
                List.of("10.0.0.1 one, first 3", "10.0.0.2 null 1", "10.1.2.3 null 1"),
                rows(
                        "SELECT src_addr, name, COUNT(*) AS n FROM packets"
                                + " LEFT JOIN bad ON src_addr = bad.addr GROUP BY src_addr"));
        assertEquals(
                List.of("100 10.0.0.0 8", "200 10.0.0.0 8", "300 10.1.2.3 32", "400 10.0.0.0 8"),
                rows(
                        "SELECT bytes, net, net_length FROM packets"
                                + " JOIN nets ON dst_addr = nets.net WHERE proto = 17"));
    }

    @Test
    void inAsksForAKey() {
        createBoth();
        assertEquals(
                List.of("4"),
                rows("SELECT COUNT(*) FROM packets WHERE src_addr IN (SELECT addr FROM bad)"));
        assertEquals(
                List.of("1"),
                rows("SELECT COUNT(*) FROM packets WHERE src_addr NOT IN (SELECT addr FROM bad)"));
        assertEquals(
                List.of("10.0.0.1 3", "10.0.0.2 1"),
                rows(
                        "SELECT src_addr, COUNT(*) FROM packets GROUP BY src_addr"
                                + " HAVING src_addr IN (SELECT addr FROM bad)"));
        String many =
                IntStream.range(0, 3_000)
                        .mapToObj(n -> "" + (n * 7 + 53))
                        .collect(Collectors.joining(", "));
        assertEquals(
                List.of("3"),
                rows("SELECT COUNT(*) FROM packets WHERE dst_port IN (" + many + ")"));
        String hundred =
                IntStream.range(0, 100)
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(", "));
        assertEquals(
                List.of("53 3", "54 1", "80 1"),
                rows(
                        "SELECT dst_port, COUNT(*) AS n FROM packets GROUP BY dst_port"
                                + " HAVING dst_port IN ("
                                + hundred
                                + ") AND COUNT(*) IN ("
                                + hundred
                                + ") ORDER BY dst_port"));
    }

    @Test
    void flowsAndRowsOfQueriesFindTheirRows() {
        createBoth();
        assertEquals(
                List.of("10.0.0.1 10.0.0.2 one, first 2", "10.0.0.1 10.1.2.3 one, first 1"),
                rows(
                        "SELECT src_addr, dst_addr, name, packets FROM flows"
                                + " JOIN bad ON src_addr = bad.addr WHERE score = 5"
                                + " ORDER BY packets DESC"));
        change(
                "CREATE QUERY talkers AS SELECT src_addr, COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr");
        assertEquals(
                List.of("10.0.0.1 3 one, first", "10.0.0.2 1 null"),
                rows(
                        "SELECT src_addr, n, name FROM talkers"
                                + " JOIN bad ON talkers.src_addr = bad.addr ORDER BY n DESC"));
    }

    @Test
    void tablesAreListedAndDropped() {
        createBoth();
        List<String> shown = rows("SHOW TABLES");
        assertEquals(2, shown.size());
        assertTrue(
                shown.get(0).matches("bad 2 \\d+ bad.csv addr equal true 20\\S+.* [0-9a-f]{64} "));
        assertEquals(
                List.of("[bad, 2]", "[nets, 3]"),
                rows("SELECT name, \"rows\" FROM sys.tables ORDER BY name"));
        assertEquals(
                List.of("addr INET of the key", "name VARCHAR NULL ", "score BIGINT NULL "),
                rows("DESCRIBE bad"));
        assertEquals(
                List.of(
                        "net INET of the prefix",
                        "net_length BIGINT of the prefix",
                        "owner VARCHAR NULL "),
                rows("DESCRIBE nets"));
        change(
                "CREATE QUERY q AS SELECT bytes FROM packets WHERE src_addr IN (SELECT addr FROM bad)");
        assertTrue(failure("DROP TABLE bad").getMessage().contains("q reads bad"));
        assertTrue(
                failure("CREATE OR REPLACE TABLE bad WITH (file = 'nets.csv', key = 'net')")
                        .getMessage()
                        .contains("q reads bad"));
        change("DROP QUERY q");
        change("DROP TABLE bad");
        change("DROP TABLE IF EXISTS bad");
        assertEquals(1, rows("SHOW TABLES").size());
    }

    /** A changed file is read before the next run; one with a fault is told, and not taken. */
    @Test
    void aChangedFileIsReadAgain() throws IOException {
        createBoth();
        String count = "SELECT COUNT(*) FROM packets WHERE src_addr IN (SELECT addr FROM bad)";
        assertEquals(List.of("4"), rows(count));
        touched(csv("bad.csv", "addr,name,score\n10.1.2.3,three,1\n"), 1);
        assertEquals(List.of("1"), rows(count));
        touched(csv("bad.csv", "addr,name,score\n10.1.2.3,three,1\nten,four,1\n"), 2);
        assertEquals(List.of("1"), rows(count));
        String error = "bad.csv, line 3: 'ten' in addr is not an address";
        assertTrue(rows("SHOW TABLES").get(0).endsWith(error), rows("SHOW TABLES").get(0));
    }

    private static void touched(Path file, int seconds) throws IOException {
        FileTime later = FileTime.fromMillis(System.currentTimeMillis() + seconds * 1_000L);
        var unused = Files.setLastModifiedTime(file, later);
    }

    @Test
    void filesOfMaxMindAreRead() throws IOException {
        Map<String, Object> home =
                Map.of("country", Map.of("iso_code", "XX"), "asns", List.of(64_500L, 64_501L));
        byte[] bytes =
                new MmdbFile()
                        .add(0x0a000000, 16, home)
                        .add(0x0a010000, 16, Map.of("country", Map.of("iso_code", "YY")))
                        .bytes();
        Files.write(folder.resolve("geo.mmdb"), bytes);
        change(
                "CREATE TABLE geo (net CIDR, country VARCHAR PATH 'country.iso_code',"
                        + " asn BIGINT PATH 'asns.1')"
                        + " WITH (file = 'geo.mmdb', key = 'net', match = 'prefix')");
        assertEquals(
                List.of("XX 64501 4", "YY null 1"),
                rows(
                        "SELECT country, asn, COUNT(*) AS n FROM packets"
                                + " JOIN geo ON src_addr = geo.net GROUP BY country, asn"
                                + " ORDER BY country"));
        Files.write(folder.resolve("cut.mmdb"), Arrays.copyOf(bytes, bytes.length / 2));
        String create =
                "CREATE TABLE cut (net CIDR) WITH (file = 'cut.mmdb', key = 'net', match = 'prefix')";
        assertTrue(failure(create).getMessage().contains("cut.mmdb is no MaxMind file"));
        assertTrue(
                failure("CREATE TABLE t WITH (file = 'geo.mmdb', key = 'net', match = 'prefix')")
                        .getMessage()
                        .contains("its columns must be declared"));
    }

    @Test
    void hostileFilesAreRefusedWithTheLine() throws IOException {
        for (String[] one :
                new String[][] {
                    {"", "is empty"},
                    {"addr,name\n1.2.3.4\n", "line 2: 1 cells; the first line has 2"},
                    {"addr,addr\n", "line 1: each column needs a name of its own"},
                    {"addr,name\n\"1.2.3.4,x\n", "line 2: a quote is not closed"},
                    {"addr,name\n1.2.3.4,a\n,b\n", "line 3: the key addr is empty"},
                    {
                        "addr,name\n1.2.3.4,a\n1.2.3.4,b\n",
                        "line 3: its key is there before, in line 2"
                    },
                    {"name\nx\n", "has no column addr"}
                }) {
            csv("hostile.csv", one[0]);
            String message =
                    failure("CREATE TABLE t WITH (file = 'hostile.csv', key = 'addr')")
                            .getMessage();
            assertTrue(message.contains(one[1]), message);
        }
        csv("hostile.csv", "addr,name\n1.2.3.4,a\n\n\"5.6.7.8\",\"b \"\"q\"\"\"\n");
        change("CREATE TABLE t WITH (file = 'hostile.csv', key = 'addr')");
        assertTrue(rows("SHOW TABLES").get(0).startsWith("t 2 "));
    }

    @Test
    void onlyFilesInTheFolderAreRead() throws IOException {
        Path outside = Files.createTempFile("outside", ".csv");
        Files.writeString(outside, "addr\n1.2.3.4\n");
        Files.createSymbolicLink(folder.resolve("link.csv"), outside);
        for (String file :
                List.of(
                        outside.toString(),
                        "link.csv",
                        "../" + outside.getFileName(),
                        "none.csv")) {
            WeirException refused =
                    failure("CREATE TABLE t WITH (file = '" + file + "', key = 'addr')");
            assertEquals(ErrorCode.UNREADABLE_INPUT, refused.code());
            assertTrue(refused.getMessage().contains("there is no file"), refused.getMessage());
        }
        Files.delete(outside);
    }

    @Test
    void aViewerCreatesNoTable() {
        SqlSession viewer = node.session(new User("eve", Set.of(Role.VIEWER)));
        String create = "CREATE TABLE t WITH (file = 'bad.csv', key = 'addr')";
        WeirException refused = assertThrows(WeirException.class, () -> viewer.prepare(create));
        assertEquals(ErrorCode.NOT_ALLOWED, refused.code());
    }
}
