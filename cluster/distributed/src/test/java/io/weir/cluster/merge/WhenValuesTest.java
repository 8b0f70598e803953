package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.graph.GraphReader;
import io.weir.cluster.graph.GraphTables;
import io.weir.cluster.graph.GraphWriter;
import io.weir.operators.graph.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random queries whose WHEN has values, or is over several queries, and chains of them: the rows of
 * several workers, shards and a second step are those of one engine. The plans go through bytes.
 */
@Timeout(600)
final class WhenValuesTest {
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");
    private static final int ROUNDS = 6;

    /** The queries for which others wait. */
    private static final String UPSTREAMS =
            """
            CREATE QUERY rate AS SELECT window_end, COUNT(*) AS n FROM packets
              GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);
            CREATE QUERY per_dst AS SELECT window_end, dst_addr, COUNT(*) AS n, SUM(bytes) AS bytes
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr;
            CREATE QUERY per_src AS SELECT window_end, src_addr, COUNT(*) AS n,
                COUNT(DISTINCT dst_addr) AS bytes
              FROM packets GROUP BY HOP(ts, INTERVAL '2' SECOND, INTERVAL '4' SECOND), src_addr;
            CREATE QUERY pairs AS SELECT window_end, src_addr, dst_addr, proto, COUNT(*) AS n,
                MAX(tcp_seq) AS bytes
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), src_addr, dst_addr, proto;
            """;

    private final long seed = Long.getLong("weir.seed", 34);

    /** A query that others wait for, and the equations of its key with columns of packets. */
    private record Upstream(String name, List<String> own, List<String> columns) {
        String equations() {
            List<String> all = new ArrayList<>();
            for (int k = 0; k < own.size(); k++) {
                all.add(columns.get(k) + " = " + name + "." + own.get(k));
            }
            return String.join(" AND ", all);
        }
    }

    private static final List<Upstream> KEYED =
            List.of(
                    new Upstream("per_dst", List.of("dst_addr"), List.of("dst_addr")),
                    new Upstream("per_dst", List.of("dst_addr"), List.of("src_addr")),
                    new Upstream("per_src", List.of("src_addr"), List.of("src_addr")),
                    new Upstream(
                            "pairs",
                            List.of("src_addr", "dst_addr"),
                            List.of("src_addr", "dst_addr")),
                    new Upstream(
                            "pairs", List.of("dst_addr", "proto"), List.of("dst_addr", "proto")));

    @BeforeAll
    static void needsTheDemo() {
        assumeTrue(Files.exists(CAPTURE), "the demo's capture is not here: skipped");
    }

    private static Upstream any(List<Upstream> some, Random random) {
        return some.get(random.nextInt(some.size()));
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder(UPSTREAMS);
        List<Upstream> upstreams = new ArrayList<>(KEYED);
        for (int q = 0; q < 6; q++) {
            Upstream upstream = any(upstreams, random);
            String name = "woken_" + q;
            boolean shown = random.nextInt(6) == 0;
            text.append(shown ? shown(name, upstream) : grouped(name, upstream, random));
            text.append(when(upstream, random)).append(";\n");
            upstreams.add(new Upstream(name, upstream.columns(), upstream.columns()));
        }
        text.append(together(random));
        return text.toString();
    }

    /** Rows of packets, or of a query over rows. */
    private static String shown(String name, Upstream upstream) {
        return String.format(
                "CREATE QUERY %s AS SELECT ts, %s, %s.n AS woke, bytes AS n FROM packets WHERE %s",
                name, String.join(", ", upstream.columns()), upstream.name(), upstream.equations());
    }

    private static String grouped(String name, Upstream upstream, Random random) {
        String keys = String.join(", ", upstream.columns());
        String more = List.of("", ", dst_port", ", ip_tos").get(random.nextInt(3));
        String sorted = List.of("", "", " ORDER BY n DESC LIMIT 2").get(random.nextInt(3));
        boolean other = !upstream.name().equals("per_src");
        boolean rows = other && keys.equals("src_addr") && random.nextInt(3) == 0;
        String stream = rows ? "per_src" : "packets";
        String time = rows ? "window_end" : "ts";
        return String.format(
                "CREATE QUERY %s AS SELECT window_start, window_end, active_from, is_partial, %s,"
                        + " %s.n AS woke, COUNT(*) AS n FROM %s WHERE %s"
                        + " GROUP BY TUMBLE(%s, INTERVAL '%d' SECOND), %s%s",
                name,
                keys,
                upstream.name(),
                stream,
                upstream.equations(),
                time,
                rows ? 4 : 1 + random.nextInt(3),
                keys + (rows ? "" : more),
                sorted);
    }

    private static String when(Upstream upstream, Random random) {
        String n = upstream.name() + ".n";
        int least = 1 << 2 + random.nextInt(7);
        String condition =
                random.nextInt(3) == 0
                        ? "rate.n > " + random.nextInt(300) + " AND " + n + " > " + least
                        : n + " > " + least;
        String full = random.nextInt(3) == 0 ? " WITH (bindings = 3)" : "";
        return switch (random.nextInt(4)) {
            case 0 -> " WHEN " + condition + full;
            case 1 -> " WHEN " + condition + " UNTIL " + n + " < " + least / 2 + full;
            case 2 -> {
                String until = random.nextBoolean() ? " UNTIL " + n + " < " + least / 2 : "";
                yield " WHEN " + condition + until + " WITH (binding_idle = INTERVAL '3' SECOND)";
            }
            default ->
                    " WHEN "
                            + condition
                            + " FOR INTERVAL '"
                            + (1 + random.nextInt(5))
                            + "' SECOND"
                            + full;
        };
    }

    /** Without a key, over queries with windows of several sizes. */
    private static String together(Random random) {
        return String.format(
                "CREATE QUERY sums AS SELECT window_end, MAX(n) AS n FROM per_dst"
                        + " GROUP BY TUMBLE(window_end, INTERVAL '3' SECOND);"
                        + " CREATE QUERY together AS SELECT window_end, active_from, proto,"
                        + " COUNT(*) AS n FROM packets"
                        + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto"
                        + " WHEN sums.n > %d AND rate.n > %d FOR INTERVAL '3' SECOND;",
                random.nextInt(300), random.nextInt(300));
    }

    private static Query throughBytes(Query query) {
        Query read =
                GraphReader.query(
                        GraphWriter.of(query, "a"),
                        query.name(),
                        query.sql(),
                        "b",
                        GraphTables.empty());
        assertEquals(query, read);
        return read;
    }

    @Test
    void rowsAreThoseOfOneEngine() {
        long woken = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String text = text(new Random(seed + round));
            List<Query> queries =
                    MergedLibraryTest.queries(text).stream()
                            .map(WhenValuesTest::throughBytes)
                            .toList();
            woken += MergedLibraryTest.compare("round " + round, queries, CAPTURE, seed + round);
        }
        assertTrue(woken > 100 * ROUNDS, woken + " rows, -Dweir.seed=" + seed);
    }
}
