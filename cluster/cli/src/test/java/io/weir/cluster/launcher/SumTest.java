package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A SUM that leaves 64 bits is NULL, and is counted: over packets, rows, panes and pipelines. */
class SumTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int HOST = 0x0a000001;

    @TempDir private Path folder;

    private String pcap;

    /** 50 packets of 100 bytes in each of four seconds, of several hosts. */
    @BeforeEach
    void capture() {
        PcapFile file = new PcapFile();
        for (int i = 0; i < 200; i++) {
            file.udp(i * SECOND / 50, HOST + i % 7, HOST + 100 + i % 5, i % 2, 100);
        }
        pcap = file.write(folder.resolve("capture.pcap")).toString();
    }

    private Cli.Result run(String sql, String... more) {
        Stream<String> arguments =
                Stream.concat(
                        Stream.of("run", "-e", sql, "--pcap", pcap, "--format", "csv"),
                        Stream.of(more));
        Cli.Result result = Cli.run(arguments.toArray(String[]::new));
        assertEquals(0, result.code(), result.err());
        return result;
    }

    private static List<String> values(Cli.Result result) {
        List<String> lines = result.out().lines().toList();
        return lines.subList(1, lines.size());
    }

    private static void assertCounted(int sums, Cli.Result result) {
        assertEquals(sums > 0, result.err().contains("sums:q1"), result.err());
        assertTrue(sums == 0 || result.err().contains(sums + " beyond_64_bits"), result.err());
        assertTrue(sums == 0 || result.err().contains(sums + " sums left 64 bits"), result.err());
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "2,2"})
    void overPackets(String partitions, String pipelines) {
        String[] shape = {"--partitions", partitions, "--pipelines", pipelines};
        Cli.Result all =
                run("SELECT SUM(bytes * 1000000000000000) AS s, COUNT(*) AS n FROM packets", shape);
        assertEquals(List.of(",200"), values(all));
        assertCounted(1, all);
        Cli.Result windows =
                run(
                        "SELECT SUM(bytes * 1000000000000000) AS s FROM packets"
                                + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)",
                        shape);
        assertEquals(Collections.nCopies(4, "5000000000000000000"), values(windows));
        assertCounted(0, windows);
        Cli.Result hops =
                run(
                        "SELECT SUM(0 - bytes * 1000000000000000) AS s FROM packets GROUP BY"
                                + " HOP(ts, INTERVAL '1' SECOND, INTERVAL '2' SECOND)",
                        shape);
        String half = "-5000000000000000000";
        assertEquals(List.of(half, "\"\"", "\"\"", "\"\"", half), quoted(values(hops)));
        assertCounted(3, hops);
    }

    private static List<String> quoted(List<String> lines) {
        return lines.stream().map(line -> line.isEmpty() ? "\"\"" : line).toList();
    }

    @Test
    void theLastNumberThatFits() {
        String sql =
                "SELECT SUM(CASE WHEN %s THEN 9223372036854775807 WHEN %s THEN %d ELSE 0 END) AS s"
                        + " FROM packets";
        String first = "ts < TIMESTAMP '2026-11-20 23:40:00.010'";
        String second = "ts = TIMESTAMP '2026-11-20 23:40:00.020'";
        Cli.Result fits = run(sql.formatted(first, second, 0));
        assertEquals(List.of("9223372036854775807"), values(fits));
        assertCounted(0, fits);
        Cli.Result over = run(sql.formatted(first, second, 1));
        assertEquals(List.of("\"\""), quoted(values(over)));
        assertCounted(1, over);
    }

    @Test
    void valuesThatWrapThemselves() {
        Cli.Result result = run("SELECT SUM(bytes * 1000000000000000000) AS s FROM packets");
        assertEquals(List.of("\"\""), quoted(values(result)));
        assertCounted(1, result);
        Cli.Result none =
                run(
                        "SELECT SUM(CASE WHEN bytes > 100 THEN bytes * 1000000000000000000"
                                + " ELSE 1 END) AS s FROM packets");
        assertEquals(List.of("200"), values(none));
        assertCounted(0, none);
    }

    @Test
    void overRows() {
        String seconds =
                "CREATE QUERY big AS SELECT window_end, SUM(bytes * 1000000000000000) AS s"
                        + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);";
        String sum = "SUM(s) AS s, AVG(s) AS mean FROM big";
        Cli.Result all =
                run(
                        seconds
                                + " SELECT "
                                + sum
                                + " GROUP BY TUMBLE(window_end, INTERVAL '1' HOUR)",
                        "--query",
                        "q1");
        assertEquals(List.of(",5000000000000000000.0"), values(all));
        assertCounted(1, all);
    }

    @Test
    void havingSeesNull() {
        Cli.Result result =
                run(
                        "SELECT dst_port, COUNT(*) AS n FROM packets GROUP BY dst_port"
                                + " HAVING SUM(bytes * 1000000000000000) < 0");
        assertEquals(List.of(), values(result));
        assertCounted(2, result);
    }
}
