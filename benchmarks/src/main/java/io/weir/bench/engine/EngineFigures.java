package io.weir.bench.engine;

import io.weir.bench.kernel.AggregateFigures;
import io.weir.bench.kernel.FlowFigures;
import io.weir.bench.kernel.LookupFigures;
import io.weir.cluster.worker.Rehearsal;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.rows.RowSink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Prints figures of the live engine: {@code window} change with many groups, {@code share} of one
 * map, {@code sharedState} of mixed queries, {@code live} attaching; and of {@code state}.
 */
public final class EngineFigures {
    private static final RowSink NOBODY = batch -> {};
    private static final EngineOptions LIVE =
            EngineOptions.DEFAULT.withTime(0, 0).withMemory(12L << 30, 4L << 30).forLive();

    private EngineFigures() {}

    /**
     * Measures and prints.
     *
     * @param size groups of window and state, blocks a round of share and crowd; null: the figure's
     *     own number
     */
    public static void print(String what, Integer size) throws InterruptedException {
        switch (what) {
            case "window" -> window(size == null ? 1 << 20 : size);
            case "share" -> share(size == null ? 1000 : size);
            case "crowd" -> crowd(size == null ? 1000 : size);
            case "live" -> live();
            case "lookup" -> lookup(size == null ? 1_000_000 : size);
            case "aggregates" -> AggregateFigures.print(size == null ? 5_000_000 : size);
            case "flows" -> FlowFigures.print(size == null ? 5_000_000 : size);
            case "state" -> StateFigures.print(size == null ? 10_000_000 : size);
            default ->
                    throw new IllegalArgumentException(
                            what
                                    + " is none of window, share, crowd, live, lookup, aggregates, flows,"
                                    + " state, scale");
        }
    }

    /** Measures a window of two GPVs for each group, then the same with one window for all. */
    private static void window(int groups) {
        int blocks = 2 * groups / EngineFeed.GPVS_A_BLOCK;
        for (String size : new String[] {"'1' SECOND", "'60' MINUTE", "'1' SECOND"}) {
            AtomicLong rows = new AtomicLong();
            try (EngineFeed feed = new EngineFeed(LIVE, groups, 1_000_000_000L / (2L * groups))) {
                String sql =
                        "SELECT src_addr, COUNT(*) AS n, SUM(bytes) AS b, window_end FROM packets"
                                + " GROUP BY src_addr, TUMBLE(ts, INTERVAL "
                                + size
                                + ")";
                feed.add("q", sql, batch -> rows.addAndGet(batch.rows()));
                feed.engine().start();
                feed.blocks(blocks * 4, 0.5);
                long before = rows.get();
                long[] took = feed.blocks(blocks * 6, 0.5);
                System.out.printf(
                        "%d groups, window %s: block p50 %.0f us, p99 %.0f, p99.9 %.0f, most"
                                + " %.0f; %d rows came meanwhile%n",
                        groups,
                        size,
                        EngineFeed.microseconds(took, 0.5),
                        EngineFeed.microseconds(took, 0.99),
                        EngineFeed.microseconds(took, 0.999),
                        EngineFeed.microseconds(took, 1),
                        rows.get() - before);
            }
        }
    }

