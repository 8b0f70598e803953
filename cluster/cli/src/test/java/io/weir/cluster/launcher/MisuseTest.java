package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong is one clear error and exit code 2, never a stack trace. */
class MisuseTest {
    private static final String COUNT = "SELECT COUNT(*) AS n FROM packets";

    @TempDir private Path folder;

    private void assertFails(String expected, String... arguments) {
        Cli.Result result = Cli.run(arguments);
        assertEquals(2, result.code(), result.err());
        assertEquals("", result.out());
        assertTrue(result.err().startsWith(expected), result.err());
        assertFalse(result.err().contains("\tat "), result.err());
        assertTrue(result.err().lines().count() <= 4, result.err());
    }

    @Test
    void inputs() throws IOException {
        Path empty = Files.createFile(folder.resolve("empty.pcap"));
        Path text = Files.writeString(folder.resolve("text.pcap"), "no capture at all\n");
        Path random = folder.resolve("random.pcap");
        byte[] bytes = new byte[5_000];
        new Random(1).nextBytes(bytes);
        Files.write(random, bytes);
        assertFails("error UNREADABLE_INPUT: ", "run", "-e", COUNT, "--pcap", folder + "/none");
        assertFails("error UNREADABLE_INPUT: ", "run", "-e", COUNT, "--pcap", folder.toString());
        String shown = "error NOT_A_CAPTURE: " + empty + " is empty";
        assertFails(shown, "run", "-e", COUNT, "--pcap", empty.toString());
        assertFails("error NOT_A_CAPTURE: ", "run", "-e", COUNT, "--pcap", text.toString());
        assertFails("error NOT_A_CAPTURE: ", "run", "-e", COUNT, "--pcap", random.toString());
        assertFails("error INVALID_OPTION: there are no packets to read\n", "run", "-e", COUNT);
    }

    /** By its looks an argument tells which option was forgotten. */
    @Test
    void argumentsWithoutTheirOption() {
        String pcap = "error INVALID_OPTION: Unmatched argument at index 1: 'a.pcap'\nhint: ";
        assertFails(pcap + "did you mean --pcap a.pcap? weir run -h", "run", "a.pcap");
        assertFails(pcap + "did you mean --pcap a.pcap? weir sql -h", "sql", "a.pcap");
        assertFails(pcap + "weir version -h", "version", "a.pcap");
        String sql = "error INVALID_OPTION: Unmatched argument at index 1: 'a.sql'\nhint: ";
        assertFails(sql + "did you mean --sql a.sql? weir run -h", "run", "a.sql");
        assertFails(
                "error INVALID_OPTION: Unmatched argument at index 1: 'show queries'\n"
                        + "hint: did you mean -e 'show queries'? weir sql -h",
                "sql",
                "show queries");
        assertFails(
                "error INVALID_OPTION: Unknown option: '-a.pcap'\nhint: weir run -h",
                "run",
                "-a.pcap");
    }

    @Test
    void whereMetricsAreToldMustBeAnAddress() {
        String directory = folder.resolve("kafka").toString();
        assertFails(
                "error INVALID_OPTION: --metrics: there is no port nowhere\n",
                "broker",
                "--directory",
                directory,
                "--metrics",
                "nowhere");
        assertFails("error INVALID_OPTION: ", "doctor", "--kafka", "nowhere");
    }

    @Test
    void sinksOfAServerAreOfACluster() {
        String pcap = new PcapFile().random(1, 3).write(folder.resolve("s.pcap")).toString();
        String needs = "error INVALID_OPTION: --sink at a server needs --kafka";
        assertFails(needs, "server", "--pcap", pcap, "--sink", "file:rows");
        String kafka = "127.0.0.1:9";
        assertFails(
                "error INVALID_OPTION: --sink-group is without --sink\n",
                "server",
                "--kafka",
                kafka,
                "--sink-group",
                "g");
        assertFails(
                "error INVALID_OPTION: --sink-group a b cannot be\n",
                "up",
                "--kafka",
                "--pcap",
                pcap,
                "--sink",
                "file:rows",
                "--sink-group",
                "a b");
        assertFails(
                "error INVALID_OPTION: --sink flie:rows: there is no sink flie\n",
                "server",
                "--kafka",
                kafka,
                "--sink",
                "flie:rows",
                "--sink-group",
                "g");
        assertFails(
                "error INVALID_OPTION: --slices cannot be with --sole or --sink\n",
                "worker",
                "--kafka",
                kafka,
                "--pcap",
                pcap,
                "--slices",
                "s",
                "--sink",
                "file:rows");
    }

