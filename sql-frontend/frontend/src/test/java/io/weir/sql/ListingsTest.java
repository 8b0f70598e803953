package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What listings look like in a terminal of 80 columns. */
class ListingsTest {
    private static final int TERMINAL = 80;

    /** Characters of a line of the console's table. */
    private static int width(Listing listing) {
        int width = 1;
        for (int column = 0; column < listing.columns().size(); column++) {
            int widest = listing.columns().get(column).length();
            for (List<String> row : listing.rows()) {
                widest = Math.max(widest, row.get(column).length());
            }
            width += widest + 3;
        }
        return width;
    }

    @Test
    void functionsFitATerminal() {
        Listing functions = new Listings(Golden.running()).of(new Statement.ShowFunctions());
        assertTrue(width(functions) <= TERMINAL, "columns: " + width(functions));
    }

    @Test
    void plansFitATerminal() throws IOException {
        for (Golden.Case golden : Golden.cases("plans.txt")) {
            for (Statement statement : Golden.parse(golden.text())) {
                Golden.query(statement)
                        .map(query -> new Statement.Explain(query, false))
                        .map(explain -> new Listings(Golden.running()).of(explain))
                        .ifPresent(plan -> assertTrue(width(plan) <= TERMINAL, golden.text()));
            }
        }
    }

    /** All words are there, in order; a line is as long as it can be. */
    @Test
    void longLinesAreCutAtSpaces() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        for (int text = 0; text < 1_000; text++) {
            StringBuilder written = new StringBuilder(" ".repeat(random.nextInt(4)));
            for (int word = random.nextInt(20); word >= 0; word--) {
                written.append("w".repeat(1 + random.nextInt(12))).append(word == 0 ? "" : " ");
            }
            String line = written.toString();
            List<String> lines = WrappedLines.lines(line, 20);
            List<String> words = new ArrayList<>();
            for (String part : lines) {
                assertTrue(part.length() <= 20, part + ", seed " + seed);
                words.add(part.strip());
            }
            assertEquals(line.strip(), String.join(" ", words), "seed " + seed);
            assertTrue(lines.get(0).startsWith(line.substring(0, 1)), "seed " + seed);
        }
    }
}
