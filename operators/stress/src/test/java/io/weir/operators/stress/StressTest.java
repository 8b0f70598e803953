package io.weir.operators.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the stress tests of this module in a JVM of their own, as jcstress wants it. Quick in every
 * build; {@code -Dweir.stress=default} for minutes of it, over all compilation modes.
 */
class StressTest {
    private static final Pattern RESULTS = Pattern.compile("Results: \\d+ planned; (\\d+) passed");

    private static final Path HERE = Path.of(System.getProperty("basedir", "."));

    /** What a class has that others see without a lock. */
    private static final Pattern LOCK_FREE =
            Pattern.compile(
                    "\\bvolatile [\\w<>\\[\\]]+ \\w+(;| =)|\\bAtomic[A-Z]\\w+[< ]|\\bOneToOne\\w+|ConcurrentLinked\\w+<");

    @TempDir private Path folder;

    @Test
    void noForbiddenOutcome() throws IOException, InterruptedException {
        String mode = System.getProperty("weir.stress", "sanity");
        boolean quick = mode.equals("sanity");
        String jvm = System.getProperty("weir.jvm", "");
        Path out = folder.resolve("out.txt");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(jvm.split(" ")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("org.openjdk.jcstress.Main", "-r", folder + "/report"));
        // Without biased locking there is one JVM to try in place of two.
        String childJvm = jvm + " -Xmx512m" + (quick ? " -XX:-UseBiasedLocking" : "");
        command.addAll(List.of("-jvmArgs", childJvm));
        command.addAll(
                quick
                        ? List.of(
                                "-f", "1", "-fsm", "1", "-iters", "1", "-time", "50", "-sc",
                                "false")
                        : List.of("-m", mode));
        command.addAll(List.of("-c", "2", "-strideSize", "10", "-strideCount", "20"));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        assertTrue(process.waitFor(quick ? 600 : 7_200, TimeUnit.SECONDS), "jcstress hangs");
        String text = Files.readString(out);
        assertEquals(0, process.exitValue(), text);
        Matcher results = RESULTS.matcher(text);
        int passed = 0;
        while (results.find()) {
            passed = Integer.parseInt(results.group(1));
        }
        assertTrue(passed >= tests().size(), text);
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /** Names of this module's stress tests. */
    private static List<String> tests() throws IOException {
        return sources(HERE.resolve("src/main/java")).stream()
                .map(StressTest::name)
                .filter(name -> name.endsWith("Stress"))
                .toList();
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    @Test
    void theReadmeNamesEveryHandOverAndItsTest() throws IOException {
        String readme = Files.readString(HERE.resolve("README.md"));
        List<String> unnamed = new ArrayList<>(tests());
        for (Path floor :
                List.of(
                        Path.of("../store/src/main"),
                        Path.of("../kernel/src/main"),
                        Path.of("../engine/src/main"),
                        Path.of("../../native-ingest/packets/src/main"))) {
            for (Path file : sources(HERE.resolve(floor))) {
                if (LOCK_FREE.matcher(Files.readString(file)).find()) {
                    unnamed.add(name(file));
                }
            }
        }
        assertTrue(
                unnamed.contains("SpareTables") && unnamed.contains("CaptureLoop"),
                "nothing found");
        unnamed.removeIf(name -> readme.contains("`" + name + "`"));
        assertEquals(List.of(), unnamed, "a lock-free hand-over without a line in README.md");
    }
}