    /** An option that can do nothing where it stands is not passed over. */
    @Test
    void optionsThatGoWithOthers() {
        String pcap = new PcapFile().random(1, 3).write(folder.resolve("g.pcap")).toString();
        String invalid = "error INVALID_OPTION: ";
        for (String[] option :
                new String[][] {
                    {"--kafka-config", "none"},
                    {"--rows", "json"},
                    {"--schemas", "s"},
                    {"--registry", "http://127.0.0.1:9"},
                    {"--no-merge"}
                }) {
            String[] server = {"server", "--port", "0", "--pcap", pcap};
            assertFails(invalid + option[0] + " goes with --kafka\n", with(server, option));
        }
        String[] cluster = {"server", "--kafka", "127.0.0.1:9", "--port", "0"};
        for (String[] option :
                new String[][] {
                    {"--pcap", pcap}, {"--partitions", "4"}, {"--layout", "flow32"},
                    {"--lateness", "1s"}, {"--node-id", "Node1"}, {"--audit", "file"}
                }) {
            assertFails(invalid + option[0] + " cannot be with --kafka: ", with(cluster, option));
        }
        String[] worker = {"worker", "--kafka", "127.0.0.1:9", "--pcap", pcap};
        assertFails(
                invalid + "--slice-count goes with --slices\n", with(worker, "--slice-count", "4"));
        assertFails(invalid + "--settle goes with --slices\n", with(worker, "--settle"));
        String[] slices = with(worker, "--slices", "s");
        assertFails(
                invalid + "--slice-workers 9 cannot be\n", with(slices, "--slice-workers", "9"));
        for (String[] option :
                new String[][] {
                    {"--speed", "max"},
                    {"--begin", "now"},
                    {"--repeat"},
                    {"--for-query", "1s"}
                }) {
            assertFails(
                    invalid + option[0] + " cannot be with --settle\n",
                    with(with(slices, "--settle"), option));
        }
        assertFails(
                invalid + "--lateness or --timeout with --settle cannot be\n",
                with(slices, "--settle", "--timeout", "2s"));
        for (String size : new String[] {"-1", "7", "99999999999999"}) {
            assertFails(
                    invalid + "--outbox-size " + size + " cannot be\n",
                    with(worker, "--outbox-size", size));
        }
        assertFails(
                invalid + "--kafka-config goes with --kafka\n", "doctor", "--kafka-config", "none");
        assertFails(invalid + "--workers goes with --kafka\n", "doctor", "--workers", "Node1");
        String[] list = {"slices", "--kafka", "127.0.0.1:9"};
        assertFails(invalid + "Unknown option", with(list, "--rows", "avro"));
        String[] console = {"sql", "--url", "jdbc:weir://127.0.0.1:9"};
        assertFails(
                invalid + "--partitions and --url exclude each other\n",
                with(console, "--partitions", "2"));
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.of(arguments, more).flatMap(Stream::of).toArray(String[]::new);
    }

    /** Kafka says only that a client could not be made; why, is far down. */
    @Test
    void whatIsWrongWithKafkasSettingsIsSaid() throws IOException {
        Path none = folder.resolve("no-such-ca.pem");
        String config = "security.protocol=SSL\nssl.truststore.type=PEM\nssl.truststore.location=";
        Path file = Files.writeString(folder.resolve("kafka"), config + none + "\n");
        Cli.Result result =
                Cli.run("slices", "--kafka", "127.0.0.1:9", "--kafka-config", file.toString());
        assertEquals(2, result.code(), result.err());
        assertTrue(result.err().contains(none.toString()), result.err());
        assertTrue(result.err().contains("--kafka-config"), result.err());
    }

    @Test
    void anUnwritableStatsFileIsFoundBeforeTheRun() throws IOException {
        String pcap = new PcapFile().random(1, 3).write(folder.resolve("s.pcap")).toString();
        Path locked = Files.createDirectory(folder.resolve("a folder"));
        for (Path stats : List.of(folder.resolve("none/stats.json"), locked, Path.of("-"))) {
            assertFails(
                    "error UNWRITABLE_OUTPUT: " + stats,
                    "run",
                    "-e",
                    COUNT,
                    "--pcap",
                    pcap,
                    "--stats",
                    stats.toString());
        }
    }

