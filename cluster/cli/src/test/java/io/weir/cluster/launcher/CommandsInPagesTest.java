package io.weir.cluster.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.sql.SqlFrontend;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.plan.SelectInput;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands that README.md and docs mark as runnable, by a fence that begins with {@code sh
 * run}. Each fence is a script in a folder with a {@code weir} and the demo's capture. It must end
 * with exit code 0 and have rows.
 */
class CommandsInPagesTest {
    private static final Path HOME = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern FENCE = Pattern.compile("(?ms)^```sh run\n(.*?)^```$");
    private static final Pattern SQL = Pattern.compile("(?ms)^```sql\n(.*?)^```$");
    private static final int SECONDS = 120;

    @TempDir private Path folder;

    @TestFactory
    Stream<DynamicTest> commandsThatAreMarkedRun() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            Matcher fence = FENCE.matcher(Files.readString(page));
            for (int n = 1; fence.find(); n++) {
                String script = fence.group(1);
                String name = HOME.relativize(page) + " " + n;
                Path place = folder.resolve(String.valueOf(tests.size()));
                tests.add(DynamicTest.dynamicTest(name, () -> run(script, place)));
            }
        }
        assertTrue(tests.size() >= 5, "only " + tests.size() + " fences are marked");
        return tests.stream();
    }

    /** Each statement of a page is one of the language, whether it runs here or in a cluster. */
    @TestFactory
    Stream<DynamicTest> statementsAreOfTheLanguage() throws IOException {
        SqlFrontend frontend = new SqlFrontend(new MapCatalog(), SelectInput.LAST_WINDOW);
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            Matcher fence = SQL.matcher(Files.readString(page));
            for (int n = 1; fence.find(); n++) {
                String text = fence.group(1);
                String name = HOME.relativize(page) + " " + n;
                tests.add(
                        DynamicTest.dynamicTest(
                                name, () -> assertFalse(frontend.parse(text).isEmpty(), text)));
            }
        }
        assertTrue(tests.size() >= 5, "only " + tests.size() + " blocks of SQL");
        return tests.stream();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(HOME.resolve("README.md")));
        try (Stream<Path> files = Files.walk(HOME.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    private static void run(String script, Path place) throws Exception {
        Files.createDirectories(place);
        Path demo = Files.createDirectories(place.resolve("demo"));
        for (String file : List.of("capture.pcap", "demo.sql")) {
            Files.copy(HOME.resolve("demo").resolve(file), demo.resolve(file));
        }
        Path weir = place.resolve("weir");
        Files.writeString(weir, launcher());
        assertTrue(weir.toFile().setExecutable(true));
        Path out = place.resolve("stdout");
        Path err = place.resolve("stderr");
        Process process =
                new ProcessBuilder("bash", "-euo", "pipefail", "-c", script)
                        .directory(place.toFile())
                        .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        try {
            assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS), "too slow:\n" + script);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String told = script + Files.readString(err);
        Assumptions.assumeFalse(told.contains("dpdk: needs DPDK"), "DPDK is not installed");
        assertEquals(0, process.exitValue(), told);
        assertFalse(Files.readString(out).isBlank(), "no rows:\n" + told);
        assertFalse(told.contains("error "), told);
    }

    /** The classes and JVM flags of this test, as ./weir has those of its build. */
    private static String launcher() {
        String flags =
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(flag -> flag.startsWith("--add-") || flag.startsWith("-XX:+C"))
                        .collect(Collectors.joining(" "));
        return """
        #!/bin/sh
        exec '%s' %s -cp '%s' %s "$@"
        """
                .formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        flags,
                        System.getProperty("java.class.path"),
                        Weir.class.getName());
    }
}
