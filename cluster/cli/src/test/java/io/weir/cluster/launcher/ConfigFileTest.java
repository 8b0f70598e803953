package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.PcapFile;
import io.weir.operators.error.WeirException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** A configuration file gives what the same options would, and its mistakes have a place. */
class ConfigFileTest {
    private static final int ROUNDS = 200;

    @TempDir private Path folder;

    /** Returns the command line of a process that nobody hears. */
    static CommandLine line() {
        return Weir.line(
                new StandardStreams(
                        InputStream.nullInputStream(),
                        OutputStream.nullOutputStream(),
                        new PrintStream(OutputStream.nullOutputStream())));
    }

    private Path capture() throws IOException {
        return new PcapFile().udp(0, 1, 2, 53, 60).write(folder.resolve("a.pcap"));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("weir.conf"), text);
    }

    private static Map<String, OptionSpec> keys(String role) {
        return ConfiguredArguments.keys(line().getSubcommands().get(role).getCommandSpec());
    }

    /** Returns the value of each option after this command line, or the error. */
    private static Map<String, String> values(CommandLine line, String... arguments) {
        Map<String, String> values = new LinkedHashMap<>();
        try {
            CommandLine.ParseResult parsed = line.parseArgs(arguments).subcommand();
            for (OptionSpec option : parsed.commandSpec().options()) {
                if (!option.longestName().equals(ConfigOption.NAME)) {
                    Object value = option.getValue();
                    values.put(option.longestName(), value + " " + parsed.hasMatchedOption(option));
                }
            }
        } catch (ParameterException e) {
            values.put("error", e.getMessage());
        }
        return values;
    }

    private static String value(OptionSpec option, Random random) {
        Class<?> type = option.isMultiValue() ? option.auxiliaryTypes()[0] : option.type();
        if (type == boolean.class) {
            return String.valueOf(random.nextBoolean());
        } else if (type == int.class || type == long.class || type == Integer.class) {
            return String.valueOf(random.nextInt(10_000));
        } else if (type == Duration.class) {
            return (1 + random.nextInt(99)) + "ms";
        }
        String[] texts = {
            "a", "a=b", "--x", "ä ö/ü", "x,y", "[z]", "'q'", "\"q\"", "${HOME}", "@f"
        };
        return texts[random.nextInt(texts.length)] + random.nextInt(100);
    }

    /** Random subsets of all options in the file and on the line, against the line alone. */
    @ParameterizedTest
    @ValueSource(strings = {"server", "worker", "broker"})
    void anOptionOfTheFileIsAsIfTypedUnlessItIs(String role) throws IOException {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<String> lines = new ArrayList<>();
            List<String> typed = new ArrayList<>(List.of(role));
            List<String> expected = new ArrayList<>(List.of(role));
            keys(role)
                    .forEach(
                            (key, option) -> {
                                boolean onLine = random.nextInt(4) == 0;
                                int most = option.isMultiValue() ? 3 : 1;
                                for (int i = random.nextInt(most + 1); i > 0; i--) {
                                    String text = value(option, random);
                                    lines.add(" ".repeat(random.nextInt(3)) + key + "= " + text);
                                    if (!onLine) {
                                        expected.add("--" + key + "=" + text);
                                    }
                                }
                                if (onLine) {
                                    String text = "--" + key + "=" + value(option, random);
                                    typed.add(text);
                                    expected.add(text);
                                }
                            });
            Path file = file("# x\n\n[" + role + "]\n" + String.join("\r\n", lines) + "\n");
            typed.addAll(List.of("--config", file.toString()));
            CommandLine line = line();
            String[] all = ConfiguredArguments.of(line, typed.toArray(String[]::new)).arguments();
            assertEquals(
                    values(line(), expected.toArray(String[]::new)),
                    values(line, all),
                    "-Dweir.seed=" + seed + ", round " + round);
        }
    }

    /** The test of the options is of all: each can be a key. */
    @Test
    void eachOptionIsAKey() {
        assertEquals(List.of("broker", "server", "worker"), ConfiguredArguments.sections(line()));
        assertTrue(keys("server").keySet().containsAll(List.of("kafka", "port", "tls-key")));
        assertTrue(keys("worker").keySet().containsAll(List.of("pcap", "outbox-size", "sink")));
        assertTrue(keys("broker").keySet().containsAll(List.of("directory", "controllers")));
        assertFalse(keys("server").containsKey("config") || keys("server").containsKey("help"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[server];prot = 1|[server] has no key prot (line 2, column 1)|did you mean port?",
                "[server];;directory = /a|[server] has no key directory (line 3, col|server -h",
                "[server];config = a|[server] has no key config (line 2, column 1)|hint: ",
                "[server];port=1; port = 2|port is set in line 2 already (line 3,|one value",
                "[sever];port=1|there is no section [sever] (line 1,|did you mean server?",
                "[up];port=1|there is no section [up] (line 1,|[broker], [server], [worker]",
                "[server|a section's name ends with ] (line 1,|[section]",
                "[server];[worker];[server]|[server] begins in line 1 already (line 3,|",
                "port = 1|a key stands before the first section (line 1,|[broker], [server]",
                "[server];port|this is no key with a value (line 2,|key = value",
                "[server];= 1|this is no key with a value (line 2,|key = value",
                "[server];port =|port has no value (line 2,|# before it",
                "[server];port = 1 # main|a comment cannot follow a value (line 2,|own line",
                "[server];port = x1|'--port': 'x1' is not an int (line 2, column 8)|-h",
                "[server];no-merge = yes|'--no-merge': 'yes' is not a boolean (line 2, colu|-h",
                "[server];idle-timeout = 5|'5' is not a duration such as 1s,|hint: ",
                "[server];port = 70000|there is no port 70000 (--port) (line 2, column 8)|65535",
                "[server];kafka = nowhere|'nowhere' is no address of Kafka (line 2, |HOST:PORT",
                "[server];rows = avro|--rows goes with --kafka (line 2, column 8)|--kafka",
                "[server];source = pcp:/a|--source: there is no source pcp: (line 2,|pcap?",
                "[server];sink = file:a|--sink at a server needs --kafka|hint: ",
                "[server];metrics = 1:x|--metrics: there is no port 1:x (line 2,|9470",
                "[server];tls-cert = a|--tls-cert and --tls-key go together (line 2,|SECURITY",
                "[server];layout = flow|--layout flow cannot be (line 2, column 10)|flow32",
                "[server];cache-slots = 3|--cache-slots 3 cannot be (line 2, column 15)|two",
                "[server];partitions = 0|--partitions 0 with --pipelines 1 cannot be (line 2|1",
                "[server];pin = 99999|--pin|(line 2, column 7)"
            })
    void aMistakeOfTheServersHasAPlace(String text, String message, String hint)
            throws IOException {
        assertMistake("server", text, message, hint == null ? "" : hint);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "worker|outbox-size = 1|--outbox-size 1 cannot be (line 4, column 15)|MiB",
                "worker|speed = fast|--speed fast cannot be (line 4, column 9)|a factor, or max",
                "worker|begin = later|--begin later cannot be (line 4, column 9)|capture, now",
                "worker|slice-count = 9|--slice-count goes with --slices (line 4,|NAME",
                "worker|wait = never|--wait never cannot be (line 4, column 8)|busy, backoff",
                "worker|rows = xml|'xml' is no format of rows (line 4, column 8)|json",
                "worker|registry = x|--registry: the URL of the registry is not|(line 4,",
                "worker|lateness = 900000d|--lateness|(line 4, column 12)",
                "worker|sink = x|--sink x is no sink (line 4, column 8)|--sink file:rows",
                "broker|id = 7|is not among the controllers|(line 5, column 6)",
                "broker|controllers = x|'x' is no controller (line 5, column 15)|ID@HOST:PORT",
                "broker|port = -1|there is no port -1 (--port) (line 5, column 8)|65535"
            })
    void aMistakeOfOthersHasAPlace(String role, String wrong, String message, String hint)
            throws IOException {
        String right =
                role.equals("worker")
                        ? "[worker];kafka = 127.0.0.1:1;pcap = " + capture() + ";"
                        : "[broker];directory = /dev/null;host = 127.0.0.1;"
                                + (wrong.startsWith("id") ? "controllers = 1@a:1;" : "id = 1;");
        assertMistake(role, right + wrong, message, hint);
        Cli.Result doctor = Cli.run("doctor", "--config", folder.resolve("weir.conf").toString());
        assertEquals(DoctorCommand.BROKEN, doctor.code());
        assertTrue(doctor.out().startsWith("BROKEN  config "), doctor.out());
    }

    private void assertMistake(String role, String text, String message, String hint)
            throws IOException {
        Path file = file(text.replace(';', '\n'));
        Cli.Result result = Cli.run(role, "--config", file.toString());
        assertEquals(2, result.code());
        assertTrue(result.err().contains(message), result.err());
        assertTrue(result.err().contains(hint), result.err());
        assertTrue(result.err().startsWith("error INVALID_OPTION: " + file + ": "), result.err());
    }

    @Test
    void aFileThatIsNotThere() {
        Cli.Result result = Cli.run("broker", "--config", folder.resolve("no").toString());
        assertTrue(
                result.err().startsWith("error UNREADABLE_INPUT: the configuration file "),
                result.err());
        assertTrue(result.err().contains("there is no such file"), result.err());
        assertEquals(2, Cli.run("server", "--config").code());
        assertEquals(2, Cli.run("server", "--config", folder.toString()).code());
        assertEquals(2, Cli.run("server", "--config=a", "--config=b").code());
        assertEquals(0, Cli.run("server", "--config=a", "-h").code());
    }

    @Test
    void theDoctorChecksIt() throws IOException {
        Path file = file("[worker]\nkafka = 127.0.0.1:1\npcap = /none\n[broker]\ndirectory = /a");
        Cli.Result result = Cli.run("doctor", "--config", file.toString());
        assertTrue(result.out().contains("[worker], [broker]"), result.out());
        assertTrue(result.out().startsWith("ok      config "), result.out());
        Path lacking = file("[broker]\nhost = 127.0.0.1\n[worker]\nkafka = 127.0.0.1:1\n");
        String lacks = Cli.run("doctor", "--config", lacking.toString()).out();
        assertTrue(lacks.contains(lacking + ", [broker]: Missing required option"), lacks);
        assertTrue(lacks.contains(lacking + ", [worker]: there are no packets to read"), lacks);
        Path packaged = Path.of("src/packaging/common/weir.conf");
        Cli.Result ours = Cli.run("doctor", "--config", packaged.toString());
        assertTrue(ours.out().contains("[worker], [server], [broker]"), ours.out());
    }

    /** Bytes of any kind make a file or one error, which a terminal can show. */
    @Test
    void hostileBytes() throws IOException {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        byte[] right = Files.readAllBytes(Path.of("src/packaging/common/weir.conf"));
        Path file = folder.resolve("weir.conf");
        List<String> names = List.of("worker", "server", "broker");
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = right.clone();
            if (round % 2 == 0) {
                bytes = new byte[random.nextInt(200)];
                random.nextBytes(bytes);
            }
            for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            Files.write(file, bytes);
            try {
                ConfigFile.read(file, names);
            } catch (WeirException e) {
                String shown = e.text().replace("\n", "").replace("\t", "");
                assertFalse(
                        shown.chars().anyMatch(Character::isISOControl),
                        "-Dweir.seed=" + seed + ", round " + round);
            }
        }
        for (String text : List.of("\u0000", "[server]\nport\u001b[2J = 1", "x".repeat(5_000))) {
            Files.writeString(file, text);
            Cli.Result result = Cli.run("server", "--config", file.toString());
            assertTrue(result.err().startsWith("error INVALID_OPTION: "), result.err());
        }
        Files.write(file, "[server]\nport = \u00e4\n".getBytes(StandardCharsets.ISO_8859_1));
        Cli.Result latin = Cli.run("server", "--config", file.toString());
        assertTrue(latin.err().contains("no text in UTF-8, from line 2 on"), latin.err());
        Cli.Result endless = Cli.run("server", "--config", "/dev/zero");
        assertTrue(endless.err().contains("is longer than 1048576 bytes"), endless.err());
    }

    /** A page that names a key names one that is there. */
    @Test
    void keysOfThePackagesFileAreKeys() {
        ConfigFile packaged =
                ConfigFile.read(
                        Path.of("src/packaging/common/weir.conf"),
                        ConfiguredArguments.sections(line()));
        Map<String, List<String>> keys =
                packaged.sections().stream()
                        .collect(
                                Collectors.toMap(
                                        s -> s,
                                        s ->
                                                packaged.entries(s).stream()
                                                        .map(ConfigFile.Entry::key)
                                                        .toList()));
        keys.forEach((role, used) -> assertTrue(keys(role).keySet().containsAll(used), role));
    }
}
