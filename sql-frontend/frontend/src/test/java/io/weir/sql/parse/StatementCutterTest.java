package io.weir.sql.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.weir.operators.error.WeirException;
import io.weir.sql.error.SqlSource;
import io.weir.sql.parse.StatementCutter.Piece;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A script that is cut as it comes has the statements that it has as a whole. */
class StatementCutterTest {
    private static final List<String> PARTS =
            List.of(
                    "SELECT",
                    "a",
                    "'",
                    "''",
                    "\"",
                    "\"\"",
                    "--",
                    "/*",
                    "*/",
                    ";",
                    "; ",
                    "\n",
                    " ",
                    "\n\n",
                    "'x; DROP QUERY v; y'",
                    "\"a;b\"",
                    "-- a; b\n",
                    "/* ; */",
                    "/* ;\n; */",
                    "U&'\\0041;'",
                    "E'\\'",
                    "`;`",
                    "1e-3",
                    ":p",
                    "/",
                    "*",
                    "-",
                    "'it''s;'",
                    "WHEN a.n > 1 UNTIL b.n = ';'",
                    "\t",
                    "!x;",
                    "é",
                    "INTERVAL '1' SECOND");

    private static List<Piece> cut(String script) {
        StatementCutter cutter = new StatementCutter(line -> false);
        List<Piece> pieces = new ArrayList<>();
        for (String line : script.split("(?<=\n)")) {
            cutter.append(line);
            Optional<Piece> piece = cutter.next();
            for (; piece.isPresent(); piece = cutter.next()) {
                pieces.add(piece.get());
            }
        }
        cutter.rest().ifPresent(pieces::add);
        return pieces;
    }

    /** The text of each statement up to its last word, and its place. */
    private static List<Piece> whole(String script) {
        return new StatementParser(new SqlSource(script), true)
                .split().stream()
                        .map(s -> new Piece(s.original(), s.first().line(), s.first().column()))
                        .toList();
    }

    @Test
    void cutsWhereTheWholeTextIsSplit() {
        long seed = Long.getLong("weir.seed", 17);
        Random random = new Random(seed);
        int compared = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder script = new StringBuilder();
            for (int n = random.nextInt(24); n > 0; n--) {
                script.append(PARTS.get(random.nextInt(PARTS.size())));
            }
            String text = script.toString();
            if (text.contains("//") || text.contains("/*+")) {
                continue; // the lexer refuses these where they stand
            }
            compared++;
            String shown = "-Dweir.seed=" + seed + ", script " + i + ": " + text;
            List<Piece> expected;
            try {
                expected = whole(text);
            } catch (WeirException e) {
                WeirException open = assertThrows(WeirException.class, () -> cut(text), shown);
                assertEquals(firstLine(e), firstLine(open), shown);
                continue;
            }
            assertEquals(expected, withoutLastComments(cut(text)), shown);
        }
        assertFalse(compared < 10_000, compared + " scripts");
    }

    private static String firstLine(WeirException e) {
        return e.text().lines().findFirst().orElseThrow();
    }

    /** A comment behind the last word belongs to the statement, and says nothing. */
    private static List<Piece> withoutLastComments(List<Piece> pieces) {
        return pieces.stream()
                .map(
                        piece -> {
                            List<StatementText> one =
                                    new StatementParser(new SqlSource(piece.text()), true).split();
                            assertEquals(1, one.size(), piece.text());
                            return new Piece(one.get(0).original(), piece.line(), piece.column());
                        })
                .toList();
    }

    @Test
    void linesThatAreCommandsEndWithTheirLine() {
        StatementCutter cutter = new StatementCutter(line -> line.startsWith("!"));
        cutter.append("/* ; */ !run a; b\nSELECT 1\n!c;\n'\n!d'; !e\n");
        List<String> pieces = new ArrayList<>();
        for (Optional<Piece> p = cutter.next(); p.isPresent(); p = cutter.next()) {
            pieces.add(p.get().text());
        }
        assertEquals(List.of("!run a; b", "SELECT 1\n!c", "'\n!d'", "!e"), pieces);
    }

    @Test
    void longScriptsAreCutInLinearTime() {
        String statement =
                "SELECT '" + "a;\n".repeat(300_000) + "' /*" + ";\n".repeat(20_000) + "*/;";
        List<Piece> pieces =
                assertTimeoutPreemptively(
                        Duration.ofSeconds(20), () -> cut(statement + "\n" + "b;".repeat(300_000)));
        assertEquals(300_001, pieces.size());
        assertEquals(new Piece("b", 320_003, 1), withPlace(pieces.get(1)));
    }

    private static Piece withPlace(Piece piece) {
        return new Piece(piece.text(), piece.line() + 1, piece.column());
    }

    @Test
    void aStatementIsBounded() {
        String endless = "SELECT '" + "a\n".repeat(1 << 20);
        WeirException e = assertThrows(WeirException.class, () -> cut(endless));
        assertFalse(e.text().length() > 500, e.text());
    }
}
