package io.weir.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SqlSplitterTest {
    private static final List<String> PIECES =
            List.of(
                    "help",
                    "?",
                    "QUIT",
                    "\\dt",
                    "\\d \"A b\"",
                    "\\unknown",
                    "!set a '; b",
                    "help;",
                    "SELECT ';\nhelp\n' \"--\" /* ; */ FROM a;",
                    "SELECT a\nhelp\n-- ;\n!b;",
                    "helpful;");
    private static final List<String> BETWEEN =
            List.of("", "\n", "  ", "-- a ';\n", "/* \";\nhelp */", ";\n;");

    /** All pieces; nothing is read before the line that ends the piece before was not enough. */
    private static List<String> split(String text) {
        List<String> pieces = new ArrayList<>();
        List<String> lines = new ArrayList<>(text.lines().map(line -> line + "\n").toList());
        StringBuilder read = new StringBuilder();
        Reader lineByLine =
                new Reader() {
                    @Override
                    public int read(char[] to, int from, int most) {
                        if (lines.isEmpty()) {
                            return -1;
                        }
                        String line = lines.remove(0);
                        line.getChars(0, line.length(), to, from);
                        read.append(line);
                        return line.length();
                    }

                    @Override
                    public void close() {
                        // There is nothing to close.
                    }
                };
        SqlSplitter splitter = new SqlSplitter(lineByLine);
        try {
            Optional<String> piece = splitter.next();
            while (piece.isPresent()) {
                pieces.add(piece.get());
                int last = piece.get().lastIndexOf('\n') + 1;
                String end = piece.get().substring(last);
                boolean whole = end.endsWith(";") || piece.get().equals(end);
                String lastRead = read.substring(read.lastIndexOf("\n", read.length() - 2) + 1);
                assertTrue(!whole || lines.isEmpty() || lastRead.contains(end), text);
                piece = splitter.next();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pieces;
    }

    @Test
    void cutsAtSemicolonsOutsideQuotesAndComments() {
        assertEquals(
                List.of("a ';' \";\" b;", "-- c;\n/* ; */ d;", "e"),
                split("a ';' \";\" b; -- c;\n/* ; */ d;;\n ;e\n"));
    }

    @Test
    void commandsEndWithTheirLine() {
        assertEquals(List.of("!tables", "a\n!b;", "!quit"), split("!tables\na\n!b;\n!quit"));
    }

    @Test
    void plainWordsEndWithTheirLineToo() {
        assertEquals(
                List.of("help", "\\d packets", "SELECT\nhelp\n;", "quit;", "exit"),
                split("-- what is there?\nhelp\n \\d packets\nSELECT\nhelp\n; quit; exit"));
    }

    @Test
    void anyOrderOfStatementsCommandsAndComments() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int script = 0; script < 1_000; script++) {
            List<String> pieces = new ArrayList<>();
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(6); i > 0; i--) {
                String piece = PIECES.get(random.nextInt(PIECES.size()));
                text.append(BETWEEN.get(random.nextInt(BETWEEN.size()))).append(piece);
                text.append(piece.endsWith(";") && random.nextBoolean() ? "" : "\n");
                pieces.add(piece);
            }
            assertEquals(pieces, withoutComments(split(text.toString())), "seed " + seed);
        }
    }

    /** Those before a statement stay with it, so that its errors have their lines. */
    private static List<String> withoutComments(List<String> pieces) {
        return pieces.stream()
                .map(piece -> piece.replaceFirst("^(\\s*(-- a ';|/\\* \";\nhelp \\*/))*\\s*", ""))
                .toList();
    }

    @Test
    void whatIsNotClosedReachesToTheEnd() {
        assertEquals(List.of("a 'b;c"), split("a 'b;c"));
        assertEquals(List.of("a /* b;"), split("a /* b;"));
        assertEquals(List.of(), split(" \n"));
    }
}
