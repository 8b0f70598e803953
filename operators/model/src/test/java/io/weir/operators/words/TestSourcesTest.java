package io.weir.operators.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
            Pattern.compile("Thread\\.sleep\\(|parkNanos\\(|\\.sleep\\([0-9]");
    private static final Pattern LOOP = Pattern.compile("^ *(\\} )?(while|for|do)\\b");
    private static final int METHOD_DEPTH = 4;

    /**
     * One sleep in each: it plays a slow party, or time itself is tested. The list only shrinks.
     */
    private static final List<String> TIME_IS_THE_MATTER =
            List.of(
                    "AsyncSinkTest.java",
                    "HangingDiskTest.java",
                    "JdbcTruthTest.java",
                    "LiveLossTest.java",
                    "PastHeartbeatsTest.java",
                    "TriggerPublisherTest.java");

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

    /** A sleep in a loop looks for something again. Any other hopes that it has come meanwhile. */
    @Test
    void nobodySleepsForAFixedTime() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : tests()) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (SLEEP.matcher(lines.get(i)).find() && !isInLoop(lines, i)) {
                    found.add(file.getFileName().toString());
                }
            }
        }
        for (String name : TIME_IS_THE_MATTER) {
            assertTrue(found.remove(name), name + " sleeps no more: take it from the list");
        }
        assertEquals(List.of(), found, "wait in a loop, for what the test needs");
    }

    /** Looks at the lines that this one is inside of, up to the method. */
    private static boolean isInLoop(List<String> lines, int line) {
        int depth = depth(lines.get(line));
        for (int i = line - 1; i >= 0 && depth > METHOD_DEPTH; i--) {
            String text = lines.get(i);
            if (!text.isBlank() && depth(text) < depth) {
                depth = depth(text);
                if (LOOP.matcher(text).find()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int depth(String line) {
        return line.length() - line.stripLeading().length();
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
