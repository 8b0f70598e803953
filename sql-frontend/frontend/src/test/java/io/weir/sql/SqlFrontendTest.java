package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Type;
import io.weir.sql.catalog.MapCatalog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SqlFrontendTest {
    private static Query query(String sql) {
        return Packets.query(sql);
    }

    @Test
    void columnsHaveTheTypesOfTheDesign() {
        Query query =
                query(
                        "SELECT src_addr, SUM(bytes) AS b, AVG(bytes) AS a, MIN(ts) AS t,"
                                + " bytes / 2 AS half, bytes / 0 AS broken, active_from,"
                                + " completeness FROM packets GROUP BY src_addr, bytes");
        assertEquals(
                List.of(
                        Variable.column("src_addr", Type.INET),
                        Variable.column("b", Type.BIGINT),
                        Variable.column("a", Type.DOUBLE.orNull()),
                        Variable.column("t", Type.TIMESTAMP.orNull()),
                        Variable.column("half", Type.BIGINT),
                        Variable.column("broken", Type.BIGINT.orNull()),
                        Variable.column("active_from", Type.TIMESTAMP.orNull()),
                        Variable.column("completeness", Type.DOUBLE)),
                query.columns());
    }

    @Test
    void aStatementKeepsItsOwnText() {
        List<Statement> statements =
                new SqlFrontend(new MapCatalog())
                        .parse(
                                "-- first\nSHOW QUERIES;\n CREATE QUERY q AS\nSELECT ts FROM packets ; ");
        Query query = ((Statement.CreateQuery) statements.get(1)).query();
        assertEquals("CREATE QUERY q AS\nSELECT ts FROM packets", query.sql());
        assertEquals("q", query.name());
        assertEquals(List.of(), new SqlFrontend(new MapCatalog()).parse(" -- nothing\n;; "));
    }

    @Test
    void theCatalogueIsNotChanged() {
        MapCatalog catalog = new MapCatalog();
        new SqlFrontend(catalog)
                .parse(
                        "CREATE QUERY a AS SELECT ts FROM packets;"
                                + "CREATE QUERY b AS SELECT ts FROM a WHEN a.ts > '2026-01-01'");
        assertEquals(List.of(), catalog.names());
    }

    @Test
    void unnamedQueriesGetAFreeName() {
        MapCatalog catalog = new MapCatalog();
        assertEquals("query", query("SELECT ts FROM packets").name());
        Statement.CreateQuery taken =
                (Statement.CreateQuery)
                        new SqlFrontend(catalog)
                                .parse("CREATE QUERY query AS SELECT ts FROM packets")
                                .get(0);
        catalog.put(taken.query());
        Statement.Select select =
                (Statement.Select) new SqlFrontend(catalog).parse("SELECT ts FROM packets").get(0);
        assertEquals("query_2", select.query().name());
    }

    @Test
    void parametersTakeTheTypeOfWhatTheyMeet() {
        SqlFrontend frontend = new SqlFrontend(new MapCatalog());
        String sql = "SELECT ts FROM packets WHERE :C = :V";
        for (String column : List.of("bytes", "src_addr", "node_id", "src_mac", "ts")) {
            String value =
                    switch (column) {
                        case "src_addr" -> "2001:db8::1";
                        case "src_mac" -> "02:00:00:00:00:01";
                        case "ts" -> "2026-11-20";
                        default -> "17";
                    };
            frontend.parse(sql.replace(":C", column), Map.of("V", value));
        }
        WeirException e =
                assertThrows(
                        WeirException.class,
                        () -> frontend.parse(sql.replace(":C", "bytes"), Map.of("V", "many")));
        assertEquals(ErrorCode.TYPE_MISMATCH, e.code());
        WeirException unused =
                assertThrows(
                        WeirException.class,
                        () ->
                                frontend.parse(
                                        "SELECT ts FROM packets WHERE bytes > :TH",
                                        Map.of("TH", "1", "HT", "2")));
        assertEquals(
                "error INVALID_OPTION: the text has no parameter HT\nhint: did you mean TH?",
                unused.text());
    }

    @Test
    void aLongLineIsShownAroundTheCaret() {
        String sql = "SELECT " + "src_addr, ".repeat(100) + "nope FROM packets";
        WeirException e = assertThrows(WeirException.class, () -> query(sql));
        String[] excerpt = e.place().orElseThrow().excerpt().split("\n");
        assertTrue(excerpt[0].length() < 110, excerpt[0]);
        int caret = excerpt[1].indexOf('^');
        assertEquals("nope", excerpt[0].substring(caret, caret + 4));
        assertEquals(1_008, e.place().orElseThrow().column());
    }

    @Test
    void lineEndsOfOtherSystemsCountAsOne() {
        WeirException e =
                assertThrows(
                        WeirException.class,
                        () -> query("SELECT ts\r\nFROM packets\rWHERE nope = 1"));
        assertEquals(3, e.place().orElseThrow().line());
        assertEquals(7, e.place().orElseThrow().column());
    }

    @Test
    void listingsAnswerWhatIsAsked() {
        SqlFrontend frontend = new SqlFrontend(Golden.running());
        for (String sql :
                List.of(
                        "SHOW QUERIES",
                        "SHOW STREAMS",
                        "SHOW FUNCTIONS",
                        "DESCRIBE packets",
                        "DESCRIBE flows",
                        "SHOW COLUMNS FROM ddos",
                        "EXPLAIN scans")) {
            Listing listing = frontend.listing(frontend.parse(sql).get(0));
            assertTrue(listing.rows().size() > 1, sql);
            listing.rows().forEach(row -> assertEquals(listing.columns().size(), row.size(), sql));
        }
        Listing columns = frontend.listing(frontend.parse("DESCRIBE ddos").get(0));
        assertEquals(List.of("window_end", "TIMESTAMP", ""), columns.rows().get(0));
    }

    @Test
    void theSchemaOfStreamsNeedNotBeSaid() {
        SqlFrontend frontend = new SqlFrontend(Golden.running());
        assertEquals(
                frontend.listing(frontend.parse("DESCRIBE ddos").get(0)),
                frontend.listing(frontend.parse("DESCRIBE public.ddos").get(0)));
        for (String sql :
                List.of(
                        "SELECT ts, src_addr FROM %spackets",
                        "SELECT window_end FROM TABLE(TUMBLE(TABLE %sddos, DESCRIPTOR(window_end),"
                                + " INTERVAL '9' SECOND)) GROUP BY window_end",
                        "SELECT ddos.window_end FROM %sddos AS ddos ORDER BY 1")) {
            assertEquals(
                    query(String.format(sql, "")).root(),
                    query(String.format(sql, "public.")).root());
        }
        WeirException e =
                assertThrows(
                        WeirException.class,
                        () ->
                                frontend.parse(
                                        "CREATE QUERY a AS SELECT ts FROM public.b;"
                                                + " CREATE QUERY b AS SELECT ts FROM packets"));
        assertTrue(e.getMessage().contains("created further down"), e.getMessage());
    }

    @Test
    void tablesOfSysAreDescribedByWhatShowsThem() {
        SqlFrontend frontend = new SqlFrontend(Golden.running());
        for (String sql : List.of("DESCRIBE sys.queries", "SHOW COLUMNS FROM sys.queries")) {
            assertEquals(
                    new Statement.DescribeSys(new Statement.ShowQueries()),
                    frontend.parse(sql).get(0));
        }
        assertEquals(new Statement.ShowWorkers(), SqlFrontend.sysTables().get("workers"));
    }
}
