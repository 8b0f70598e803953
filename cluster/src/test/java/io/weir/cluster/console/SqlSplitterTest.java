package io.weir.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
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

    @Test
    void cutsAtSemicolonsOutsideQuotesAndComments() {
        assertEquals(
                List.of("a ';' \";\" b;", "-- c;\n/* ; */ d;", "e"),
                SqlSplitter.split("a ';' \";\" b; -- c;\n/* ; */ d;;\n ;e\n"));
    }

    @Test
    void commandsEndWithTheirLine() {
        assertEquals(
                List.of("!tables", "a\n!b;", "!quit"), SqlSplitter.split("!tables\na\n!b;\n!quit"));
    }

    @Test
    void plainWordsEndWithTheirLineToo() {
        assertEquals(
                List.of("help", "\\d packets", "SELECT\nhelp\n;", "quit;", "exit"),
                SqlSplitter.split(
                        "-- what is there?\nhelp\n \\d packets\nSELECT\nhelp\n; quit; exit"));
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
            assertEquals(
                    pieces, withoutComments(SqlSplitter.split(text.toString())), "seed " + seed);
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
        assertEquals(List.of("a 'b;c"), SqlSplitter.split("a 'b;c"));
        assertEquals(List.of("a /* b;"), SqlSplitter.split("a /* b;"));
        assertEquals(List.of(), SqlSplitter.split(" \n"));
    }
}
