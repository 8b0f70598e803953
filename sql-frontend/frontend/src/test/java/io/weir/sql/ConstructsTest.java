package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Type;
import io.weir.sql.sys.SysContents;
import io.weir.sql.validate.Placeholders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Statements with all that the grammar knows, most of which Weir does not compute: each ends in a
 * plan, or in an error of the user's with a place, a caret and no word of the program's own.
 */
class ConstructsTest {
    private static final String OWN_WORDS =
            "(?s).*(org\\.apache|java\\.|Exception|SqlTypeName|\\$|illegal context|\\b[A-Z]+_[A-Z]+_[A-Z]+\\b"
                    + "|enum constant|INTERNAL).*";

    @TestFactory
    Stream<DynamicTest> endInAPlanOrAClearError() throws IOException {
        try (InputStream in = ConstructsTest.class.getResourceAsStream("constructs.txt")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().toList().stream()
                    .map(line -> DynamicTest.dynamicTest(line, () -> check(line)));
        }
    }

    private static void check(String statement) {
        try {
            for (Statement planned : new SqlFrontend(Golden.running()).parse(statement)) {
                if (planned instanceof Statement.SelectSys sys) {
                    var unused = sys.select().rows(contents(sys));
                }
            }
        } catch (WeirException e) {
            String text = e.text().replace(statement, "");
            assertEquals(ErrorCode.Kind.USER, e.code().kind(), text);
            assertTrue(e.place().isPresent(), text);
            assertFalse(text.replaceFirst("[A-Z]+_[A-Z]+:", "").matches(OWN_WORDS), text);
        }
    }

    private static Map<String, SysContents> contents(Statement.SelectSys sys) {
        Map<String, SysContents> contents = new HashMap<>();
        List<Object[]> rows = List.<Object[]>of(new Object[] {"a"});
        for (String table : sys.shown().keySet()) {
            List<Variable> columns = List.of(Variable.column("name", Type.VARCHAR));
            contents.put(table, new SysContents(columns, rows));
        }
        return contents;
    }

    private static String said(String statement) {
        try {
            for (Statement planned : new SqlFrontend(Golden.running()).parse(statement)) {
                if (planned instanceof Statement.SelectSys sys) {
                    var unused = sys.select().columns(contents(sys));
                }
            }
            return "planned";
        } catch (WeirException e) {
            return e.getMessage() + " @" + e.place().map(WeirException.Place::column).orElse(0);
        }
    }

    @Test
    void theConstructIsNamed() {
        String sys = " in a SELECT from sys, or without FROM";
        assertEquals(
                "MACADDR '…'" + sys + ", is not supported yet @8",
                said("SELECT MACADDR '02:00:5e:00:00:01'"));
        assertEquals(
                "a column that is an interval is not supported" + sys + " @8",
                said("SELECT INTERVAL '1' SECOND"));
        String session = "SESSION(ts, INTERVAL '1' SECOND)";
        assertEquals(
                "SESSION belongs into GROUP BY @8", said("SELECT " + session + " FROM packets"));
        assertEquals(
                "a CUMULATE window is not supported yet @8",
                said("SELECT CUMULATE_START(ts, INTERVAL '1' SECOND) FROM packets"));
        assertEquals(
                "OVER works on the rows of windows, and single packets are none @36",
                said("SELECT bytes FROM packets ORDER BY SUM(bytes) OVER (ROWS 3 PRECEDING)"));
        assertEquals(
                "unexpected OVER; expected an expression @14",
                said("SELECT bytes OVER (ROWS 3 PRECEDING) FROM packets"));
        assertEquals(
                "the function SUM in FROM is not supported yet @19",
                said("SELECT bytes FROM SUM(bytes)"));
    }

    @Test
    void aParameterInOrderByIsNamed() {
        try {
            var unused =
                    new SqlFrontend(Golden.running())
                            .parse("SELECT bytes FROM packets ORDER BY ?", Placeholders.toCome());
            throw new AssertionError("planned");
        } catch (WeirException e) {
            assertEquals("a parameter in ORDER BY is not supported yet", e.getMessage());
            assertEquals(36, e.place().orElseThrow().column());
        }
    }
}
