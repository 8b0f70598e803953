package io.weir.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Query;
import io.weir.sql.catalog.MapCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Aggregates that users define mean the same as the built-in ones that they copy. */
class DefinedAggregatesTest {
    private static final String FLOW = "src_addr, dst_addr, src_port, dst_port, proto";

    /** A definition, its call, and the built-in call that it copies. */
    private record Copy(String definition, String mine, String builtIn) {}

    private static final List<Copy> COPIES =
            List.of(
                    new Copy(
                            "CREATE AGGREGATE mine() STATE (n BIGINT = 0) UPDATE n = n + 1 RETURN n"
                                    + " MERGE n = n + other.n",
                            "MINE(*)",
                            "COUNT(*)"),
                    new Copy(
                            "CREATE AGGREGATE mine(x BIGINT) STATE (m BIGINT = 0, n BIGINT = 0)"
                                    + " UPDATE m = CASE WHEN n = 0 OR x > m THEN x ELSE m END, n = n + 1"
                                    + " RETURN CASE WHEN n > 0 THEN m END"
                                    + " MERGE m = CASE WHEN other.n = 0 OR n > 0 AND m > other.m"
                                    + " THEN m ELSE other.m END, n = n + other.n",
                            "mine(bytes)",
                            "MAX(bytes)"),
                    new Copy(
                            "CREATE AGGREGATE mine(x DOUBLE, alpha DOUBLE)"
                                    + " STATE (e DOUBLE = 0, seen BOOLEAN = FALSE)"
                                    + " UPDATE e = CASE WHEN seen THEN (1 - alpha) * e + alpha * x"
                                    + " ELSE x END, seen = TRUE RETURN CASE WHEN seen THEN e END",
                            "mine(bytes, 0.5)",
                            "EWMA(bytes, 0.5)"),
                    new Copy(
                            "CREATE AGGREGATE mine(x BIGINT)"
                                    + " STATE (most BIGINT = -9223372036854775808, below BIGINT = 0)"
                                    + " UPDATE most = GREATEST(most, x),"
                                    + " below = below + CASE WHEN x < most THEN 1 ELSE 0 END"
                                    + " RETURN below",
                            "mine(tcp_seq)",
                            "NON_MONOTONIC(tcp_seq)"),
                    new Copy(
                            "CREATE AGGREGATE mine(x BIGINT, after BIGINT)"
                                    + " STATE (expected BIGINT = -1, n BIGINT = 0)"
                                    + " UPDATE n = n + CASE WHEN expected >= 0 AND x <> expected"
                                    + " THEN 1 ELSE 0 END, expected = after RETURN n",
                            "mine(tcp_seq, tcp_seq + payload_bytes)",
                            "OUT_OF_SEQUENCE(tcp_seq, tcp_seq + payload_bytes)"),
                    new Copy(
                            "CREATE AGGREGATE mine(t TIMESTAMP, delta INTERVAL)"
                                    + " STATE (last TIMESTAMP = '1970-01-01 00:00:00', seen BOOLEAN"
                                    + " = FALSE, n BIGINT = 0) UPDATE n = n + CASE WHEN seen AND"
                                    + " t - last > delta THEN 1 ELSE 0 END, last = t, seen = TRUE"
                                    + " RETURN n",
                            "mine(ts, INTERVAL '50' MILLISECOND)",
                            "GAPS(ts, INTERVAL '50' MILLISECOND)"));

    @Test
    void copiesOfBuiltInsHaveTheirValues() {
        long seed = Long.getLong("weir.seed", 34);
        Random random = new Random(seed);
        for (Copy copy : COPIES) {
            Packets packets = packets(random);
            List<Statement> statements =
                    new SqlFrontend(new MapCatalog())
                            .parse(
                                    copy.definition()
                                            + "; SELECT "
                                            + copy.mine()
                                            + " FROM packets GROUP BY "
                                            + FLOW
                                            + "; SELECT "
                                            + copy.builtIn()
                                            + " FROM packets GROUP BY "
                                            + FLOW);
            List<Query> queries = new ArrayList<>();
            for (Statement statement : statements.subList(1, 3)) {
                queries.add(((Statement.Select) statement).query());
            }
            List<String> rows = packets.rows(queries.get(0));
            assertTrue(rows.size() > 1, copy.mine());
            assertEquals(packets.rows(queries.get(1)), rows, copy.mine() + " -Dweir.seed=" + seed);
        }
    }

