package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.nio.file.Path;
import java.util.List;
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
                +----------------------------+--------------+
                |          src_addr          |      n       |
                +----------------------------+--------------+
                | 10.0.0.1                   | 2            |
                +----------------------------+--------------+
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
    void statementsOfAnOptionAreRunInPlaceOfInputs() {
        String[] option = {"sql", "-e", "SHOW QUERIES; SELECT nope FROM packets"};
        Cli.Result result = Cli.run("DESCRIBE packets;", option);
        assertEquals(2, result.code());
        assertEquals("| name | waits_for |", result.out().lines().toList().get(1).substring(0, 20));
        assertEquals(3, result.out().lines().count(), result.out());
        assertTrue(
                result.err().startsWith("error UNKNOWN_COLUMN: there is no column nope"),
                result.err());
    }

    @Test
    void helpInAScriptIsWeirsOwn() {
        String[] console = {"sql"};
        for (String word : List.of("help", "help;", "!help")) {
            Cli.Result result = Cli.run(word + "\n", console);
            assertEquals(0, result.code(), result.err());
            assertTrue(result.out().startsWith("Statements end with ;"), result.out());
        }
    }

    /** A full disk is an error, as of weir run; a reader that went away is none. */
    @Test
    void aScriptsOutputThatCannotBeWrittenIsSaid() {
        String pcap = new PcapFile().random(1, 3).write(folder.resolve("w.pcap")).toString();
        String[] console = {"sql", "--pcap", pcap};
        String script = "SELECT COUNT(*) AS n FROM packets; SELECT nope FROM packets;";
        Cli.Result full = Cli.run(script, Cli.failing("No space left on device"), console);
        assertEquals(2, full.code(), full.err());
        assertEquals(
                "error UNWRITABLE_OUTPUT: the rows cannot be written: No space left on device\n",
                full.err());
        Cli.Result closed = Cli.run(script, Cli.failing("Broken pipe"), console);
        assertEquals("", closed.err());
        assertEquals(0, closed.code());
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
