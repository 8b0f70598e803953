package io.weir.cluster.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.sink.Batches;
import io.weir.operators.account.Account;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jetstream's three uses of PromQL, as docs/SINKS.md has them with their queries, asked of a real
 * Prometheus (Debian's package) that scrapes the sink. Skipped where there is none.
 */
class RealPrometheusTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Path PAGE = Path.of("../../docs/SINKS.md");

    @TempDir private Path directory;

    private final List<Query> queries = new ArrayList<>();
    private final NativeAllocator allocator = new NativeAllocator(1 << 20);

    @Test
    void itsQueriesAnswer() throws Exception {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        queries.addAll(node.load(node.frontend().parse(block("sql"))).queries());
        assertEquals(3, queries.size());
        assumeTrue(RealPrometheus.isThere(), "no prometheus: apt-get install prometheus");
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (PrometheusSink sink = new PrometheusSink(any, 100, Duration.ZERO, new Account());
                RealPrometheus prometheus = start(sink.port())) {
            ask(sink, prometheus);
        }
        allocator.close();
    }

    private RealPrometheus start(int scraped) throws IOException {
        return RealPrometheus.start(
                directory,
                """
                - job_name: weir-queries
                  metrics_path: /metrics/queries
                  static_configs: [{targets: ['127.0.0.1:%1$d']}]
                - job_name: weir
                  static_configs: [{targets: ['127.0.0.1:%1$d']}]
                """
                        .formatted(scraped));
    }

    private void ask(PrometheusSink sink, RealPrometheus prometheus) throws Exception {
        List<String> promQl = block("promql").lines().toList();
        String rate = promQl.get(0);
        AtomicInteger windows = new AtomicInteger();
        Await.until(
                () -> {
                    feed(sink, windows.incrementAndGet());
                    return prometheus.values(rate).stream().anyMatch(value -> value > 0);
                },
                prometheus::log);
        // They add up over windows: five of nine hosts, each with less than the one before.
        List<Double> hitters = prometheus.values(promQl.get(1));
        assertEquals(5, hitters.size());
        assertEquals(hitters.stream().sorted(Comparator.reverseOrder()).toList(), hitters);
        assertEquals(9.0 / 5, hitters.get(0) / hitters.get(4), 1e-9);
        assertEquals(List.of(12.0), prometheus.values(promQl.get(2)));
        assertEquals(List.of(1.0, 1.0), prometheus.values("up"));
        assertEquals(List.of(0.0), prometheus.values("sum(weir_stage_lost_total) or vector(0)"));
    }

    private void feed(PrometheusSink sink, int w) {
        window(
                sink,
                queries.get(0),
                w,
                List.of(new Object[] {443L, 1000L}, new Object[] {80L, 5L}));
        List<Object[]> hitters = new ArrayList<>();
        for (long host = 1; host <= 9; host++) {
            hitters.add(new Object[] {Inet.v4((int) host), 100 * host});
        }
        window(sink, queries.get(1), w, hitters);
        window(
                sink,
                queries.get(2),
                w,
                List.of(flow(0xC0A80001, 12L), flow(0xC0A80002, 9L), flow(0x0A000001, 40L)));
    }

    private static Object[] flow(int from, long outOfOrder) {
        return new Object[] {Inet.v4(from), Inet.v4(1), 6L, 1024L, 443L, outOfOrder};
    }

    /** A block of code of the page, by its language. */
    private static String block(String language) throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("```" + language + "\n") + language.length() + 4;
        return page.substring(begin, page.indexOf("```", begin));
    }

    private void window(PrometheusSink sink, Query query, long end, List<Object[]> rows) {
        try (RowBatch batch =
                Batches.of(
                        query,
                        (end - 1) * SECOND,
                        end * SECOND,
                        allocator,
                        rows.toArray(Object[][]::new))) {
            sink.rows(batch);
        }
    }
}
