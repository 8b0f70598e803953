package io.weir.cluster.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.sink.Batches;
import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.sql.SqlFrontend;
import io.weir.sql.catalog.MapCatalog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is scraped after some windows, over HTTP. */
class PrometheusSinkTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String WINDOWED =
            "SELECT src_addr, COUNT(*) AS packets, AVG(bytes) AS mean, window_end FROM packets"
                    + " GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND)";

    private final NativeAllocator allocator = new NativeAllocator(1 << 20);
    private final Account account = new Account();
    private final PrometheusSink sink =
            new PrometheusSink(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    2,
                    Duration.ZERO,
                    account);

    @AfterEach
    void close() {
        sink.end();
        sink.close();
        allocator.close();
        assertTrue(account.isBalanced(), account.snapshot().toString());
    }

    static Query query(String name, String sql) {
        Query query = new SqlFrontend(new MapCatalog()).parseQuery(sql, Map.of()).query();
        return new Query(name, query.root(), query.when(), query.sql(), query.budget());
    }

    private void window(Query query, long end, Object[]... rows) {
        window("", query, end, rows);
    }

    private void window(String part, Query query, long end, Object[]... rows) {
        long start = end == Long.MAX_VALUE ? Long.MIN_VALUE : (end - 1) * SECOND;
        long endNs = end == Long.MAX_VALUE ? end : end * SECOND;
        try (RowBatch batch = Batches.of(query, start, endNs, allocator, rows)) {
            sink.rows(batch, part);
        }
    }

    private static Object[] row(int host, long packets, double mean, long end) {
        return new Object[] {Inet.v4(0x0A000000 + host), packets, mean, end * SECOND};
    }

    private HttpResponse<String> get(String path, String accept)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + sink.port() + path);
        HttpRequest request = HttpRequest.newBuilder(uri).header("Accept", accept).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    /** Without comments, sorted. */
    private List<String> series() throws IOException, InterruptedException {
        return get("/metrics/queries", "*/*")
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .sorted()
                .toList();
    }

    @Test
    void countersAddUpAndGaugesLastForAWindow() throws Exception {
        Query query = query("q", WINDOWED);
        window(query, 1, row(1, 5, 100.5, 1), row(2, 7, 200, 1));
        window(query, 2, row(1, 3, 60, 2));
        assertEquals(
                List.of(
                        "weir_q_mean{src_addr=\"10.0.0.1\"} 60.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.1\"} 8.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.2\"} 7.0"),
                series());
    }

    /** Each writer's rows end with its own windows, whichever of them is behind. */
    @Test
    void severalWritersHaveALastWindowEach() throws Exception {
        Query query = query("q", WINDOWED);
        window("one", query, 1, row(1, 5, 100, 1));
        window("one", query, 2, row(1, 3, 60, 2));
        window("two", query, 1, row(2, 7, 20, 1), row(3, 1, 1, 1), row(4, 2, 5, 1));
        assertEquals(
                List.of(
                        "weir_q_mean{src_addr=\"10.0.0.1\"} 60.0",
                        "weir_q_mean{src_addr=\"10.0.0.2\"} 20.0",
                        "weir_q_mean{src_addr=\"other\"} 5.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.1\"} 8.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.2\"} 7.0",
                        "weir_q_packets_total{src_addr=\"other\"} 3.0"),
                series());
        window("one", query, 3, row(5, 4, 9, 3));
        window("two", query, 2, row(2, 1, 30, 2));
        assertEquals(
                List.of(
                        "weir_q_mean{src_addr=\"10.0.0.2\"} 30.0",
                        "weir_q_mean{src_addr=\"other\"} 9.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.1\"} 8.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.2\"} 8.0",
                        "weir_q_packets_total{src_addr=\"other\"} 7.0"),
                series());
        window("one", query, 64, row(1, 1, 2, 64)); // the other has been silent for a minute
        assertEquals(
                List.of(
                        "weir_q_mean{src_addr=\"10.0.0.1\"} 2.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.1\"} 9.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.2\"} 8.0",
                        "weir_q_packets_total{src_addr=\"other\"} 7.0"),
                series());
    }

    @Test
    void whatIsBeyondTheLimitIsFoldedAndCounted() throws Exception {
        Query query = query("q", WINDOWED);
        window(query, 1, row(1, 5, 1, 1), row(2, 7, 2, 1), row(3, 10, 9, 1), row(4, 20, 8, 1));
        window(query, 2, row(4, 1, 3, 2), row(2, 1, 5, 2));
        assertEquals(
                List.of(
                        "weir_q_mean{src_addr=\"10.0.0.2\"} 5.0",
                        "weir_q_mean{src_addr=\"other\"} 3.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.1\"} 5.0",
                        "weir_q_packets_total{src_addr=\"10.0.0.2\"} 8.0",
                        "weir_q_packets_total{src_addr=\"other\"} 31.0"),
                series());
        String own = get("/metrics", "*/*").body();
        String folded =
                "weir_stage_excluded_total{reason=\"folded\",stage=\"rows of q to prometheus\"}";
        assertTrue(own.contains(folded + " 3.0"), own);
        assertTrue(own.contains("jvm_memory_used_bytes"), own);
        assertFalse(own.contains("weir_q_"), own);
    }

    @Test
    void onlyGaugesMakeRoomForTheNextWindowsGroups() throws Exception {
        Query query =
                query(
                        "g",
                        "SELECT src_addr, MAX(bytes) AS most FROM packets"
                                + " GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND)");
        for (int w = 1; w <= 5; w++) {
            window(query, w, new Object[] {Inet.v4(w), 10L * w});
        }
        assertEquals(List.of("weir_g_most{src_addr=\"0.0.0.5\"} 50.0"), series());
    }

    @Test
    void runningTotalsSayThemselvesHowFarTheyAre() throws Exception {
        Query query = query("t", "SELECT proto, COUNT(*) AS n FROM packets GROUP BY proto");
        window(query, 1, new Object[] {6L, 5L});
        window(query, 2, new Object[] {6L, 9L}, new Object[] {17L, 1L}, new Object[] {1L, 1L});
        assertEquals(
                List.of("weir_t_n_total{proto=\"17\"} 1.0", "weir_t_n_total{proto=\"6\"} 9.0"),
                series());
    }

    @Test
    void anAlteredQueryBeginsAnewAndADroppedOneIsGone() throws Exception {
        window(query("q", WINDOWED), 1, row(1, 5, 100, 1));
        Query altered =
                query(
                        "q",
                        "SELECT proto, COUNT(*) AS packets FROM packets"
                                + " GROUP BY proto, TUMBLE(ts, INTERVAL '1' SECOND)");
        window(altered, 2, new Object[] {6L, 3L});
        assertEquals(List.of("weir_q_packets_total{proto=\"6\"} 3.0"), series());
        sink.dropped("q");
        assertEquals(List.of(), series());
    }

    @Test
    void speaksOpenMetricsAndNothingElse() throws Exception {
        window(query("q", WINDOWED), 1, row(1, 5, 1, 1));
        HttpResponse<String> open =
                get("/metrics/queries", "application/openmetrics-text;version=1.0.0,*/*");
        assertTrue(
                open.headers()
                        .firstValue("Content-Type")
                        .orElse("")
                        .startsWith("application/openmetrics-text"));
        assertTrue(open.body().endsWith("# EOF\n"), open.body());
        assertEquals(404, get("/", "*/*").statusCode());
        URI uri = URI.create("http://127.0.0.1:" + sink.port() + "/metrics");
        HttpRequest post = HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build();
        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(post, BodyHandlers.ofString());
        assertEquals(405, answer.statusCode());
    }

    @Test
    void whatCannotBeSeriesIsRefused() {
        Query packets = query("p", "SELECT src_addr, bytes FROM packets");
        assertThrows(WeirException.class, () -> PrometheusSink.check(List.of(packets)));
        Query one = query("a_b", "SELECT proto, COUNT(*) AS c FROM packets GROUP BY proto");
        Query same = query("a", "SELECT proto, COUNT(*) AS b_c FROM packets GROUP BY proto");
        PrometheusSink.check(List.of(one));
        assertThrows(WeirException.class, () -> PrometheusSink.check(List.of(one, same)));
    }
}
