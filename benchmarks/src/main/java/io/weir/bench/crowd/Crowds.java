package io.weir.bench.crowd;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Sets of queries that run at once. */
public final class Crowds {
    private static final String WINDOW = "GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), ";

    private Crowds() {}

    /** Returns ten that have little in common, over the layout {@code full}. */
    public static List<CompiledQuery> tenMixed() {
        return compiled(
                List.of(
                        "SELECT COUNT(*) AS packets, SUM(bytes) AS bytes FROM packets",
                        perKey("src_addr", "COUNT(*)", "", "HAVING COUNT(*) > 5"),
                        perKey("dst_addr", "SUM(bytes)", "", "HAVING SUM(bytes) > 50000"),
                        perKey("dst_port", "COUNT(*)", "WHERE proto = 6", ""),
                        perKey("proto, ip_ttl", "COUNT(*)", "", ""),
                        perKey("tcp_flags", "SUM(bytes)", "WHERE proto = 6", ""),
                        perKey(
                                "dst_addr",
                                "COUNT(*)",
                                "WHERE proto = 6 AND BITAND(tcp_flags, 18) = 2",
                                "HAVING COUNT(*) >= 2"),
                        perKey(
                                "src_addr, dst_addr",
                                "SUM(bytes)",
                                "WHERE dst_port = 443",
                                "HAVING SUM(bytes) > 20000"),
                        perKey(
                                "src_addr",
                                "COUNT(DISTINCT dst_port)",
                                "WHERE proto = 6",
                                "HAVING COUNT(DISTINCT dst_port) >= 10"),
                        perKey("dst_addr", "MAX(bytes)", "WHERE proto = 17", "")));
    }

    /** Returns a hundred of one key and window; each has its own threshold. */
    public static List<CompiledQuery> hundredOnOneKey() {
        return compiled(
                IntStream.rangeClosed(1, 100)
                        .mapToObj(n -> perKey("src_addr", "COUNT(*)", "", having(20 * n)))
                        .toList());
    }

    /** Returns counts per source, and a query that counts each of so many by itself. */
    public static List<CompiledQuery> bound(int bindings) {
        return compiled(
                List.of(
                        perKey("src_addr", "COUNT(*)", "", ""),
                        perKey("src_addr", "COUNT(*)", "WHERE src_addr = q0.src_addr", "")
                                + " WHEN q0.v > 0 WITH (bindings = "
                                + bindings
                                + ")"));
    }

    /** Returns counts per source, and so many queries that wait for one that never comes. */
    public static List<CompiledQuery> dormant(int queries) {
        List<String> texts = new ArrayList<>();
        texts.add(perKey("src_addr", "COUNT(*)", "", "HAVING COUNT(*) > 1000"));
        for (int q = 0; q < queries; q++) {
            texts.add(perKey("dst_addr", "COUNT(*)", "", "") + " WHEN q0.v > 1000000000");
        }
        return compiled(texts);
    }

    private static String having(int threshold) {
        return "HAVING COUNT(*) > " + threshold;
    }

    private static String perKey(String key, String value, String where, String having) {
        return String.format(
                "SELECT window_start, %s, %s AS v FROM packets %s %s%s %s",
                key, value, where, WINDOW, key, having);
    }

    private static List<CompiledQuery> compiled(List<String> queries) {
        MapCatalog seen = new MapCatalog();
        SqlFrontend frontend = new SqlFrontend(seen);
        List<GpvLayout> layouts = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
        List<CompiledQuery> compiled = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++) {
            String text = "CREATE QUERY q" + i + " AS " + queries.get(i);
            var statement = (Statement.CreateQuery) frontend.parse(text, Map.of()).get(0);
            seen.put(statement.query());
            compiled.add(KernelCompiler.compile(statement.query(), layouts));
        }
        return compiled;
    }
}
