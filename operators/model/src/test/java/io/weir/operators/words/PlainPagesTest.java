package io.weir.operators.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds the documents to plain words and short lines, and follows their links. The counts below may
 * only fall: whoever writes a page rewrites what the test names.
 */
final class PlainPagesTest {
    private static final int MOST_OPENINGS = 0;
    private static final int MOST_LONG_SENTENCES = 0;
    private static final int MOST_WIDE_LINES = 0;

    private static final int COLUMNS = 100;
    private static final int LINES_OF_A_DECISION = 65;

    private static final String SOURCE = "[^/]+/[^/]+/src/main/java/io/weir/.*\\.java";
    private static final Path HOME = PlainWordsTest.HOME;
    private static final List<Path> PAGES = Pages.under(HOME);

    @TempDir private Path directory;

    @Test
    void sentencesAreShortAndBeginWithTheirSubject() {
        List<String> openings = new ArrayList<>();
        List<String> longOnes = new ArrayList<>();
        for (Path page : PAGES) {
            for (String paragraph : Pages.paragraphs(page)) {
                for (String sentence : Sentences.of(paragraph)) {
                    if (Sentences.opensWithARiddle(sentence) && !sentence.endsWith("?")) {
                        openings.add(name(page) + ": " + sentence);
                    }
                    if (Sentences.isLong(sentence)) {
                        longOnes.add(name(page) + ": " + sentence);
                    }
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d pages: %d riddles, %d long sentences%n",
                PAGES.size(),
                openings.size(),
                longOnes.size());
        assertTrue(
                openings.size() <= MOST_OPENINGS,
                () -> "sentences that open with a riddle:\n  " + String.join("\n  ", openings));
        assertTrue(
                longOnes.size() <= MOST_LONG_SENTENCES,
                () -> "sentences of over 25 words:\n  " + String.join("\n  ", longOnes));
    }

    @Test
    void linesHaveAHundredColumns() {
        List<String> wide = new ArrayList<>();
        for (Path page : PAGES) {
            List<String> lines = Pages.prose(page);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                boolean isLink = line.strip().indexOf(' ') < 0;
                if (line.length() > COLUMNS && !Pages.isTable(line) && !isLink) {
                    wide.add(name(page) + ":" + (i + 1));
                }
            }
        }
        System.out.println(wide.size() + " wide lines");
        assertTrue(
                wide.size() <= MOST_WIDE_LINES,
                () -> "lines of more than " + COLUMNS + " columns: " + wide);
    }

    @Test
    void linksLeadSomewhere() {
        List<String> broken = new ArrayList<>();
        for (Path page : PAGES) {
            for (String link : Pages.links(page)) {
                if (!link.matches("[a-z]+:.*") && !leads(page, link)) {
                    broken.add(name(page) + ": " + link);
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    private static boolean leads(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!Files.exists(target)) {
            return false;
        }
        return parts.length == 1 || Pages.anchors(target).contains(parts[1]);
    }

    @Test
    void aDecisionIsOnePage() throws Exception {
        List<String> tooLong = new ArrayList<>();
        for (Path page : PAGES) {
            boolean isDecision = page.getFileName().toString().matches("\\d{4}-.*");
            if (isDecision && Files.readAllLines(page).size() > LINES_OF_A_DECISION) {
                tooLong.add(name(page));
            }
        }
        assertEquals(List.of(), tooLong, "measurements go to docs/lab");
    }

    @Test
    void theIndexOfDecisionsHasThemAll() throws Exception {
        String index = Files.readString(HOME.resolve("docs/adr/README.md"));
        String lab = Files.readString(HOME.resolve("docs/lab/README.md"));
        List<String> unlisted = new ArrayList<>();
        for (Path page : PAGES) {
            String file = page.getFileName().toString();
            boolean isLab = page.getParent().endsWith("lab") && !file.equals("README.md");
            if (file.matches("\\d{4}-.*") && !index.contains("(" + file + ")")
                    || isLab && !lab.contains("(" + file + ")")) {
                unlisted.add(name(page));
            }
        }
        assertEquals(List.of(), unlisted);
    }

    /** The README of a folder names each package of its modules, by its last word. */
    @Test
    void roomsAreInTheReadmeOfTheirFolder() throws Exception {
        List<String> missing = new ArrayList<>();
        for (String folder : List.of("operators", "native-ingest", "cluster")) {
            String readme = Files.readString(HOME.resolve(folder).resolve("README.md"));
            try (Stream<Path> files = Files.walk(HOME.resolve(folder))) {
                files.map(HOME::relativize)
                        .filter(path -> path.toString().matches(SOURCE))
                        .map(Path::getParent)
                        .distinct()
                        .filter(room -> !readme.matches("(?s).*\\W" + room.getFileName() + "`.*"))
                        .forEach(room -> missing.add(room.toString()));
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void theGlossaryIsSorted() {
        TreeMap<String, String> sorted = new TreeMap<>();
        List<String> words = new ArrayList<>();
        for (String line : Pages.lines(HOME.resolve("docs/GLOSSARY.md"))) {
            if (line.startsWith("- **")) {
                String word = line.substring(4, line.indexOf("**", 4));
                words.add(word);
                sorted.put(word.toLowerCase(Locale.ROOT), word);
            }
        }
        assertFalse(words.isEmpty());
        assertEquals(List.copyOf(sorted.values()), words);
    }

    @Test
    void codeTablesAndFiguresAreNoSentences() throws Exception {
        Path page = directory.resolve("page.md");
        Files.writeString(
                page,
                """
                # What a heading
                What `a.b c` is, [here](x.md#y). The
                *end* comes.

                - An item.
                | What | a table |
                ```
                What code
                ```
                <!-- figures: a command writes them -->
                What figures
                <!-- end of figures -->
                """);
        List<String> sentences =
                Pages.paragraphs(page).stream().flatMap(p -> Sentences.of(p).stream()).toList();
        assertEquals(3, sentences.size(), sentences.toString());
        assertTrue(Sentences.opensWithARiddle(sentences.get(0)));
        assertEquals("The end comes.", sentences.get(1));
        assertEquals("An item.", sentences.get(2));
        assertTrue(Pages.anchors(page).contains("what-a-heading"));
    }

    private static String name(Path page) {
        return HOME.relativize(page).toString();
    }
}
