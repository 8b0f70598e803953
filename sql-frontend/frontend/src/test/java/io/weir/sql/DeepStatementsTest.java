package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.catalog.MapCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Statements that are nested or long, of any size, in all places of a statement, on threads of any
 * stack: a plan, or an error that says so.
 */
class DeepStatementsTest {
    private static final MapCatalog RUNNING = Golden.running();
    private static final long SMALL_STACK_BYTES = 192 << 10;
    private static final long LARGE_STACK_BYTES = 1 << 20;

    private record Shape(String name, boolean condition, IntFunction<String> text) {}

    private static String chain(String first, String next, int times) {
        return first + next.repeat(times);
    }

    private static String around(String open, String inner, String close, int times) {
        return open.repeat(times) + inner + close.repeat(times);
    }

    private static List<Shape> shapes() {
        List<Shape> shapes = new ArrayList<>();
        shapes.add(new Shape("minus", false, n -> chain("", "- ", n) + "bytes"));
        shapes.add(new Shape("plus", false, n -> chain("", "+ ", n) + "bytes"));
        shapes.add(new Shape("NOT", true, n -> chain("", "NOT ", n) + "proto = 6"));
        shapes.add(new Shape("sum", false, n -> chain("bytes", " + bytes", n)));
        shapes.add(new Shape("product", false, n -> chain("bytes", " * 2", n)));
        shapes.add(new Shape("mixed", false, n -> chain("bytes", " * 2 + 1 - bytes", n / 3)));
        shapes.add(new Shape("AND", true, n -> chain("proto = 6", " AND bytes > 1", n / 2)));
        shapes.add(new Shape("OR", true, n -> chain("proto = 6", " OR bytes = 7", n / 2)));
        String either = " OR bytes = 7 AND proto = 6";
        shapes.add(new Shape("AND in OR", true, n -> chain("proto = 6", either, n / 4)));
        shapes.add(new Shape("IN", true, n -> "proto IN (1" + ", 2".repeat(n / 2) + ")"));
        shapes.add(new Shape("IN chain", true, n -> chain("proto", " IN (1)", n / 4) + " = TRUE"));
        shapes.add(new Shape("IS NULL", true, n -> chain("proto", " IS NULL", n / 2)));
        shapes.add(new Shape("equals", true, n -> chain("proto = 6", " = (bytes = 1)", n / 6)));
        shapes.add(new Shape("parentheses", false, n -> around("(", "bytes", ")", n / 2)));
        shapes.add(new Shape("ABS", false, n -> around("ABS(", "bytes", ")", n / 3)));
        shapes.add(
                new Shape(
                        "CASE",
                        false,
                        n -> around("CASE WHEN proto = 6 THEN ", "1", " ELSE 0 END", n / 9)));
        String when = " WHEN proto = 6 THEN 1";
        shapes.add(new Shape("WHENs", false, n -> "CASE" + when.repeat(n / 6) + " ELSE 2 END"));
        String other = "CASE WHEN proto = 6 THEN 1 ELSE ";
        shapes.add(new Shape("ELSE CASE", false, n -> around(other, "2", " END", n / 9)));
        shapes.add(
                new Shape(
                        "sub-select",
                        false,
                        n -> around("(SELECT ", "1", " FROM packets)", n / 5)));
        shapes.add(
                new Shape(
                        "IN sub-select",
                        true,
                        n ->
                                around(
                                        "proto IN (SELECT proto FROM packets WHERE ",
                                        "TRUE",
                                        ")",
                                        n / 9)));
        shapes.add(new Shape("COALESCE", false, n -> around("COALESCE(", "1", ", 0)", n / 5)));
        shapes.add(new Shape("GREATEST", false, n -> "GREATEST(1" + ", bytes".repeat(n / 2) + ")"));
        shapes.add(new Shape("BETWEEN", true, n -> chain("proto", " BETWEEN 1 AND 2", n / 4)));
        shapes.add(new Shape("shifts", false, n -> chain("bytes", " << 1", n / 3)));
        shapes.add(new Shape("LIKE", true, n -> chain("proto", " LIKE 'a'", n / 2)));
        shapes.add(new Shape("brackets", false, n -> "bytes" + "[1]".repeat(n / 3)));
        shapes.add(new Shape("dots", false, n -> "a" + ".a".repeat(n / 2)));
        shapes.add(new Shape("CAST", false, n -> around("CAST(", "1", " AS BIGINT)", n / 5)));
        return shapes;
    }

