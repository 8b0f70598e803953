package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the packages start is what the command line takes. */
class UnitsTest {
    private static final Path PACKAGING = Path.of("src/packaging");
    private static final Path CONFIG = PACKAGING.resolve("common/weir.conf");
    private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");

    @TempDir private Path directory;

    private static Path unit(String role) {
        return PACKAGING.resolve(role).resolve("weir-" + role + ".service");
    }

    private static String setting(String role, String key) throws IOException {
        String text = Files.readString(unit(role)).replace("\\\n", " ");
        return text.lines()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, String> environment(String role) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : Files.readAllLines(PACKAGING.resolve(role).resolve(role + ".env"))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                int equals = line.indexOf('=');
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return values;
    }

    /** Returns the words of a unit's command, as its shell makes them. */
    private static List<String> words(String command, Map<String, String> environment)
            throws IOException {
        Matcher shell = Pattern.compile("/bin/sh -fc 'exec /usr/bin/weir (.*)'").matcher(command);
        assertTrue(shell.matches(), command);
        String print = "printf '%s\\n' " + shell.group(1).replace("$$", "$");
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-fc", print);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new ArrayList<>(words.lines().toList());
    }

    private static CommandLine line() {
        return Weir.line(
                new StandardStreams(
                        new ByteArrayInputStream(new byte[0]),
                        OutputStream.nullOutputStream(),
                        new PrintStream(OutputStream.nullOutputStream())));
    }

    /** The words with the configuration file as it lies in the source tree. */
    private static CommandLine.ParseResult parsed(List<String> words) {
        CommandLine line = line();
        String[] there =
                words.stream()
                        .map(w -> w.replace("/etc/weir/weir.conf", CONFIG.toString()))
                        .toArray(String[]::new);
        return line.parseArgs(ConfiguredArguments.of(line, there).arguments()).subcommand();
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "server", "broker"})
    void aUnitsCommandIsOne(String role) throws Exception {
        List<String> words = words(setting(role, "ExecStart"), environment(role));
        assertEquals(List.of(role, "--config", "/etc/weir/weir.conf"), words);
        CommandLine.ParseResult parsed = parsed(words);
        assertEquals(role, parsed.commandSpec().name());
        assertEquals(List.of(), parsed.unmatched());
        assertEquals("/etc/weir/" + role + ".env", setting(role, "EnvironmentFile"));
        assertEquals("weir", setting(role, "User"));
        assertTrue(parsed.hasMatchedOption("--metrics"), words.toString());
    }

    /** An operator who keeps the file of release 0.1 at an upgrade keeps its settings. */
    @Test
    void theEnvironmentOfRelease01OverridesTheFile() throws Exception {
        Map<String, String> kept =
                Map.of(
                        "WEIR_KAFKA", "10.0.0.1:9092,10.0.0.2:9092",
                        "WEIR_NODE_ID", "tap 7",
                        "WEIR_PCAP", "/run/a fifo",
                        "WEIR_METRICS", "9999",
                        "WEIR_OPTIONS", "--outbox-size 512 --sole");
        CommandLine.ParseResult parsed = parsed(words(setting("worker", "ExecStart"), kept));
        Map<String, Object> expected =
                Map.of(
                        "--kafka",
                        "10.0.0.1:9092,10.0.0.2:9092",
                        "--node-id",
                        "tap 7",
                        "--pcap",
                        List.of("/run/a fifo"),
                        "--metrics",
                        "9999",
                        "--outbox-size",
                        512L,
                        "--sole",
                        true,
                        "--repeat",
                        false);
        expected.forEach(
                (name, value) ->
                        assertEquals(value, parsed.commandSpec().findOption(name).getValue()));
    }

    /** What a worker had read is in /dev/shm after a kill; systemd would remove it with IPC. */
    @ParameterizedTest
    @ValueSource(strings = {"worker", "server", "broker"})
    void sharedMemoryStays(String role) throws Exception {
        List<String> removing =
                Files.readAllLines(unit(role)).stream()
                        .filter(line -> line.startsWith("RemoveIPC="))
                        .toList();
        assertEquals(List.of(), removing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "server", "broker"})
    void systemdTakesIt(String role) throws Exception {
        assumeTrue(Files.isExecutable(ANALYZE), "no systemd-analyze: apt-get install systemd");
        // The command and the user are there once the package is installed.
        String text =
                Files.readString(unit(role))
                        .replace("/usr/bin/weir ", "/bin/true ")
                        .replace("=weir\n", "=root\n");
        Path copy = directory.resolve("weir-" + role + ".service");
        Files.writeString(copy, text);
        Process process =
                new ProcessBuilder(ANALYZE.toString(), "verify", "--man=no", copy.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        List<String> ours = said.lines().filter(line -> line.contains("weir-" + role)).toList();
        assertEquals(List.of(), ours);
        assertEquals(0, process.exitValue(), said);
    }

    /** One that it does not understand, a JVM tells only where it is not to be quiet, and runs. */
    @Test
    void theJvmUnderstandsEachCompileCommand() throws Exception {
        String command = "-XX:CompileCommand=";
        String quiet = command + "quiet";
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        Files.readAllLines(PACKAGING.resolve("common/jvm.options")).stream()
                .filter(line -> line.startsWith(command))
                .forEach(java::add);
        assertTrue(java.remove(quiet), "it is quiet");
        java.add("-version");
        Process process = new ProcessBuilder(java).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        long understood =
                said.lines().filter(line -> line.matches("CompileCommand: \\w+ .* = .*")).count();
        assertEquals(java.size() - 2, understood, said);
    }

    /** A command for a method that is gone or has another name would do nothing. */
    @Test
    void eachMethodOfACompileCommandIsThere() throws Exception {
        Pattern named = Pattern.compile(",(io\\.weir[\\w.]+)::(\\w+)(\\*?)");
        List<String> found = new ArrayList<>();
        for (String line : Files.readAllLines(PACKAGING.resolve("common/jvm.options"))) {
            Matcher method = named.matcher(line);
            if (method.find()) {
                found.add(line);
                assertTrue(
                        Arrays.stream(Class.forName(method.group(1)).getDeclaredMethods())
                                .map(Method::getName)
                                .anyMatch(
                                        name ->
                                                method.group(3).isEmpty()
                                                        ? name.equals(method.group(2))
                                                        : name.startsWith(method.group(2))),
                        line);
            }
        }
        assertTrue(found.size() >= 3, found.toString());
    }
}
