package io.weir.bench.crowd;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
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

    private static String having(int threshold) {
        return "HAVING COUNT(*) > " + threshold;
    }

    private static String perKey(String key, String value, String where, String having) {
        return String.format(
                "SELECT window_start, %s, %s AS v FROM packets %s %s%s %s",
                key, value, where, WINDOW, key, having);
    }

    private static List<CompiledQuery> compiled(List<String> queries) {
        SqlFrontend frontend = new SqlFrontend(new MapCatalog());
        List<GpvLayout> layouts = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
        return IntStream.range(0, queries.size())
                .mapToObj(i -> "CREATE QUERY q" + i + " AS " + queries.get(i))
                .map(text -> (Statement.CreateQuery) frontend.parse(text, Map.of()).get(0))
                .map(statement -> KernelCompiler.compile(statement.query(), layouts))
                .toList();
    }
}
