package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.catalog.MapCatalog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Text that no user would write: one clear error, or a plan; never anything else, never for long.
 */
class HostileTextTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int MANY = 10_000;
    private static final MapCatalog RUNNING = Golden.running();
    private static final String FROM = " FROM packets";

    private record Hostile(String name, String text) {}

    private static List<Hostile> shapes() {
        String deep = "(".repeat(MANY) + "1" + ")".repeat(MANY);
        return List.of(
                new Hostile("parentheses", "SELECT " + deep + FROM),
                new Hostile("open parentheses", "SELECT " + "(".repeat(MANY)),
                new Hostile("subqueries", "SELECT (".repeat(MANY)),
                new Hostile("CASEs", "SELECT " + "CASE WHEN TRUE THEN ".repeat(MANY)),
                new Hostile("NOTs", "SELECT " + "NOT ".repeat(MANY) + "TRUE" + FROM),
                new Hostile("minuses", "SELECT " + "- ".repeat(MANY) + "1" + FROM),
                new Hostile("sum", "SELECT 1" + " + 1".repeat(MANY) + FROM),
                new Hostile("comparisons", "SELECT 1" + " = 1".repeat(MANY) + FROM),
                new Hostile("LIKEs", "SELECT 1" + " LIKE 1".repeat(MANY) + FROM),
                new Hostile("BETWEENs", "SELECT 1" + " BETWEEN 1 AND 1".repeat(MANY) + FROM),
                new Hostile("IS NULLs", "SELECT 1" + " IS NULL".repeat(MANY) + FROM),
                new Hostile("dots", "SELECT a" + ".a".repeat(MANY) + FROM),
                new Hostile(
                        "ORs",
                        "SELECT 1 FROM packets WHERE proto = 1" + " OR proto = 1".repeat(MANY)),
                new Hostile("IN list", "SELECT proto IN (1" + ", 1".repeat(MANY) + ")" + FROM),
                new Hostile("columns", "SELECT 1" + ", 1".repeat(MANY) + FROM),
                new Hostile(
                        "keys", "SELECT 1 FROM packets GROUP BY proto" + ", proto".repeat(MANY)),
                new Hostile("unions", "SELECT 1 FROM packets" + " UNION SELECT 1".repeat(MANY)),
                new Hostile("joins", "SELECT 1 FROM packets" + ", packets".repeat(MANY)),
                new Hostile("brackets", "SELECT a" + "[".repeat(MANY)),
                new Hostile(
                        "functions", "SELECT " + "ABS(".repeat(60) + "1" + ")".repeat(60) + FROM),
                new Hostile("doubling", doubling()),
                new Hostile("WHENs", "SELECT 1 FROM packets" + " WHEN a.b > 1".repeat(MANY)),
                new Hostile("number", "SELECT " + "9".repeat(500_000) + FROM),
                new Hostile("exponent", "SELECT 1e999999999, 1e-999999999" + FROM),
                new Hostile("hexadecimal", "SELECT 0x" + "f".repeat(500_000) + FROM),
                new Hostile("string", "SELECT '" + "x".repeat(1_000_000) + "'" + FROM),
                new Hostile("address", "SELECT INET '" + ":".repeat(500_000) + "'" + FROM),
                new Hostile("interval", "SELECT INTERVAL '" + "1".repeat(500_000) + "' DAY" + FROM),
                new Hostile("name", "SELECT " + "x".repeat(1_000_000) + FROM),
                new Hostile("spaces", " ".repeat(1_000_000)),
                new Hostile("semicolons", ";".repeat(1_000_000)),
                new Hostile("statements", "SHOW QUERIES;".repeat(50_000)),
                new Hostile("newlines", "\n".repeat(500_000) + "SELECT"),
                new Hostile("comments", "/**/".repeat(250_000) + "x"),
                new Hostile("too long", "x".repeat(5_000_000)),
                new Hostile("zero byte", "SELECT \0" + FROM),
                new Hostile("control", "SELECT \u001b[31m" + FROM),
                new Hostile("surrogates", "SELECT \ud800 \udc00" + FROM),
                new Hostile("emoji", "SELECT 'ö😀' AS \"ö😀\"" + FROM));
    }

    /** Each COALESCE writes its first operand twice. */
    private static String doubling() {
        String text = "NULLIF(bytes, 0)";
        for (int i = 0; i < 60; i++) {
            text = "COALESCE(" + text + ", NULLIF(bytes, 1))";
        }
        return "SELECT " + text + FROM;
    }

    @TestFactory
    Stream<DynamicTest> shapesEndInAPlanOrOneError() {
        return shapes().stream()
                .map(
                        shape ->
                                DynamicTest.dynamicTest(
                                        shape.name(),
                                        () ->
                                                assertTimeoutPreemptively(
                                                        LIMIT, () -> check(shape.text()))));
    }

    @Test
    void equeryTooIsBounded() {
        assertTimeoutPreemptively(
                LIMIT,
                () -> {
                    String fields = "total_byte" + ", total_byte".repeat(MANY);
                    checkEquery("q: select " + fields + ";");
                    checkEquery(
                            "q: select total_byte where " + "proto=6,".repeat(MANY) + "proto=6");
                    checkEquery("q: select total_byte;".repeat(5_000));
                    checkEquery("q: select total_byte where src_addr=" + ":".repeat(100_000));
                    checkEquery("q".repeat(1_000_000));
                });
    }

    @Test
    void randomBytes() {
        long seed = 20_261_120L;
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(200); n > 0; n--) {
                text.append(
                        (char)
                                (random.nextInt(4) == 0
                                        ? random.nextInt(0x3000)
                                        : random.nextInt(128)));
            }
            checkSeeded(seed, text.toString());
        }
    }

    @Test
    void tokenSoup() {
        long seed = 20_261_121L;
        Random random = new Random(seed);
        String[] words =
                ("SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET WHEN UNTIL FOR CREATE QUERY AS"
                                + " DROP packets flows ddos src_addr bytes ts proto count ( ( ) ) , , ."
                                + " ; = < > + - * / % << >> 1 2.5 0x1f 'a' '10.0.0.1' INET AND OR NOT"
                                + " IN BETWEEN IS NULL CASE THEN ELSE END COUNT SUM ( * ) DISTINCT"
                                + " FILTER TUMBLE HOP INTERVAL SECOND MILLISECOND TABLE DESCRIPTOR"
                                + " EXPLAIN KERNEL SHOW COLUMNS :A CAST window_start \"q\" /* */ --")
                        .split(" ");
        for (int i = 0; i < 700; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(30); n > 0; n--) {
                text.append(words[random.nextInt(words.length)]).append(' ');
            }
            checkSeeded(seed, text.toString());
        }
    }

    @Test
    void goodTextsDamaged() throws IOException {
        long seed = 20_261_122L;
        Random random = new Random(seed);
        List<String> texts = new ArrayList<>();
        for (String file : List.of("plans.txt", "errors.txt", "equery.txt")) {
            Golden.cases(file).forEach(c -> texts.add(c.text()));
        }
        for (int i = 0; i < 700; i++) {
            List<String> pieces =
                    new ArrayList<>(
                            List.of(texts.get(random.nextInt(texts.size())).split("(?=[ (),.'])")));
            for (int n = 1 + random.nextInt(3); n > 0 && !pieces.isEmpty(); n--) {
                damage(pieces, random);
            }
            checkSeeded(seed, pieces.stream().collect(Collectors.joining()));
        }
    }

    private static void damage(List<String> pieces, Random random) {
        int at = random.nextInt(pieces.size());
        switch (random.nextInt(3)) {
            case 0 -> pieces.remove(at);
            case 1 -> pieces.add(at, pieces.get(random.nextInt(pieces.size())));
            default -> pieces.set(at, pieces.get(random.nextInt(pieces.size())));
        }
    }

    private static void checkSeeded(long seed, String text) {
        try {
            check(text);
            checkEquery(text);
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed + ", text: " + text, e);
        }
    }

    private static void check(String text) {
        try {
            new SqlFrontend(RUNNING).parse(text);
        } catch (WeirException e) {
            checkClear(e);
        } catch (StackOverflowError | RuntimeException e) {
            fail("escaped: " + e, e);
        }
    }

    private static void checkEquery(String text) {
        try {
            new SqlFrontend(RUNNING).parseEquery(text, Map.of());
        } catch (WeirException e) {
            checkClear(e);
        } catch (StackOverflowError | RuntimeException e) {
            fail("escaped: " + e, e);
        }
    }

    /** One sentence of our own, of bearable length. */
    private static void checkClear(WeirException e) {
        String text = e.text();
        assertEquals(ErrorCode.Kind.USER, e.code().kind(), text);
        assertFalse(
                text.matches("(?s).*(org\\.apache|java\\.|Exception|\tat |Was expecting).*"), text);
        assertTrue(text.length() < 1_000, () -> text.length() + " characters: " + text);
        assertTrue(text.lines().count() <= 4, text);
    }
}
