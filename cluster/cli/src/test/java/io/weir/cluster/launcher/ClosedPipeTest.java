package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code weir run … | head}: who reads the rows goes away before they end. */
class ClosedPipeTest {
    private static final int PACKETS = 200_000;
    private static final String ROWS = "SELECT ts, src_addr FROM packets";
    private static final String TOTALS =
            "SELECT src_addr, COUNT(*) AS n FROM packets GROUP BY src_addr";

    @TempDir private Path folder;

    private String pcap;

    @BeforeEach
    void capture() {
        pcap = new PcapFile().random(7, PACKETS).write(folder.resolve("p.pcap")).toString();
    }

    /** Takes so many bytes, then is a pipe that nobody reads. */
    private static final class Pipe extends OutputStream {
        private long left;

        Pipe(long bytes) {
            left = bytes;
        }

        @Override
        public void write(int b) throws IOException {
            if (left-- <= 0) {
                throw new IOException("Broken pipe");
            }
        }
    }

    private Cli.Result run(OutputStream out, String sql, String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", "-e", sql, "--pcap", pcap));
        arguments.addAll(List.of(options));
        return Cli.run("", out, arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {ROWS, TOTALS, "SHOW STREAMS", "SHOW STREAMS; " + ROWS})
    void itEndsQuietly(String sql) {
        assertEquals(new Cli.Result(0, "", ""), run(new Pipe(0), sql));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theAccountIsOfWhatWasRead(int pipelines) throws IOException {
        Path stats = folder.resolve("rows.json");
        String[] options = {"--stats", stats.toString(), "--pipelines", "" + pipelines};
        assertEquals(new Cli.Result(0, "", ""), run(new Pipe(100_000), ROWS, options));
        assertTrue(Cli.offered(stats) > 0);
        assertTrue(Cli.offered(stats) < PACKETS, "read " + Cli.offered(stats));
    }

    @Test
    void allIsReadWhereRowsComeAtTheEnd() throws IOException {
        Path stats = folder.resolve("totals.json");
        Cli.Result result = run(new Pipe(0), TOTALS, "--stats", stats.toString());
        assertEquals(new Cli.Result(0, "", ""), result);
        assertEquals(PACKETS, Cli.offered(stats));
    }

    @Test
    void otherSinksGetAllRows() throws IOException {
        Path stats = folder.resolve("sinks.json");
        Path rows = folder.resolve("rows");
        Cli.Result result =
                run(new Pipe(0), ROWS, "--stats", stats.toString(), "--sink", "file:" + rows);
        assertEquals(0, result.code());
        assertTrue(result.err().contains("rows to file:"), result.err());
        assertEquals(PACKETS, Cli.offered(stats));
        assertEquals(PACKETS, Files.readAllLines(rows.resolve("q1-00000001.json")).size());
    }

    @Test
    void aFailureToWriteIsAnError() {
        Cli.Result result = run(Cli.failing("No space left on device"), ROWS);
        assertEquals(2, result.code());
        assertTrue(result.err().startsWith("error UNWRITABLE_OUTPUT: "), result.err());
    }
}
