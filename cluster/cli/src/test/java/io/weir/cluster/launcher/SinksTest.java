package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weir run --sink} from the command line. */
class SinksTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String QUERIES =
            "CREATE QUERY a AS SELECT src_addr, COUNT(*) AS n FROM packets"
                    + " GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND);"
                    + " CREATE QUERY b AS SELECT src_addr, bytes FROM packets;";

    @TempDir private Path folder;

    private String pcap;

    @BeforeEach
    void capture() {
        PcapFile file = new PcapFile();
        file.udp(0, 0x0a000001, 0x0a000002, 53, 100).udp(SECOND, 0x0a000001, 0x0a000002, 53, 50);
        pcap = file.write(folder.resolve("small.pcap")).toString();
    }

    private Cli.Result run(String... sinks) {
        String[] arguments = new String[7 + 2 * sinks.length];
        String[] first = {"run", "-e", QUERIES, "--format", "json", "--pcap", pcap};
        System.arraycopy(first, 0, arguments, 0, first.length);
        for (int s = 0; s < sinks.length; s++) {
            arguments[7 + 2 * s] = "--sink";
            arguments[8 + 2 * s] = sinks[s];
        }
        return Cli.run(arguments);
    }

    @Test
    void eachSinkGetsItsQueriesRowsBesideWhatIsPrinted() throws IOException {
        Path rows = folder.resolve("rows");
        Cli.Result result =
                run("file:" + rows, "a=file:" + rows + "/csv?format=csv", "a=prometheus:0");
        assertEquals(ExitCode.OK, result.code(), result.err());
        assertEquals(4, result.out().lines().count());
        assertEquals(
                "{\"query\":\"a\",\"src_addr\":\"10.0.0.1\",\"n\":1}\n".repeat(2),
                Files.readString(rows.resolve("a-00000001.json")));
        assertEquals(2, Files.readAllLines(rows.resolve("b-00000001.json")).size());
        assertEquals(
                "src_addr,n\n10.0.0.1,1\n10.0.0.1,1\n",
                Files.readString(rows.resolve("csv/a-00000001.csv")));
        assertTrue(result.err().contains("metrics on http://127.0.0.1:"), result.err());
        assertTrue(
                result.err().matches("(?s).*rows of a to prometheus +2 +2 +0 +0.*"), result.err());
    }

    /** One port, several queries: one page. What would tell rows twice is an error. */
    @Test
    void sinksShareAPort() throws IOException {
        String port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = Integer.toString(free.getLocalPort());
        }
        String counts =
                QUERIES.substring(0, QUERIES.indexOf(';') + 1)
                        + " CREATE QUERY c AS SELECT proto, COUNT(*) AS n FROM packets GROUP BY"
                        + " proto";
        Cli.Result shared =
                Cli.run(
                        "run",
                        "-e",
                        counts,
                        "--pcap",
                        pcap,
                        "--sink",
                        "a=prometheus:" + port,
                        "--sink",
                        "c=prometheus:127.0.0.1:" + port);
        assertEquals(ExitCode.OK, shared.code(), shared.err());
        assertEquals(1, shared.err().split("metrics on http", -1).length - 1, shared.err());
        assertTrue(shared.err().contains("rows of c to prometheus"), shared.err());
        for (List<String> pair :
                List.of(
                        List.of("a=prometheus:" + port, "a=prometheus:127.0.0.1:" + port),
                        List.of("a=prometheus:" + port, "prometheus:" + port))) {
            Cli.Result twice = run(pair.toArray(new String[0]));
            assertEquals(ExitCode.FAILED, twice.code());
            assertTrue(twice.err().contains("gives the same rows to this port"), twice.err());
        }
        Cli.Result options = run("a=prometheus:" + port, "b=prometheus:" + port + "?series=5");
        assertTrue(options.err().contains("has this port with other options"), options.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    nothing                             | is no sink
                    flie:rows                           | did you mean file?
                    kafka:broker                        | the sinks are file, prometheus, alertmanager
                    file:rows?fromat=csv                | did you mean format?
                    file:rows?format=table              | json or csv
                    file:rows?size=many                 | no size such as 64MB
                    file:rows?every=1w                  | is not a duration
                    file:rows?size                      | is not NAME=VALUE
                    file:rows?size=1MB&size=2MB         | twice
                    c=file:rows                         | there are rows of a, b
                    a=prometheus:99999                  | there is no port
                    a=prometheus:0?series=0             | no number from 1 on
                    prometheus:0                        | a row for each packet
                    a=prometheus:no.such.host.example:1 | no address is known
                    a=alertmanager:127.0.0.1            | there is no URL
                    a=alertmanager:http://not a host    | there is no URL
                    a=alertmanager:http://:9093         | there is no URL
                    a=alertmanager:http://x?resolve=now | is not a duration
                    """)
    void whatCannotBeIsOneClearError(String sink, String expected) {
        Cli.Result result = run(sink);
        assertEquals(ExitCode.FAILED, result.code());
        assertTrue(result.err().contains(expected), result.err());
        assertTrue(
                result.err().startsWith("error INVALID_OPTION") || expected.contains("row for"),
                result.err());
        assertEquals("", result.out());
    }
}
