package io.weir.operators.words;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random tests of all modules take the build's seed, so that a failure can be run again. Tests wait
 * for a condition, not for a time.
 */
class TestSourcesTest {
    private static final Pattern OF_CHANCE =
            Pattern.compile(
                    "weir\\.seed\", System\\.|[sS]eed = (System\\.|new Random\\(\\))"
                            + "|new Random\\(System\\.|Math\\.random\\(");

    private static final Pattern SLEEP =
            Pattern.compile("Thread\\.sleep\\(|parkNanos\\(|onSpinWait\\(|\\.sleep\\([0-9]");

    /**
     * Pauses in each file. They play a slow party, or time itself is tested. Other tests wait with
     * {@code Await}. The numbers only fall.
     */
    private static final Map<String, Integer> PAUSES =
            Map.ofEntries(
                    entry("AsyncSinkTest.java", 1),
                    entry("Await.java", 1),
                    entry("CapturedBursts.java", 1),
                    entry("ClusterRun.java", 1),
                    entry("ClusterSinksTest.java", 1),
                    entry("CreatedSourcesTest.java", 1),
                    entry("DoctorTest.java", 1),
                    entry("DpdkShapesTest.java", 1),
                    entry("Fifo.java", 1),
                    entry("FullDiskTest.java", 3),
                    entry("HangingDiskTest.java", 1),
                    entry("HastyBudgetTest.java", 1),
                    entry("JdbcTruthTest.java", 3),
                    entry("LeakCheck.java", 1),
                    entry("LiveLossTest.java", 1),
                    entry("LiveOverloadTest.java", 1),
                    entry("LiveRunTest.java", 1),
                    entry("LiveTest.java", 1),
                    entry("LiveWorker.java", 1),
                    entry("OddStampsOverPipesTest.java", 1),
                    entry("OutboxSenderTest.java", 1),
                    entry("PastHeartbeatsTest.java", 1),
                    entry("RestartedWatchTest.java", 1),
                    entry("RingStressTest.java", 2),
                    entry("StalledMergeTest.java", 1),
                    entry("TriggerPublisherTest.java", 1));

    @Test
    void noSeedIsTakenFromAClock() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : tests()) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (OF_CHANCE.matcher(lines.get(i)).find()) {
                    found.add(file + ":" + (i + 1) + " " + lines.get(i).strip());
                }
            }
        }
        assertEquals(List.of(), found, "take Long.getLong(\"weir.seed\", 1)");
    }

    /** A test that only pauses hopes that what it needs has come meanwhile. */
    @Test
    void testsWaitForWhatTheyNeed() throws IOException {
        Map<String, Integer> found = new TreeMap<>();
        for (Path file : tests()) {
            for (String line : Files.readAllLines(file)) {
                if (SLEEP.matcher(line).find()) {
                    found.merge(file.getFileName().toString(), 1, Integer::sum);
                }
            }
        }
        assertEquals(new TreeMap<>(PAUSES), found, "wait with Await, for what the test needs");
    }

    private static List<Path> tests() throws IOException {
        Path home = PlainWordsTest.home();
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(path -> path.toString().contains("/src/test/java/"))
                    .filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.endsWith("TestSourcesTest.java"))
                    .sorted()
                    .toList();
        }
    }
}
