package io.weir.ingest.traces;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The folder of real captures with independent answers, which lies beside the project: {@code
 * weir.traces} or WEIR_TRACES names it, else {@code ../shared/traces} from the repository's root.
 * Where it is absent, the tests that ask for it are skipped and say so.
 */
public final class Traces {
    private final Path folder;

    private Traces(Path folder) {
        this.folder = folder;
    }

    static Traces orSkip() {
        Path folder = locate();
        assumeTrue(
                Files.isRegularFile(folder.resolve("INDEX.md")),
                () -> "skipped: no captures at " + folder + " (set weir.traces or WEIR_TRACES)");
        return new Traces(folder);
    }

    private static Path locate() {
        String named = System.getProperty("weir.traces", System.getenv("WEIR_TRACES"));
        if (named != null) {
            return Path.of(named).toAbsolutePath();
        }
        Path root = Path.of("").toAbsolutePath();
        while (root.getParent() != null && !Files.exists(root.resolve(".mvn"))) {
            root = root.getParent();
        }
        return root.resolveSibling("shared").resolve("traces");
    }

    Path path(String capture) {
        return folder.resolve(capture);
    }

    /** Returns all files of at most so many bytes; none where the captures are not there. */
    public static List<Path> small(long mostBytes) {
        Path folder = locate();
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toFile().length() <= mostBytes)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every file of the hostile captures that is one, in order. */
    List<Path> hostile() {
        try (Stream<Path> files = Files.walk(folder.resolve("hostile"))) {
            return files.filter(Files::isRegularFile)
                    .filter(f -> !f.toString().contains("LICENCES"))
                    .filter(f -> !f.endsWith("MANIFEST.tsv"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lines of {@code answers/NAME} by their capture, with these columns, joined by commas. */
    Map<String, List<String>> rows(String name, List<String> columns) {
        try (Stream<String> lines = Files.lines(folder.resolve("answers").resolve(name))) {
            List<String[]> cells = lines.map(line -> line.split(",", -1)).toList();
            List<String> header = List.of(cells.get(0));
            int[] at = columns.stream().mapToInt(header::indexOf).toArray();
            Map<String, List<String>> rows = new HashMap<>();
            for (String[] row : cells.subList(1, cells.size())) {
                List<String> picked = new ArrayList<>();
                for (int index : at) {
                    picked.add(row[index]);
                }
                rows.computeIfAbsent(row[0], c -> new ArrayList<>()).add(String.join(",", picked));
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The totals of every capture, each a line of JSON. */
    List<String> summaries() {
        try {
            return Files.readAllLines(folder.resolve("answers/summary.jsonl"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
