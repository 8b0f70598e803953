package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir sql} with a script piped in, and the library. */
class SqlTest {
    @TempDir private Path folder;

    @Test
    void aScriptIsRunAndPrinted() {
        String pcap =
                new PcapFile()
                        .udp(0, 0x0a000001, 0x0a000002, 53, 100)
                        .udp(5, 0x0a000001, 0x0a000002, 53, 100)
                        .write(folder.resolve("a.pcap"))
                        .toString();
        String script =
                """
                CREATE QUERY a AS SELECT src_addr, COUNT(*) AS n FROM packets GROUP BY src_addr;
                SUBSCRIBE a; SELECT n FROM a;
                SELECT nope FROM a;
                SHOW QUERIES;
                """;
        Cli.Result result = Cli.run(script, new String[] {"sql", "--pcap", pcap});
        assertEquals(2, result.code());
        assertEquals(
                """
                +----------+---+
                | src_addr | n |
                +----------+---+
                | 10.0.0.1 | 2 |
                +----------+---+
                +---+
                | n |
                +---+
                | 2 |
                +---+
                """,
                result.out());
        assertTrue(
                result.err().startsWith("error UNKNOWN_COLUMN: there is no column nope in a"),
                result.err());
    }

    @Test
    void theLibraryIsListedAndRuns() {
        Cli.Result list = Cli.run("queries");
        assertEquals(0, list.code());
        assertTrue(list.out().contains("heavy_hitter"), list.out());
        assertTrue(Cli.run("queries", "heavy_hitter").out().contains("SELECT"));
        String pcap = new PcapFile().random(7, 100).write(folder.resolve("b.pcap")).toString();
        Cli.Result run =
                Cli.run(
                        "run",
                        "--library",
                        "heavy_hitter",
                        "--set",
                        "TH=400",
                        "--pcap",
                        pcap,
                        "--format",
                        "csv");
        assertEquals(0, run.code(), run.err());
        assertTrue(run.out().lines().count() > 2, run.out());
    }
}
