package io.weir.cluster.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file of sqllogictest: records, each a block of lines. {@code src/test/sqllogic/README.md} has
 * the format.
 */
record LogicFile(Path path, List<LogicFile.Item> items) {
    private static final String ANSWER = "----";

    /** A record of the file. */
    sealed interface Item {
        /** Its place, as file and line. */
        String where();

        String sql();
    }

    /**
     * A SELECT with its rows.
     *
     * @param types a letter for each column
     * @param sorted whether the order of the rows means nothing
     * @param answer a row on each line, or one line with a hash of them
     */
    record Query(String where, String sql, String types, boolean sorted, List<String> answer)
            implements Item {}

    /**
     * A statement without rows.
     *
     * @param error a pattern of the error that it must give, or null
     */
    record Plain(String where, String sql, String error) implements Item {}

    static LogicFile read(Path path) {
        try {
            List<String> lines = new ArrayList<>(Files.readAllLines(path));
            lines.add("");
            return new LogicFile(path, items(path, lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Item> items(Path path, List<String> lines) {
        List<Item> items = new ArrayList<>();
        int first = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                addItem(path, first, lines.subList(first, i), items);
                first = i + 1;
            }
        }
        return items;
    }

    /** Adds the record of a block, unless it is only a comment. */
    private static void addItem(Path path, int first, List<String> block, List<Item> items) {
        int head = 0;
        while (head < block.size() && !block.get(head).matches("(query|statement) .*")) {
            if (!block.get(head).matches("#.*|onlyif weir")) {
                throw new IllegalStateException(path + ":" + (first + head + 1) + ": no record");
            }
            head++;
        }
        if (head == block.size()) {
            return;
        }
        String where = path + ":" + (first + head + 1);
        List<String> rest = block.subList(head + 1, block.size());
        String[] words = block.get(head).split(" ", 3);
        if (words[0].equals("statement")) {
            String error = words.length > 2 ? words[2] : ".*";
            items.add(new Plain(where, text(rest), words[1].equals("error") ? error : null));
            return;
        }
        int answer = rest.indexOf(ANSWER);
        if (answer < 0) {
            throw new IllegalStateException(where + ": " + ANSWER + " is missing");
        }
        boolean sorted = words.length > 2 && words[2].equals("rowsort");
        List<String> rows = List.copyOf(rest.subList(answer + 1, rest.size()));
        items.add(new Query(where, text(rest.subList(0, answer)), words[1], sorted, rows));
    }

    private static String text(List<String> lines) {
        return String.join("\n", lines);
    }
}