    /** All places where an expression can stand. */
    private static List<UnaryOperator<String>> places(boolean condition) {
        List<UnaryOperator<String>> places = new ArrayList<>();
        String c = condition ? "" : " > 0";
        places.add(x -> "SELECT " + x + " AS x FROM packets");
        places.add(x -> "SELECT bytes FROM packets WHERE " + x + c);
        places.add(x -> "EXPLAIN SELECT COUNT(*) AS n FROM packets GROUP BY " + x);
        places.add(x -> "SELECT COUNT(*) AS n FROM packets GROUP BY proto HAVING " + x + c);
        places.add(x -> "CREATE QUERY deep AS SELECT SUM(bytes) AS s FROM packets WHERE " + x + c);
        places.add(x -> "SELECT bytes FROM packets ORDER BY " + x);
        places.add(x -> "SELECT COUNT(*) FILTER (WHERE " + x + c + ") AS n FROM packets");
        places.add(x -> "CREATE QUERY w AS SELECT bytes FROM packets WHEN " + x + c);
        places.add(x -> "SELECT * FROM sys.queries WHERE " + x + c);
        places.add(x -> "SELECT * FROM (" + x + ")");
        return places;
    }

    @Test
    void endInAPlanOrSayThatTheyAreDeep() throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        for (Shape shape : shapes()) {
            List<UnaryOperator<String>> places = places(shape.condition());
            for (int place = 0; place < places.size(); place++) {
                String where = shape.name() + " in place " + place + ": ";
                String deep = places.get(place).apply(shape.text().apply(220));
                wrong.add(where + said(deep, SMALL_STACK_BYTES));
                if (place < 2) {
                    String deeper = places.get(place).apply(shape.text().apply(2_400));
                    wrong.add(where + said(deeper, SMALL_STACK_BYTES));
                    wrong.add(where + said(deeper, LARGE_STACK_BYTES));
                }
            }
        }
        wrong.removeIf(said -> !said.contains(": !"));
        assertEquals("", String.join("\n", wrong.subList(0, Math.min(40, wrong.size()))));
    }

    private static String said(String statement, long stackBytes) throws InterruptedException {
        String[] said = {"! nothing"};
        Thread thread = new Thread(null, () -> said[0] = said(statement), "deep", stackBytes);
        thread.start();
        thread.join();
        return said[0];
    }

    private static String said(String statement) {
        try {
            for (Statement planned : new SqlFrontend(RUNNING).parse(statement)) {
                if (planned instanceof Statement.Select select) {
                    QueryCompiler.compile(
                            select.query(), List.of(io.weir.operators.gpv.GpvLayout.FULL_V4));
                }
            }
            return "planned";
        } catch (WeirException e) {
            boolean user = e.code().kind() == ErrorCode.Kind.USER;
            return user && e.place().isPresent() ? e.getMessage() : "! " + head(e.text());
        } catch (Throwable e) {
            return "! escaped: " + e;
        }
    }

    private static String head(String text) {
        return text.substring(0, Math.min(200, text.length()));
    }

    /** Of a length that was always taken. */
    @Test
    void longChainsAreTaken() throws InterruptedException {
        String or = chain("proto = 6", " OR bytes = 7", 1_000);
        assertEquals("planned", said("SELECT bytes FROM packets WHERE " + or, LARGE_STACK_BYTES));
        String in = "proto IN (1" + ", 2".repeat(990) + ")";
        assertEquals("planned", said("SELECT bytes FROM packets WHERE " + in, LARGE_STACK_BYTES));
        String sum = chain("bytes", " + bytes", 150);
        assertEquals("planned", said("SELECT " + sum + " AS x FROM packets", LARGE_STACK_BYTES));
    }

    @Test
    void thePlaceIsWhereItIsTooDeep() {
        String sum = chain("bytes", " + bytes", 2_500);
        for (String text :
                List.of(chain("", "- ", 2_000) + "bytes", sum, chain("", "NOT ", 2_500) + "TRUE")) {
            String error = said("SELECT " + text + " AS x FROM packets");
            assertTrue(error.startsWith("the expression is nested deeper than 200 levels"), error);
        }
    }

    @Test
    void equeryTooIsBounded() throws InterruptedException {
        String conditions = "proto = 6" + ", proto = 6".repeat(3_000);
        String[] said = {""};
        Runnable parse =
                () -> {
                    try {
                        new SqlFrontend(RUNNING)
                                .parseEquery("q: select total_byte where " + conditions, Map.of());
                    } catch (WeirException e) {
                        said[0] = e.code().kind() == ErrorCode.Kind.USER ? "" : e.text();
                    } catch (Throwable e) {
                        said[0] = e.toString();
                    }
                };
        Thread thread = new Thread(null, parse, "deep", SMALL_STACK_BYTES);
        thread.start();
        thread.join();
        assertEquals("", said[0]);
    }
}
