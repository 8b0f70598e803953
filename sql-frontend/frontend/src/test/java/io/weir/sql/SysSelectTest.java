package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Type;
import io.weir.sql.catalog.MapCatalog;
import io.weir.sql.sys.SysContents;
import io.weir.sql.sys.SysSelect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calcite over listings, and what is refused before it or by it. */
class SysSelectTest {
    private static final List<Variable> QUERIES =
            List.of(
                    Variable.column("name", Type.VARCHAR),
                    Variable.column("waits_for", Type.VARCHAR),
                    Variable.column("sql", Type.VARCHAR));
    private static final List<Variable> EVENTS =
            List.of(
                    Variable.column("event", Type.VARCHAR),
                    Variable.column("query", Type.VARCHAR),
                    Variable.column("n", Type.BIGINT));

    private static Map<String, SysContents> contents(int rows) {
        List<Object[]> queries = new ArrayList<>();
        List<Object[]> events = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            queries.add(new Object[] {"q" + i, i % 2 == 0 ? "" : "w", "SELECT 'ü→日'"});
            events.add(new Object[] {"wakes", "q" + i / 2, (long) (i + 5)});
        }
        return Map.of(
                "queries",
                new SysContents(QUERIES, queries),
                "events",
                new SysContents(EVENTS, events));
    }

    private static SysSelect select(String sql) {
        List<Statement> statements = new SqlFrontend(new MapCatalog()).parse(sql);
        Statement statement = statements.get(statements.size() - 1);
        return ((Statement.SelectSys) statement).select();
    }

    private static String rows(String sql) {
        SysSelect select = select(sql);
        List<Variable> columns = select.columns(contents(0));
        return columns.stream()
                        .map(c -> c.name() + " " + c.type())
                        .collect(Collectors.joining(", "))
                + " | "
                + select.rows(contents(10)).stream()
                        .map(Arrays::toString)
                        .collect(Collectors.joining(" "));
    }

    private static WeirException error(String sql) {
        return assertThrows(WeirException.class, () -> rows(sql));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "SELECT 1# EXPR$0 BIGINT NOT NULL | [1]",
                "SELECT -2 + 3 AS one, 'up' AS state, TRUE"
                        + "# one BIGINT NOT NULL, state VARCHAR NOT NULL, EXPR$2 BOOLEAN NOT NULL"
                        + " | [1, up, true]",
                "SELECT name FROM sys.queries WHERE waits_for = 'w' ORDER BY name DESC LIMIT 2"
                        + "# name VARCHAR NOT NULL | [q9] [q7]",
                "SELECT waits_for, COUNT(*) AS n, MAX(name) AS m FROM sys.queries"
                        + " GROUP BY waits_for HAVING COUNT(*) > 1 ORDER BY waits_for"
                        + "# waits_for VARCHAR NOT NULL, n BIGINT NOT NULL, m VARCHAR NOT NULL"
                        + " | [, 5, q8] [w, 5, q9]",
                "SELECT q.name, e.n FROM sys.queries q JOIN sys.events AS e ON e.query = q.name"
                        + " WHERE e.n > 12 ORDER BY e.n"
                        + "# name VARCHAR NOT NULL, n BIGINT NOT NULL | [q4, 13] [q4, 14]",
                "SELECT q.name, e.n FROM sys.queries q LEFT JOIN sys.events AS e ON e.query = q.name"
                        + " WHERE q.name >= 'q4' ORDER BY 1, 2 LIMIT 3"
                        + "# name VARCHAR NOT NULL, n BIGINT | [q4, 13] [q4, 14] [q5, null]",
                "SELECT AVG(n) AS a, SUM(n) AS s, COUNT(DISTINCT query) AS d FROM sys.events"
                        + "# a DOUBLE, s BIGINT, d BIGINT NOT NULL | [9.5, 95, 5]",
                "SELECT name FROM sys.queries WHERE name IN (SELECT query FROM sys.events WHERE n < 7)"
                        + "# name VARCHAR NOT NULL | [q0]",
                "SELECT name FROM sys.queries WHERE sql LIKE '%日%' AND name < 'q1'"
                        + "# name VARCHAR NOT NULL | [q0]",
                "SELECT n > 7 AS b, CAST(n AS DOUBLE) / 2 AS h, UPPER(event) AS u FROM sys.events"
                        + " WHERE n IN (5, 9)"
                        + "# b BOOLEAN NOT NULL, h DOUBLE NOT NULL, u VARCHAR NOT NULL"
                        + " | [false, 2.5, WAKES] [true, 4.5, WAKES]",
                "SELECT x.n FROM (SELECT MAX(n) AS n FROM sys.events) AS x UNION ALL VALUES (1)"
                        + "# n BIGINT | [14] [1]",
                "SELECT a.n FROM sys.events a, sys.events b, sys.events c, sys.events d WHERE a.n = b.n"
                        + " AND b.n = c.n AND c.n = d.n AND d.n = 9# n BIGINT NOT NULL | [9]"
            })
    void calciteAnswers(String sql, String expected) {
        assertEquals(expected, rows(sql));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "SELECT nam FROM sys.queries # UNKNOWN_COLUMN # 8",
                "SELECT name FROM sys.querys # UNKNOWN_STREAM # 18",
                "SELECT name FROM sys.queries.x # UNKNOWN_STREAM # 18",
                "SELECT NOSUCH(name) FROM sys.queries # UNKNOWN_FUNCTION # 8",
                "SELECT name FROM sys.queries WHERE name # INVALID_QUERY # 36",
                "SELECT n + TRUE AS x FROM sys.events # TYPE_MISMATCH # 8",
                "SELECT name FROM sys.queries, packets # NOT_SUPPORTED # 31",
                "SELECT ts FROM packets WHERE 'a' IN (SELECT name FROM sys.queries) # NOT_SUPPORTED # 16",
                "SELECT name FROM sys.queries WHEN q.n > 1 # NOT_SUPPORTED # 35",
                "SELECT name FROM sys.queries WHERE name = :x # NOT_SUPPORTED # 43",
                "CREATE QUERY c AS SELECT name FROM sys.queries # NOT_SUPPORTED # 36",
                "EXPLAIN SELECT name FROM sys.queries # NOT_SUPPORTED # 26",
                "WITH t AS (SELECT name FROM sys.queries) SELECT * FROM t # NOT_SUPPORTED # 1",
                "SELECT n FROM sys.events GROUP BY CUBE(n) # NOT_SUPPORTED # 35",
                "SELECT 1 AS i FROM sys.events a, sys.events b, sys.events c, sys.events d,"
                        + " sys.events e, sys.events f # INVALID_QUERY # 1",
                "SELECT 1 AS i FROM sys.events, UNNEST(ARRAY[1]) # NOT_SUPPORTED # 32"
            })
    void errorsAreWeirs(String sql, ErrorCode code, int column) {
        WeirException e = error("SHOW QUERIES;\n" + sql);
        assertEquals(code, e.code(), e.text());
        assertEquals(column, e.place().orElseThrow().column(), e.text());
        assertEquals(2, e.place().orElseThrow().line(), e.text());
    }
}
