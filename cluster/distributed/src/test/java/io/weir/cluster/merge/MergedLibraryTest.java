package io.weir.cluster.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.operators.graph.Query;
import io.weir.sql.library.LibraryQuery;
import io.weir.sql.library.QueryLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several workers, shards and a second step say what one engine says, row by row. */
@Timeout(600)
final class MergedLibraryTest {
    private static final Path DEMO = Path.of("..", "..", "demo");
    private static final Path CAPTURE = DEMO.resolve("capture.pcap");

    @BeforeAll
    static void needsTheDemo() {
        assumeTrue(Files.exists(CAPTURE), "the demo's capture is not here: skipped");
    }

    static List<Query> queries(String text) {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        return node.load(node.frontend().parse(text)).queries();
    }

    /** Returns the queries, each behind its sub-queries, as an engine runs them. */
    static List<Query> all(String text) {
        return queries(text).stream().flatMap(query -> query.all().stream()).toList();
    }

    /** The library's text with its parameters filled in, low ones where they are thresholds. */
    static String text(LibraryQuery query) {
        String text = query.text();
        for (Map.Entry<String, String> value : query.defaults().entrySet()) {
            boolean threshold = value.getKey().equals("TH");
            text = text.replace(":" + value.getKey(), threshold ? "3" : value.getValue());
        }
        return text;
    }

    /** Returns how many rows queries with WHEN had. */
    static long compare(String name, List<Query> queries, Path capture, long seed) {
        Rows single = ClusterRun.single(queries, capture);
        Random random = new Random(seed);
        int workers = 1 + random.nextInt(4);
        int rings = 1 + random.nextInt(2);
        int shards = 1 + random.nextInt(3);
        ClusterRun run = new ClusterRun(queries, capture, workers, rings, shards, random);
        Rows merged = run.run();
        String where =
                String.format(
                        "%s, seed %d, %d workers × %d, %d shards: %s",
                        name, seed, workers, rings, shards, run.counts());
        for (Query query : queries) {
            List<String> expected = new ArrayList<>(single.of(query.name()));
            List<String> actual = new ArrayList<>(merged.of(query.name()));
            if (!ClusterRun.isOrdered(query, queries)) {
                expected.sort(null);
                actual.sort(null);
            }
            assertEquals(
                    String.join("\n", expected),
                    String.join("\n", actual),
                    query.name() + " of " + where);
        }
        return queries.stream()
                .filter(query -> query.when().isPresent())
                .mapToLong(query -> single.of(query.name()).size())
                .sum();
    }

    @Test
    void theLibrarysRowsAreThoseOfOneEngine() {
        long base = Long.getLong("weir.seed", 1);
        int compared = 0;
        for (LibraryQuery query : QueryLibrary.load().all()) {
            if (isReadable(query)) {
                compare(query.name(), all(text(query)), CAPTURE, base + compared);
                compared++;
            }
        }
        assertTrue(compared >= 25, "only " + compared);
    }

    /** Captures carry no queue, and one query is over a node of its user's. */
    static boolean isReadable(LibraryQuery query) {
        return !query.text().contains("queue_") && !query.text().contains("NodeX");
    }

    @Test
    void theDemosChainIsThatOfOneEngine() throws IOException {
        long base = Long.getLong("weir.seed", 1);
        List<Query> queries = queries(Files.readString(DEMO.resolve("demo.sql")));
        for (int i = 0; i < 4; i++) {
            compare("demo", queries, CAPTURE, base + i);
        }
    }

