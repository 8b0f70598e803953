package io.weir.operators.words;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the documents: Markdown without code, tables and figures that a command writes. */
final class Pages {
    private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");
    private static final Pattern ITEM = Pattern.compile("(?:[-*]|\\d+\\.) (.*)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\(([^)\\s]*)\\)");

    private Pages() {}

    /** All Markdown files of the repository, but for those that a build makes. */
    static List<Path> under(Path home) {
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(path -> path.toString().endsWith(".md"))
                    .filter(path -> isOurs(home.relativize(path)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOurs(Path path) {
        for (Path part : path) {
            if (SKIPPED.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }

    /** Lines outside of code and generated figures; others are empty, so that numbers stay. */
    static List<String> prose(Path page) {
        List<String> prose = new ArrayList<>();
        boolean isFence = false;
        boolean isWritten = false;
        boolean isList = false;
        for (String line : lines(page)) {
            boolean isEdge = line.strip().startsWith("```");
            isFence ^= isEdge;
            isWritten |= line.startsWith("<!-- figures");
            isWritten &= !line.startsWith("<!-- end");
            if (!line.isBlank() && !line.startsWith(" ")) {
                isList = ITEM.matcher(line).matches();
            }
            boolean isCode = isFence || isEdge || !isList && line.startsWith("    ");
            prose.add(isCode || isWritten ? "" : line);
        }
        return prose;
    }

    /** Paragraphs and list items, each on one line; headings and tables are none. */
    static List<String> paragraphs(Path page) {
        List<String> all = new ArrayList<>();
        List<String> open = new ArrayList<>();
        for (String line : prose(page)) {
            String text = line.strip();
            Matcher item = ITEM.matcher(text);
            boolean isItem = item.matches();
            if (isItem || text.isEmpty() || isTable(line) || text.startsWith("#")) {
                all.add(plain(String.join(" ", open)));
                open.clear();
            }
            if (isItem) {
                open.add(item.group(1));
            } else if (!text.isEmpty() && !isTable(line) && !text.startsWith("#")) {
                open.add(text);
            }
        }
        all.add(plain(String.join(" ", open)));
        return all;
    }

    static boolean isTable(String line) {
        return line.strip().startsWith("|") || line.startsWith("<!--");
    }

    /** Code is one word; of a link its text stays. */
    private static String plain(String markdown) {
        String text = CODE.matcher(markdown).replaceAll("Code");
        return LINK.matcher(text).replaceAll("$1").replace("*", "");
    }

    /** Where the links of a page lead to, as they are written. */
    static List<String> links(Path page) {
        List<String> targets = new ArrayList<>();
        for (String line : prose(page)) {
            Matcher link = LINK.matcher(CODE.matcher(line).replaceAll("Code"));
            while (link.find()) {
                targets.add(link.group(2));
            }
        }
        return targets;
    }

    /** The names by which links reach a page's headings. */
    static Set<String> anchors(Path page) {
        return prose(page).stream()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").strip().toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static List<String> lines(Path page) {
        try {
            return Files.readAllLines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
