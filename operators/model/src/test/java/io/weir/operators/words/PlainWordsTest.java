package io.weir.operators.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Counts comment sentences, in the main sources of each module, that a stranger reads twice: those
 * that open with a free relative or a bare genitive, and those of more than 25 words. {@code
 * plain-words.txt} has the allowed counts. They may only fall: whoever rewrites comments lowers
 * them in the same commit.
 */
final class PlainWordsTest {
    private static final String SOURCES = "src/main/java";
    static final Path HOME = home();

    private record Counts(int openings, int longOnes) {}

    @TestFactory
    Stream<DynamicTest> noModuleHasMoreRiddlesThanAllowed() throws IOException {
        Map<String, Counts> allowed = allowed();
        return modules().stream()
                .map(module -> DynamicTest.dynamicTest(module, () -> check(module, allowed)));
    }

    @Test
    void eachLineOfTheAllowedCountsHasItsModule() throws IOException {
        List<String> gone = new ArrayList<>(allowed().keySet());
        gone.removeAll(modules());
        assertTrue(gone.isEmpty(), "remove these lines of plain-words.txt: " + gone);
    }

    @Test
    void sentencesAreFoundInComments() {
        String source =
                """
                /** What is kept: {@link A#b c d}. See version 1.5 of it. <p>Of those, one. */
                String s = "// What is text";
                int a; // Who
                // One line
                // and the next. The end.
                """;
        List<String> found =
                Comments.of(source).stream().flatMap(text -> Sentences.of(text).stream()).toList();
        assertEquals(
                List.of(
                        "What is kept: `A#b_c_d`.",
                        "See version 1.5 of it.",
                        "Of those, one.",
                        "Who",
                        "One line and the next.",
                        "The end."),
                found);
        assertEquals(3, found.stream().filter(Sentences::opensWithARiddle).count());
    }

    @Test
    void longSentencesAreLong() {
        assertFalse(Sentences.isLong("word ".repeat(25) + "- ."));
        assertTrue(Sentences.isLong("word ".repeat(26)));
    }

    private static void check(String module, Map<String, Counts> allowed) {
        List<String> openings = new ArrayList<>();
        List<String> longOnes = new ArrayList<>();
        for (Path file : javaFiles(HOME.resolve(module).resolve(SOURCES))) {
            String name = HOME.relativize(file).toString();
            for (String comment : Comments.of(read(file))) {
                for (String sentence : Sentences.of(comment)) {
                    if (Sentences.opensWithARiddle(sentence)) {
                        openings.add(name + ": " + sentence);
                    }
                    if (Sentences.isLong(sentence)) {
                        longOnes.add(name + ": " + sentence);
                    }
                }
            }
        }
        Counts most = allowed.getOrDefault(module, new Counts(0, 0));
        Counts now = new Counts(openings.size(), longOnes.size());
        System.out.println(module + " " + now.openings() + " " + now.longOnes());
        assertTrue(
                now.openings() <= most.openings(),
                () -> tooMany(module, "open with a riddle", most.openings(), openings));
        assertTrue(
                now.longOnes() <= most.longOnes(),
                () -> tooMany(module, "have over 25 words", most.longOnes(), longOnes));
    }

    private static String tooMany(String module, String fault, int most, List<String> found) {
        return "%d comment sentences in %s %s; allowed: %d. Rewrite yours:%n  %s"
                .formatted(found.size(), module, fault, most, String.join("\n  ", found));
    }

    /** Reads lines of module, openings, long sentences. */
    private static Map<String, Counts> allowed() throws IOException {
        Map<String, Counts> allowed = new TreeMap<>();
        Path file = HOME.resolve("operators/model/src/test/resources/plain-words.txt");
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.strip().split("\\s+");
                allowed.put(
                        parts[0],
                        new Counts(Integer.parseInt(parts[1]), Integer.parseInt(parts[2])));
            }
        }
        return allowed;
    }

    private static List<String> modules() throws IOException {
        try (Stream<Path> files = Files.find(HOME, 5, (path, is) -> path.endsWith(SOURCES))) {
            return files.map(path -> HOME.relativize(path).toString())
                    .map(path -> path.substring(0, path.length() - SOURCES.length() - 1))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(path -> path.toString().endsWith(".java")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The repository's folder: tests run in the folder of their module. */
    static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("weir")) || !Files.exists(folder.resolve("docs"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
