package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.time.Stopwatch;
import io.weir.sql.catalog.MapCatalog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random statements of the whole grammar, whole and damaged: each ends in a plan or in one error of
 * the user, with a place in the text, within a second. {@code -Dweir.fuzz=100000} tries more.
 */
@Timeout(600)
class GrammarFuzzTest {
    private static final int TEXTS = Integer.getInteger("weir.fuzz", 1_500);
    private static final long MOST_MS = 1_000;
    private static final List<GpvLayout> LAYOUTS = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
    private static final MapCatalog RUNNING = Golden.running();

    private final long seed = Long.getLong("weir.seed", 34);
    private final Random random = new Random(seed);
    private final Set<ErrorCode> seen = new TreeSet<>();
    private int planned;

    @Test
    void derivedStatements() {
        Derivations derivations = new Derivations(random);
        for (int i = 0; i < TEXTS; i++) {
            check(derivations.text());
        }
        // Otherwise the derivations would try little.
        assertTrue(planned > TEXTS / 50, planned + " of " + TEXTS + " were planned, seed " + seed);
        assertTrue(seen.size() >= 6, seen + ", seed " + seed);
    }

    @Test
    void derivedStatementsDamaged() {
        Derivations derivations = new Derivations(random);
        for (int i = 0; i < TEXTS; i++) {
            check(damaged(derivations.text(), derivations.text()));
        }
    }

    @Test
    void statementsOfTheTestsDamaged() throws IOException {
        List<String> texts = new ArrayList<>();
        for (String file : List.of("plans.txt", "errors.txt")) {
            Golden.cases(file).forEach(one -> texts.add(one.text()));
        }
        for (int i = 0; i < TEXTS; i++) {
            check(damaged(any(texts), any(texts)));
        }
    }

    /** Every error that a text can have is in errors.txt, where its caret is shown. */
    @Test
    void eachErrorHasItsCaret() throws IOException {
        Set<ErrorCode> shown = EnumSet.noneOf(ErrorCode.class);
        for (Golden.Case one : Golden.cases("errors.txt")) {
            for (ErrorCode code : ErrorCode.values()) {
                if (one.expected().startsWith("error " + code + ":")) {
                    shown.add(code);
                }
            }
        }
        derivedStatements();
        derivedStatementsDamaged();
        Set<ErrorCode> without = new TreeSet<>(seen);
        without.removeAll(shown);
        assertEquals(Set.of(), without, "seed " + seed);
    }

    private String any(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }

    /** Takes out, doubles or moves characters or tokens, or crosses two texts. */
    private String damaged(String text, String other) {
        StringBuilder damaged = new StringBuilder(text);
        for (int n = 1 + random.nextInt(3); n > 0 && damaged.length() > 1; n--) {
            int at = random.nextInt(damaged.length());
            int end = Math.min(damaged.length(), at + 1 + random.nextInt(20));
            String piece = damaged.substring(at, end);
            switch (random.nextInt(5)) {
                case 0 -> damaged.delete(at, end);
                case 1 -> damaged.insert(random.nextInt(damaged.length()), piece);
                case 2 -> damaged.setCharAt(at, (char) (32 + random.nextInt(95)));
                case 3 ->
                        damaged.insert(at, any(List.of("(", ")", "'", "\"", ",", ";", ".", "/*")));
                default ->
                        damaged.replace(at, end, other.substring(random.nextInt(other.length())));
            }
        }
        return damaged.toString();
    }

    private void check(String text) {
        Stopwatch watch = Stopwatch.started();
        try {
            List<Statement> statements = new SqlFrontend(RUNNING).parse(text);
            planned++;
            statements.forEach(GrammarFuzzTest::compile);
        } catch (WeirException e) {
            seen.add(e.code());
            checkClear(text, e);
        } catch (StackOverflowError | AssertionError | RuntimeException e) {
            throw new AssertionError(told(text, e), e);
        }
        assertTrue(watch.ms() < MOST_MS, () -> watch.ms() + " ms: " + told(text, null));
    }

    /** A plan that cannot be compiled is an error with a place, too. */
    private static void compile(Statement statement) {
        Golden.query(statement)
                .ifPresent(q -> q.all().forEach(one -> QueryCompiler.check(one, LAYOUTS)));
    }

    private void checkClear(String text, WeirException e) {
        assertEquals(ErrorCode.Kind.USER, e.code().kind(), () -> told(text, e));
        assertTrue(e.place().isPresent() && e.text().contains("^"), () -> told(text, e));
    }

    private String told(String text, Throwable e) {
        String why = e instanceof WeirException known ? known.text() : String.valueOf(e);
        return "seed " + seed + "\n" + text + "\n" + why;
    }
}
