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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the packages start is what the command line takes. */
class UnitsTest {
    private static final Path PACKAGING = Path.of("src/packaging");
    private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");

    @TempDir private Path directory;

    private static Path unit(String role) {
        return PACKAGING.resolve(role).resolve("weir-" + role + ".service");
    }

    private static String setting(String role, String key) throws IOException {
        return Files.readAllLines(unit(role)).stream()
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

    /** As systemd does: $NAME is split into words, ${NAME} stays one. */
    private static List<String> words(String command, Map<String, String> environment) {
        List<String> words = new ArrayList<>();
        for (String word : command.split(" ")) {
            Matcher split = Pattern.compile("\\$(\\w+)").matcher(word);
            Matcher whole = Pattern.compile("\\$\\{(\\w+)}").matcher(word);
            if (split.matches()) {
                String value = environment.get(split.group(1));
                assertTrue(value != null, "nobody sets " + word);
                Stream.of(value.split(" ")).filter(w -> !w.isEmpty()).forEach(words::add);
            } else if (whole.matches()) {
                String value = environment.get(whole.group(1));
                assertTrue(value != null && !value.isEmpty(), "nobody sets " + word);
                words.add(value);
            } else {
                words.add(word);
            }
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "server", "broker"})
    void aUnitsCommandIsOne(String role) throws Exception {
        List<String> words = words(setting(role, "ExecStart"), environment(role));
        assertEquals("/usr/bin/weir", words.remove(0));
        StandardStreams streams =
                new StandardStreams(
                        new ByteArrayInputStream(new byte[0]),
                        OutputStream.nullOutputStream(),
                        new PrintStream(OutputStream.nullOutputStream()));
        CommandLine.ParseResult parsed = Weir.line(streams).parseArgs(words.toArray(String[]::new));
        assertEquals(role, parsed.subcommand().commandSpec().name());
        assertEquals(List.of(), parsed.subcommand().unmatched());
        assertEquals("/etc/weir/" + role + ".env", setting(role, "EnvironmentFile"));
        assertEquals("weir", setting(role, "User"));
        assertTrue(words.contains("--metrics"), words.toString());
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