    private static Packets packets(Random random) {
        Packets packets = new Packets();
        long timeMs = 0;
        for (int p = 0; p < 300; p++) {
            timeMs += random.nextInt(40);
            packets.add(
                    timeMs,
                    "10.0.0." + random.nextInt(3),
                    "10.0.1.1",
                    "proto",
                    6,
                    "bytes",
                    40 + random.nextInt(1400),
                    "tcp_seq",
                    random.nextInt(6),
                    "payload_bytes",
                    random.nextInt(3));
        }
        return packets;
    }

    /** A word that COALESCE keeps from NULL, and arguments that are addresses. */
    @Test
    void divisionsAndAddressesCanStandInUpdate() {
        List<Statement> statements =
                new SqlFrontend(new MapCatalog())
                        .parse(
                                "CREATE AGGREGATE f(a INET, x BIGINT) STATE (n BIGINT = 0)"
                                        + " UPDATE n = n + CASE WHEN a = '10.0.0.1' THEN"
                                        + " COALESCE(12 / x, 100) ELSE 0 END RETURN n"
                                        + " MERGE n = n + other.n;"
                                        + " SELECT f(src_addr, payload_bytes) FROM packets");
        Packets packets = new Packets();
        packets.add(0, "10.0.0.1", "10.0.0.2", "payload_bytes", 3);
        packets.add(1, "10.0.0.1", "10.0.0.2", "payload_bytes", 0);
        packets.add(2, "10.0.0.3", "10.0.0.2", "payload_bytes", 1);
        Query query = ((Statement.Select) statements.get(1)).query();
        assertEquals(List.of("[104]"), packets.rows(query));
    }

    /** A query that was planned keeps the fold; later ones get the new one. */
    @Test
    void replacedAggregatesChangeLaterQueriesOnly() {
        String define = " AGGREGATE f() STATE (n BIGINT = 0) UPDATE n = n + 1 RETURN n MERGE n = ";
        String select = "; SELECT f(*) FROM packets; ";
        List<Statement> statements =
                new SqlFrontend(new MapCatalog())
                        .parse(
                                "CREATE"
                                        + define
                                        + "n + other.n"
                                        + select
                                        + "CREATE OR REPLACE"
                                        + define.replace("n + 1", "n + 2")
                                        + "n + other.n"
                                        + select
                                        + "DROP AGGREGATE f; DROP AGGREGATE IF EXISTS f");
        Packets packets = new Packets().add(0, "10.0.0.1", "10.0.0.2");
        Query before = ((Statement.Select) statements.get(1)).query();
        Query after = ((Statement.Select) statements.get(3)).query();
        assertEquals(List.of("[1]"), packets.rows(before));
        assertEquals(List.of("[2]"), packets.rows(after));
        assertEquals(new Statement.DropAggregate("f", false), statements.get(5));
    }

    @Test
    void testsOfQueriesCallThem() {
        List<Statement> statements =
                new SqlFrontend(new MapCatalog())
                        .parse(
                                "CREATE AGGREGATE f() STATE (n BIGINT = 0) UPDATE n = n + 1"
                                        + " RETURN n MERGE n = n + other.n; TEST QUERY SELECT f(*)"
                                        + " FROM packets ON 'a.pcap' EXPECT 'a.csv'");
        Query query = ((Statement.TestQuery) statements.get(1)).query();
        Packets packets = new Packets().add(0, "10.0.0.1", "10.0.0.2");
        assertEquals(List.of("[1]"), packets.rows(query));
    }
}
