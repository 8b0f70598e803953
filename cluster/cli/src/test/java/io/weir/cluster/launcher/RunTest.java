package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weir run} from the command line to its output, over captures made here. */
class RunTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int A = 0x0a000001;
    private static final int B = 0x0a000002;

    private static final String PER_SECOND =
            "CREATE QUERY per_second AS SELECT src_addr, COUNT(*) AS n, window_start FROM packets"
                    + " GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND);";

    @TempDir private Path folder;

    private String pcap;

    @BeforeEach
    void capture() {
        PcapFile file = new PcapFile();
        file.udp(0, A, B, 53, 100).udp(SECOND / 2, B, A, 53, 200).arp(SECOND / 2);
        file.udp(SECOND, A, B, 53, 50).tcp(2 * SECOND + 5, A, B, 80, 2);
        pcap = file.write(folder.resolve("small.pcap")).toString();
    }

    @Test
    void csvOfTotals() {
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        "SELECT src_addr, COUNT(*) AS n, SUM(bytes) AS bytes, AVG(bytes) AS mean"
                                + " FROM packets GROUP BY src_addr",
                        "--pcap",
                        pcap,
                        "--format",
                        "csv");
        assertEquals(
                """
                src_addr,n,bytes,mean
                10.0.0.1,3,190,63.333333333333336
                10.0.0.2,1,200,200.0
                """,
                result.out());
        assertEquals(0, result.code(), result.err());
    }

    @Test
    void jsonOfWindows() {
        Cli.Result result = Cli.run("run", "-e", PER_SECOND, "--pcap", pcap, "--format", "json");
        assertEquals(
                """
                {"query":"per_second","src_addr":"10.0.0.1","n":1,\
                "window_start":"2026-11-20T23:40:00.000000000Z"}
                {"query":"per_second","src_addr":"10.0.0.2","n":1,\
                "window_start":"2026-11-20T23:40:00.000000000Z"}
                {"query":"per_second","src_addr":"10.0.0.1","n":1,\
                "window_start":"2026-11-20T23:40:01.000000000Z"}
                {"query":"per_second","src_addr":"10.0.0.1","n":1,\
                "window_start":"2026-11-20T23:40:02.000000000Z"}
                """,
                result.out());
    }

    @Test
    void tableOfPackets() {
        String sql = "SELECT ts, src_addr, dst_port, tcp_flags FROM packets WHERE dst_port = 80";
        Cli.Result result = Cli.run("run", "-e", sql, "--pcap", pcap);
        assertEquals(
                """
                q1
                ts                              src_addr  dst_port  tcp_flags
                ------------------------------  --------  --------  ---------
                2026-11-20T23:40:02.000000005Z  10.0.0.1        80          2
                """,
                result.out());
        assertTrue(result.err().contains("1 arp"), result.err());
    }

    @Test
    void keysOfJsonAreUnique() {
        String sql = "SELECT COUNT(*) AS query FROM packets";
        Cli.Result result = Cli.run("run", "-e", sql, "--pcap", pcap, "--format", "json");
        assertEquals("{\"_query\":\"q1\",\"query\":4}\n", result.out());
    }

    @Test
    void aColumnThatALayoutLacksHasItsPlace() {
        String sql = "SELECT src_addr,\n ip_ttl FROM packets";
        Cli.Result result = Cli.run("run", "-e", sql, "--pcap", pcap, "--layout", "flow32");
        assertEquals(2, result.code());
        assertTrue(result.err().contains("COLUMN_ABSENT"), result.err());
        assertTrue(
                result.err().contains("(line 2, column 2)\n   ip_ttl FROM packets\n   ^\n"),
                result.err());
    }

    @Test
    void statsAreTheAccount() throws IOException {
        Path stats = folder.resolve("stats.json");
        Cli.Result result =
                Cli.run("run", "-e", PER_SECOND, "--pcap", pcap, "--stats", stats.toString());
        assertEquals(0, result.code(), result.err());
        String json = Files.readString(stats);
        assertTrue(
                json.startsWith(
                        "{\"stages\": [\n  {\"stage\": \"capture\", \"offered\": 5, \"processed\":"
                                + " 4, \"lost\": {}, \"excluded\": {\"arp\": 1}},\n"),
                json);
    }

    @Test
    void csvOfSeveralQueriesNeedsAChoice() {
        String sql = PER_SECOND + "SELECT COUNT(*) AS all_of_them FROM packets";
        String[] arguments = {"run", "-e", sql, "--pcap", pcap, "--format", "csv"};
        Cli.Result refused = Cli.run(arguments);
        assertEquals(2, refused.code());
        assertEquals(
                """
                error INVALID_OPTION: csv has the rows of one query, and the text has 2
                hint: pick one with --query: per_second, q1
                """,
                refused.err());
        Cli.Result picked =
                Cli.run("run", "-e", sql, "--pcap", pcap, "--format", "csv", "--query", "q1");
        assertEquals("all_of_them\n4\n", picked.out());
    }

    @Test
    void aCutCaptureYieldsWhatIsWhole() {
        PcapFile file = new PcapFile().udp(0, A, B, 53, 100).udp(SECOND, A, B, 53, 100);
        String cut = file.write(folder.resolve("cut.pcap"), 7).toString();
        Cli.Result result =
                Cli.run("run", "-e", "SELECT COUNT(*) AS n FROM packets", "--pcap", cut);
        assertEquals("q1\nn\n-\n1\n", result.out());
        assertTrue(result.err().contains("cut.pcap") && result.err().contains("cut off"));
    }

    @Test
    void nodesAreToldApart() {
        Cli.Result result =
                Cli.run(
                        "run",
                        "-e",
                        "SELECT node_id, COUNT(*) AS n FROM packets GROUP BY node_id ORDER BY n",
                        "--format",
                        "csv",
                        "--node-id",
                        "here",
                        "--pcap",
                        pcap,
                        "tap,1=" + pcap,
                        "--pcap",
                        "tap1=" + pcap);
        assertEquals(2, result.code()); // a comma is no part of a node's name: no such file
        assertTrue(result.err().startsWith("error UNREADABLE_INPUT: tap,1="), result.err());
        Cli.Result named =
                Cli.run(
                        "run",
                        "-e",
                        "SELECT node_id, COUNT(*) AS n FROM packets GROUP BY node_id"
                                + " ORDER BY node_id",
                        "--format",
                        "csv",
                        "--node-id",
                        "here",
                        "--pcap",
                        pcap,
                        "tap1=" + pcap);
        assertEquals(0, named.code(), named.err());
        assertTrue(named.out().contains("here,4\n") && named.out().contains("tap1,4\n"));
    }

    @Test
    void whenIsToldAsItFires() {
        PcapFile file = new PcapFile();
        for (int second = 0; second < 12; second++) {
            int packets = second == 2 ? 30 : 3;
            for (int i = 0; i < packets; i++) {
                file.udp(second * SECOND + i, A, B, 53, 100);
            }
        }
        String burst = file.write(folder.resolve("burst.pcap")).toString();
        String sql =
                "CREATE QUERY load AS SELECT COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);"
                        + "CREATE QUERY drill AS SELECT src_addr, COUNT(*) AS n FROM packets"
                        + " GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND)"
                        + " WHEN load.n > 10 FOR INTERVAL '3' SECOND;";
        Cli.Result result =
                Cli.run("run", "-e", sql, "--pcap", burst, "--query", "drill", "--format", "csv");
        assertEquals("src_addr,n\n10.0.0.1,3\n10.0.0.1,3\n10.0.0.1,3\n", result.out());
        assertTrue(
                result.err()
                        .startsWith(
                                "WHEN: load of the window to 2026-11-20T23:40:03.000000000Z wakes"
                                        + " drill, which counts from"
                                        + " 2026-11-20T23:40:05.000000000Z\n"
                                        + "WHEN: drill counts until"
                                        + " 2026-11-20T23:40:08.000000000Z\n"),
                result.err());
    }

    @ParameterizedTest
    @CsvSource({"1,1,full", "2,1,full", "1,3,full", "3,2,full", "2,2,flow32", "1,1,flow64"})
    void rowsAreTheSameForAnyShape(int partitions, int pipelines, String layout) {
        long seed = 20_261_120;
        String random =
                new PcapFile().random(seed, 5_000).write(folder.resolve("random.pcap")).toString();
        String sql =
                PER_SECOND
                        + "SELECT src_addr, dst_addr, SUM(bytes) AS b FROM packets"
                        + " GROUP BY src_addr, dst_addr;"
                        + "SELECT dst_port, COUNT(DISTINCT src_addr) AS n FROM packets"
                        + " GROUP BY dst_port ORDER BY n DESC LIMIT 3;"
                        + "SELECT ts, src_addr FROM packets WHERE bytes > 520;";
        Cli.Result one = Cli.run("run", "-e", sql, "--pcap", random, "--format", "json");
        assertEquals(0, one.code(), one.err());
        assertTrue(one.out().lines().count() > 1_000);
        Cli.Result shaped =
                Cli.run(
                        "run",
                        "-e",
                        sql,
                        "--pcap",
                        random,
                        "--format",
                        "json",
                        "--partitions",
                        "" + partitions,
                        "--pipelines",
                        "" + pipelines,
                        "--layout",
                        layout,
                        "--cache-slots",
                        "16");
        assertEquals(one.out(), shaped.out(), "seed " + seed);
    }

    @Test
    void aQueryThatOutgrowsItsMemoryEndsAndOthersGoOn() {
        PcapFile file = new PcapFile();
        for (int i = 0; i < 5_000; i++) {
            file.udp(i, A + i, B, 53, 100);
        }
        String flood = file.write(folder.resolve("flood.pcap")).toString();
        String sql =
                "CREATE QUERY all_sources AS SELECT src_addr, COUNT(*) AS n FROM packets"
                        + " GROUP BY src_addr WITH (memory = '64KB', on_overflow = 'fail');"
                        + "CREATE QUERY first_ones AS SELECT src_addr, COUNT(*) AS n, packets_lost AS lost,"
                        + " completeness AS whole FROM packets GROUP BY src_addr LIMIT 1"
                        + " WITH (memory = '64KB');"
                        + "CREATE QUERY every AS SELECT COUNT(*) AS n FROM packets;";
        Cli.Result result = Cli.run("run", "-e", sql, "--pcap", flood, "--format", "json");
        assertEquals(2, result.code(), result.err());
        assertTrue(
                result.err().contains("error BUDGET_EXCEEDED: query all_sources has ended"),
                result.err());
        assertFalse(result.out().contains("all_sources"), result.out());
        assertTrue(result.out().contains("{\"query\":\"every\",\"n\":5000}"), result.out());
        assertTrue(
                Pattern.compile("\"lost\":[1-9][0-9]*,\"whole\":0[.]").matcher(result.out()).find(),
                result.out());
    }

    @Test
    void waitingAndPlaceOfThreadsAreSettings() {
        for (String idle : List.of("busy", "backoff", "PARK")) {
            Cli.Result result =
                    Cli.run(
                            "run",
                            "-e",
                            PER_SECOND,
                            "--pcap",
                            pcap,
                            "--wait",
                            idle,
                            "--pipelines",
                            "2",
                            "--pin",
                            "0");
            assertEquals(0, result.code(), result.err());
        }
        Cli.Result unknown = Cli.run("run", "-e", PER_SECOND, "--pcap", pcap, "--wait", "lazy");
        assertTrue(unknown.err().contains("--wait lazy cannot be"), unknown.err());
        Cli.Result nowhere = Cli.run("run", "-e", PER_SECOND, "--pcap", pcap, "--pin", "9999");
        assertEquals(2, nowhere.code());
        String bound =
                "error INVALID_OPTION: --pin: a thread cannot be bound to CPU 9999\nhint: this";
        assertTrue(nowhere.err().startsWith(bound), nowhere.err());
        Cli.Result second = Cli.run("run", "-e", PER_SECOND, "--pcap", pcap, "--pin", "0,9999");
        assertTrue(second.err().startsWith(bound), second.err());
    }

    @Test
    void informationNeedsNoPackets() {
        Cli.Result result =
                Cli.run("run", "-e", PER_SECOND + "EXPLAIN per_second; DROP QUERY per_second");
        assertEquals(0, result.code(), result.err());
        assertTrue(result.out().contains("Scan packets by ts"), result.out());
        assertFalse(result.out().contains("error"));
    }
}