    @Test
    void rowsThatCannotBeWrittenAreAnError() {
        String pcap = new PcapFile().random(1, 3).write(folder.resolve("w.pcap")).toString();
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("No space left on device");
                    }
                };
        String[] arguments = {"run", "-e", COUNT, "--pcap", pcap};
        Cli.Result result = Cli.run("", full, arguments);
        assertEquals(2, result.code());
        assertTrue(
                result.err()
                        .contains("error UNWRITABLE_OUTPUT: the rows cannot be written: No space"),
                result.err());
    }

    @Test
    void sqlErrorsPointIntoTheirFile() throws IOException {
        Path sql =
                Files.writeString(
                        folder.resolve("q.sql"), "-- first\n\n" + "SELECT nope\n FROM packets");
        assertFails(
                "error UNKNOWN_COLUMN: "
                        + sql
                        + ": there is no column nope in packets (line 3,"
                        + " column 8)\n  SELECT nope\n         ^\n",
                "run",
                "--sql",
                sql.toString());
        assertFails("error UNREADABLE_INPUT: ", "run", "--sql", folder.toString());
        assertFails("error UNREADABLE_INPUT: ", "run", "--equery", folder + "/none");
    }

    @Test
    void options() {
        String pcap = new PcapFile().random(1, 3).write(folder.resolve("a.pcap")).toString();
        List<List<String>> wrong =
                List.of(
                        List.of("--format", "xml"),
                        List.of("--query", "nobody"),
                        List.of("--partitions", "0"),
                        List.of("--pipelines", "65"),
                        List.of("--partitions", "many"),
                        List.of("--layout", "flow16"),
                        List.of("--lateness", "soon"),
                        List.of("--timeout", "-1s"),
                        List.of("--cache-slots", "1000"),
                        List.of("--set", "TH=1"),
                        List.of("--set", "TH"),
                        List.of("--frmat", "csv"),
                        List.of("--sql", "both.sql"));
        for (List<String> options : wrong) {
            List<String> arguments = new ArrayList<>(List.of("run", "-e", COUNT, "--pcap", pcap));
            arguments.addAll(options);
            Cli.Result result = Cli.run(arguments.toArray(String[]::new));
            assertEquals(2, result.code(), options + ": " + result.err());
            assertTrue(result.err().contains("error "), options + ": " + result.err());
            assertFalse(result.err().contains("\tat "), result.err());
        }
        assertFails("error INVALID_OPTION: ", "run", "--pcap", pcap);
        assertFails("error INVALID_OPTION: a command is missing");
        assertFails("error INVALID_OPTION: ", "fly");
        assertFails("error UNKNOWN_QUERY: ", "run", "--library", "nothing", "--pcap", pcap);
        assertFails("error UNKNOWN_QUERY: ", "queries", "nothing");
        assertFails("error INVALID_OPTION: ", "sql", "--url", "jdbc:weir://h", "--pcap", pcap);
        assertFails(
                "error INVALID_OPTION: cannot reach ", "sql", "--url", "jdbc:weir://localhost:1");
        assertFails("error INVALID_OPTION: nohost is not ", "sql", "--url", "nohost");
        assertFails("error INVALID_OPTION: ", "server", "--port", "70000");
        assertFails(
                "error UNREADABLE_INPUT: ", "server", "--port", "0", "--pcap", folder + "/none");
        assertFails("error UNREADABLE_INPUT: ", "sql", "--pcap", folder + "/none");
        assertFails(
                "error INVALID_OPTION: Unknown option: '--frmat'",
                "run",
                "-e",
                COUNT,
                "--pcap",
                pcap,
                "--frmat",
                "csv");
    }

    @Test
    void whatIsWrongIsCalledAsItWasTyped() throws IOException {
        String pcap = new PcapFile().random(1, 3).write(folder.resolve("n.pcap")).toString();
        String[] count = {"run", "-e", COUNT, "--pcap", pcap};
        String invalid = "error INVALID_OPTION: ";
        assertFails(invalid + "--cache-slots 3 cannot be\n", with(count, "--cache-slots", "3"));
        assertFails(invalid + "--cache-slots -4 cannot be\n", with(count, "--cache-slots", "-4"));
        assertFails(invalid + "--cache-wide -1 cannot be\n", with(count, "--cache-wide", "-1"));
        assertFails(invalid + "Value for option '--set'", with(count, "--set", "TH"));
        String table = "file:rows?format=table";
        String xml = "file:rows?format=xml";
        for (String sink : List.of(table, xml)) {
            String text = "--sink " + sink + ": a file of rows is json or csv\n";
            assertFails(invalid + text, with(count, "--sink", sink));
        }
        Path file = Files.createFile(folder.resolve("a file"));
        assertFails(
                "error UNWRITABLE_OUTPUT: " + file + " is no folder, and none can be made\n",
                with(count, "--sink", "file:" + file));
        String[] port = {"run", "-e", COUNT + " WHERE dst_port = :P", "--pcap", pcap};
        Cli.Result result = Cli.run(with(port, "--set", "P=http"));
        assertEquals(
                """
                error TYPE_MISMATCH: cannot compare dst_port (BIGINT) with :P ('http', VARCHAR) \
                (line 1, column 41)
                  SELECT COUNT(*) AS n FROM packets WHERE dst_port = :P
                                                          ^
                hint: give :P a number
                """,
                result.err());
    }

    @Test
    void ofAPortThatIsTakenItIsSaidWhichOptionNamesAnother() throws IOException {
        String pcap = new PcapFile().random(1, 3).write(folder.resolve("p.pcap")).toString();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            String cannot = "cannot listen on 127.0.0.1:" + port + ": ";
            Cli.Result up = Cli.run("up", "--kafka", port, "--port", "0", "--pcap", pcap);
            assertEquals(2, up.code());
            assertTrue(up.err().startsWith("error INVALID_OPTION: a broker " + cannot), up.err());
            assertTrue(up.err().contains("another port: weir up --kafka PORT"), up.err());
            assertFails(
                    "error INVALID_OPTION: " + cannot, "server", "--port", port, "--pcap", pcap);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "run", "sql", "server", "send", "queries"})
    void helpIsThere(String command) {
        String[] arguments = command.isEmpty() ? new String[] {"-h"} : new String[] {command, "-h"};
        Cli.Result result = Cli.run(arguments);
        assertEquals(0, result.code());
        assertTrue(result.out().startsWith("Usage: weir"), result.out());
        assertEquals("", result.err());
    }
}