    /** Returns nanoseconds a packet of these queries together, without the results' thread. */
    private static double cost(Map<String, String> queries, int blocks) {
        try (EngineFeed feed = new EngineFeed(LIVE, 100_000, 1_000)) {
            queries.forEach((name, sql) -> feed.add(name, sql, NOBODY));
            feed.engine().start();
            feed.blocks(2 * blocks, 1);
            double best = Double.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                best = Math.min(best, (double) EngineFeed.sum(feed.blocks(blocks, 1)));
            }
            return best / ((double) blocks * EngineFeed.GPVS_A_BLOCK * EngineFeed.PACKETS_A_GPV);
        }
    }

    private static void share(int blocks) {
        String from = " FROM packets GROUP BY src_addr, TUMBLE(ts, INTERVAL '10' SECOND)";
        String plain = "SELECT src_addr, COUNT(*) AS n, SUM(bytes) AS b, window_end" + from;
        double one = cost(Map.of("q", plain), blocks);
        System.out.printf("one query: %.2f ns a packet%n", one);
        Map<String, String> limits = new LinkedHashMap<>();
        Map<String, String> folds = new LinkedHashMap<>();
        for (int q = 0; q < 100; q++) {
            limits.put("q" + q, plain + " HAVING COUNT(*) > " + (100_000 + q));
            folds.put(
                    "q" + q,
                    "SELECT src_addr, SUM(bytes) FILTER (WHERE dst_port = "
                            + q
                            + ") AS b, window_end"
                            + from
                            + " HAVING COUNT(*) > 100000");
        }
        double same = cost(limits, blocks);
        System.out.printf("100 with the same folds: %.2f ns, %.1f x one%n", same, same / one);
        double each = cost(folds, blocks);
        System.out.printf("100 with a fold each: %.2f ns, %.1f x one%n", each, each / one);
    }

    private static void crowd(int blocks) {
        Map<String, String> mixed = new LinkedHashMap<>();
        String tumble = "TUMBLE(ts, INTERVAL '10' SECOND)";
        mixed.put("a", "SELECT src_addr, COUNT(*) FROM packets GROUP BY src_addr, " + tumble);
        mixed.put("b", "SELECT dst_addr, SUM(bytes) FROM packets GROUP BY dst_addr, " + tumble);
        mixed.put("c", "SELECT dst_port, COUNT(*) FROM packets GROUP BY dst_port, " + tumble);
        mixed.put(
                "d",
                "SELECT src_addr, dst_addr, SUM(bytes) FROM packets GROUP BY src_addr, dst_addr, "
                        + tumble);
        mixed.put("e", "SELECT COUNT(*), SUM(bytes) FROM packets GROUP BY " + tumble);
        mixed.put(
                "f",
                "SELECT dst_addr, COUNT(*) FROM packets WHERE proto = 6 AND tcp_flags = 2"
                        + " GROUP BY dst_addr, "
                        + tumble);
        mixed.put("g", "SELECT tcp_flags, COUNT(*) FROM packets GROUP BY tcp_flags, " + tumble);
        mixed.put(
                "h",
                "SELECT dst_addr, COUNT(DISTINCT src_addr) FROM packets WHERE dst_port = 22"
                        + " GROUP BY dst_addr, "
                        + tumble);
        mixed.put(
                "i", "SELECT proto, MAX(bytes), MIN(bytes) FROM packets GROUP BY proto, " + tumble);
        mixed.put(
                "j",
                "SELECT src_port, SUM(bytes) FROM packets WHERE dst_port < 10 GROUP BY src_port, "
                        + tumble);
        double sum = 0;
        for (Map.Entry<String, String> query : mixed.entrySet()) {
            double alone = cost(Map.of(query.getKey(), query.getValue()), blocks);
            sum += alone;
            System.out.printf("%s alone: %.2f ns a packet%n", query.getKey(), alone);
        }
        double together = cost(mixed, blocks);
        System.out.printf(
                "all: %.2f ns, one after the other %.2f: %.2f x%n", together, sum, together / sum);
    }

    /** Attaches, alters and drops while blocks flow at full speed. */
    private static void live() throws InterruptedException {
        long start = System.nanoTime();
        Rehearsal.run(EngineFeed.LAYOUTS);
        System.out.printf("rehearsed, as a worker does, in %.0f ms%n", since(start));
        try (EngineFeed feed = new EngineFeed(LIVE, 100_000, 1_000)) {
            String from = " FROM packets GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND)";
            feed.add("base", "SELECT src_addr, COUNT(*) AS n, window_end" + from, NOBODY);
            feed.engine().start();
            List<String> took = new ArrayList<>();
            Thread changes = new Thread(() -> change(feed, took));
            // The engine has had packets for two seconds, so HotSpot is finished with it.
            feed.blocks(80_000, 0.5);
            changes.start();
            while (changes.isAlive()) {
                feed.block();
            }
            changes.join();
            took.forEach(System.out::println);
        }
    }

    private static void change(EngineFeed feed, List<String> took) {
        String window = ", TUMBLE(ts, INTERVAL '1' SECOND)";
        // The first queries find the planner, Janino and the warm-up itself uncompiled. C does not
        // read the packets of the last ones.
        String[][] queries = {
            {"src_addr, proto", "SUM(bytes)"},
            {"dst_addr", "SUM(bytes)"},
            {"dst_port", "SUM(bytes)"},
            {"src_port", "SUM(bytes)"},
            {"proto", "SUM(bytes)"},
            {"dst_addr, dst_port", "SUM(bytes)"},
            {"src_addr", "MAX(bytes)"},
            {"dst_addr", "COUNT(*) FILTER (WHERE bytes > 1000)"},
            {"dst_port", "AVG(bytes)"},
            {"tcp_flags", "COUNT(*)"},
            {"dst_addr", "COUNT(DISTINCT src_addr)"},
            {"dst_addr", "APPROX_COUNT_DISTINCT(src_addr)"},
            {"src_addr, dst_addr, dst_port", "MIN(bytes) AS a, MAX(bytes) AS c, AVG(tcp_window)"},
            {
                "src_addr, dst_addr, src_port, dst_port, proto",
                "COUNT(*) AS a, SUM(bytes) AS c, MIN(ip_ttl) AS d, MAX(bytes)"
            },
            {
                "dst_addr",
                "COUNT(*) FILTER (WHERE tcp_flags = 2) AS a,"
                        + " COUNT(*) FILTER (WHERE tcp_flags = 16) AS c,"
                        + " SUM(bytes) FILTER (WHERE proto = 17)"
            },
            {"src_addr", "COUNT(DISTINCT dst_addr) AS a, COUNT(DISTINCT dst_port)"},
            {"src_addr", "APPROX_QUANTILE(bytes, 0.5) AS a, APPROX_TOP(dst_port, 1)"}
        };
        for (String[] query : queries) {
            String key = query[0];
            String sql =
                    "SELECT "
                            + key
                            + ", "
                            + query[1]
                            + " AS b FROM packets GROUP BY "
                            + key
                            + window;
            List<Double> ms = new ArrayList<>();
            long start = System.nanoTime();
            CompiledQuery first = EngineFeed.query("x", sql);
            ms.add(since(start));
            feed.engine().add(first, NOBODY);
            ms.add(since(start));
            // The shape is the same with another window, so it shares no groups.
            start = System.nanoTime();
            feed.add("y", sql.replace("'1'", "'2'"), NOBODY);
            ms.add(since(start));
            start = System.nanoTime();
            CompiledQuery second = EngineFeed.query("x", sql + " HAVING COUNT(*) > 1");
            feed.engine().replace(second, NOBODY);
            ms.add(since(start));
            start = System.nanoTime();
            feed.engine().drop("x");
            feed.engine().drop("y");
            ms.add(since(start));
            took.add(
                    String.format(
                            "%s by %s: planned and compiled in %.0f ms, warm and attached after %.0f;"
                                    + " another of its shape after %.0f; altered after %.0f; two"
                                    + " dropped in %.1f",
                            query[1], key, ms.get(0), ms.get(1), ms.get(2), ms.get(3), ms.get(4)));
        }
    }

    private static void lookup(int prefixes) {
        LookupFigures.print(prefixes, 5L * Math.max(prefixes, 10_000));
    }

    private static double since(long startNs) {
        return (System.nanoTime() - startNs) / 1e6;
    }
}
