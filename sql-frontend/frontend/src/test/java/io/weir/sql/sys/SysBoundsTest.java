package io.weir.sql.sys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Type;
import io.weir.operators.time.Deadline;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.error.SqlSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.junit.jupiter.api.Test;

/** What one statement over sys may cost. */
class SysBoundsTest {
    private static Map<String, SysContents> events(int rows) {
        List<Variable> columns = List.of(Variable.column("event", Type.VARCHAR));
        return Map.of(
                "events",
                new SysContents(columns, Collections.nCopies(rows, new Object[] {"late"})));
    }

    private static List<Object[]> rows(String sql, int events) {
        Statement statement = new SqlFrontend(new MapCatalog()).parse(sql).get(0);
        return ((Statement.SelectSys) statement).select().rows(events(events));
    }

    private static void refused(String why, String sql, int events) {
        WeirException e = assertThrows(WeirException.class, () -> rows(sql, events));
        assertTrue(e.text().contains(why), e.text());
    }

    @Test
    void combinationsAreBounded() {
        String three = "SELECT COUNT(*) FROM sys.events a, sys.events b, sys.events c";
        assertArrayEquals(new Object[] {1_000_000L}, rows(three, 100).get(0));
        refused("1030301 combinations", three, 101);
        String hidden =
                "SELECT (SELECT COUNT(*) FROM sys.events, (VALUES (1), (2))) FROM sys.events";
        assertEquals(700, rows(hidden, 700).size());
        refused("1002528 combinations", hidden, 708);
        String five =
                "SELECT COUNT(*) FROM sys.events a JOIN sys.events b ON a.event = b.event JOIN"
                        + " sys.events c ON b.event = c.event JOIN sys.events d ON c.event = d.event"
                        + " JOIN sys.events e ON d.event = e.event";
        assertArrayEquals(new Object[] {759_375L}, rows(five, 15).get(0));
    }

    @Test
    void rowsAreBoundedAndATableIsNot() {
        assertEquals(200_000, rows("SELECT event FROM sys.events", 200_000).size());
        refused("over 100000 rows", "SELECT a.event FROM sys.events a, sys.events b", 400);
    }

    @Test
    void timeIsBounded() {
        String sql = "SELECT COUNT(*) FROM sys.events";
        SysPlaces places = new SysPlaces(new SqlParserPos(1, 1), List.of());
        Deadline over = Deadline.afterMs(0);
        SysRun late = new SysRun(new SqlSource(sql), places, sql, events(3), over);
        WeirException e = assertThrows(WeirException.class, late::rows);
        assertTrue(e.text().contains("took over 10 s"), e.text());
    }

    /** Whatever Calcite makes of a statement that is too long for it, the error is one of ours. */
    @Test
    void longStatementsEnd() {
        for (String term : List.of("event = 'a' OR ", "1 + 1 = 3 OR ", "NOT ")) {
            String sql =
                    "SELECT event FROM sys.events WHERE " + term.repeat(1_600) + "event = 'late'";
            try {
                assertEquals(1, rows(sql, 1).size());
            } catch (WeirException e) {
                assertTrue(e.text().contains("nested deeper"), e.text());
                assertTrue(e.place().isPresent(), e.text());
            }
        }
    }

    @Test
    void whatCannotBeWorkedOutIsAnError() {
        refused("/ by zero", "SELECT 1 / 0 FROM sys.events", 1);
        refused("cannot be worked out", "SELECT CAST(event AS BIGINT) FROM sys.events", 1);
    }

    /** CHAR is filled with spaces: a long one in each row would be a way to fill the memory. */
    @Test
    void paddingIsBounded() {
        Object[] row = rows("SELECT CAST(event AS CHAR(60000)) FROM sys.events", 1).get(0);
        assertEquals(256, ((String) row[0]).length());
    }
}
