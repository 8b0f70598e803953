package io.weir.operators.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random tests of all modules take the build's seed, so that a failure can be run again. */
class TestSourcesTest {
    private static final Pattern OF_CHANCE =
            Pattern.compile(
                    "weir\\.seed\", System\\.|[sS]eed = (System\\.|new Random\\(\\))"
                            + "|new Random\\(System\\.|Math\\.random\\(");

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