    /** What the library does not have: ticks of totals, HOP, limits, and every way to end. */
    private static final String MORE =
            """
            CREATE QUERY hops AS SELECT window_end, proto, COUNT(*) AS n, AVG(bytes) AS mean
              FROM packets GROUP BY HOP(ts, INTERVAL '1' SECOND, INTERVAL '4' SECOND), proto;
            CREATE QUERY first_syns AS SELECT ts, src_addr, dst_addr, tcp_flags FROM packets
              WHERE proto = 6 AND BITAND(tcp_flags, 18) = 2 LIMIT 7 OFFSET 2;
            CREATE QUERY small AS SELECT ts, src_addr, bytes FROM packets WHERE bytes > 1490;
            CREATE QUERY ports AS SELECT dst_port, COUNT(*) AS n,
                COUNT(DISTINCT src_addr) AS sources, APPROX_COUNT_DISTINCT(src_addr) AS about
              FROM packets GROUP BY dst_port ORDER BY n DESC LIMIT 9 OFFSET 1;
            CREATE QUERY totals AS SELECT node_id, src_addr, COUNT(*) AS n,
                COUNT(DISTINCT dst_addr) AS peers
              FROM packets GROUP BY node_id, src_addr;
            CREATE QUERY per_second AS SELECT window_start, COUNT(*) AS n FROM packets
              GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);
            CREATE QUERY per_host AS SELECT window_end, dst_addr, COUNT(*) AS n FROM packets
              GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), dst_addr;
            CREATE QUERY sums AS SELECT window_end, COUNT(*) AS hosts, MAX(n) AS most FROM per_host
              GROUP BY TUMBLE(window_end, INTERVAL '4' SECOND);
            CREATE QUERY wide AS SELECT window_end, proto, COUNT(*) AS n,
                SUM(NANOSECONDS(ts)) AS times, SUM(NANOSECONDS(ts) * bytes) AS products
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto;
            CREATE QUERY says AS SELECT window_end, COUNT(*) AS n, packets_lost, packets_late,
                is_partial, completeness
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);
            CREATE QUERY by_proto AS SELECT proto, COUNT(*) AS n FROM packets GROUP BY proto;
            CREATE QUERY protos AS SELECT SUM(n) AS packets, COUNT(*) AS protos FROM by_proto;
            CREATE QUERY large AS SELECT proto, n FROM by_proto WHERE n > 50;
            CREATE QUERY larges AS SELECT SUM(n) AS packets FROM large;
            CREATE QUERY few AS SELECT src_addr, COUNT(*) AS n FROM packets GROUP BY src_addr
              HAVING n < 20 ORDER BY n DESC, src_addr LIMIT 5;
            CREATE QUERY fewer AS SELECT SUM(n) AS n, COUNT(*) AS hosts FROM few;
            CREATE QUERY by_total AS SELECT active_from, window_end, proto, COUNT(*) AS n
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), proto WHEN totals.peers > 12;
            CREATE QUERY by_rate AS SELECT active_from, window_end, dst_addr, COUNT(*) AS n
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '2' SECOND), dst_addr
              WHEN per_second.n > 250 UNTIL per_second.n < 120;
            CREATE QUERY by_sums AS SELECT active_from, src_addr, SUM(bytes) AS bytes
              FROM packets GROUP BY src_addr ORDER BY bytes DESC LIMIT 4
              WHEN sums.most > 200 FOR INTERVAL '6' SECOND;
            CREATE QUERY chained AS SELECT active_from, window_end, src_port, COUNT(*) AS n
              FROM packets GROUP BY TUMBLE(ts, INTERVAL '3' SECOND), src_port
              HAVING n > 3 WHEN by_rate.n > 40 FOR INTERVAL '5' SECOND;
            CREATE QUERY woken_rows AS SELECT active_from, window_end, COUNT(*) AS hosts
              FROM per_host GROUP BY TUMBLE(window_end, INTERVAL '4' SECOND)
              WHEN per_second.n > 250 UNTIL per_second.n < 120;
            """;

    /** Fragments, floods, IPv6, and times that jump. */
    @Test
    void theSharedCapturesRowsAreThoseOfOneEngineToo() {
        String set = System.getenv("WEIR_TRACES");
        Path folder = set != null ? Path.of(set) : Path.of("..", "..", "..", "shared", "traces");
        Path captures = folder.resolve("captures");
        assumeTrue(Files.isDirectory(captures), "the shared captures are not here: skipped");
        long base = Long.getLong("weir.seed", 1);
        int compared = 0;
        for (String name :
                List.of(
                        "flood/suricata-verify__denial6-5.pcap",
                        "frag/PcapPlusPlus__ip-frag.pcap",
                        "mixed/PcapPlusPlus__many-protocols.pcap",
                        "tcp/netml__demo.pcap")) {
            if (Files.exists(captures.resolve(name))) {
                compare(name, queries(MORE), captures.resolve(name), base + compared);
                compared++;
            }
        }
        assertTrue(compared > 0);
    }

    @Test
    void whatEndsTicksAndLimitsIsAsOnOneEngine() {
        long base = Long.getLong("weir.seed", 1);
        List<Query> queries = queries(MORE);
        Rows single = ClusterRun.single(queries, CAPTURE);
        for (Query query : queries) {
            assertTrue(single.of(query.name()).size() > 0, query.name() + " has no rows");
        }
        for (int i = 0; i < 8; i++) {
            compare("more", queries, CAPTURE, base + i);
        }
    }
}
