package io.weir.cluster.worker;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Plans, compiles and warms queries that nobody asked for while a worker has nothing to count yet,
 * so that the first one that somebody asks for finds planner, compiler and warm-up as a later one
 * does: loaded, and compiled themselves.
 */
public final class Rehearsal {
    private static final List<String> QUERIES =
            List.of(
                    "SELECT src_addr, COUNT(*) AS packets, SUM(bytes) AS bytes FROM packets"
                            + " GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND)",
                    "SELECT dst_addr, dst_port, SUM(bytes) AS bytes FROM packets WHERE proto = 6"
                            + " GROUP BY dst_addr, dst_port, TUMBLE(ts, INTERVAL '1' SECOND)"
                            + " HAVING COUNT(*) > 1",
                    "SELECT src_port, MAX(bytes) AS largest FROM packets"
                            + " GROUP BY src_port, TUMBLE(ts, INTERVAL '1' SECOND)",
                    "SELECT src_addr, APPROX_COUNT_DISTINCT(dst_port) AS ports,"
                            + " APPROX_QUANTILE(bytes, 0.5) AS half, APPROX_TOP(dst_addr, 1) AS most"
                            + " FROM packets GROUP BY src_addr, TUMBLE(ts, INTERVAL '1' SECOND)");

    private static final int BLOCKS = 1000;

    private static final AtomicBoolean STARTED = new AtomicBoolean();

    private Rehearsal() {}

    /**
     * Once a process, whose workers share what comes of it, on a thread of its own; a query that
     * comes meanwhile waits for a part of it at most.
     */
    static void start(List<GpvLayout> layouts) {
        if (STARTED.getAndSet(true)) {
            return;
        }
        Thread thread = new Thread(() -> run(layouts), "weir-rehearsal");
        thread.setDaemon(true);
        thread.start();
    }

    /** The same on this thread: a second. */
    public static void run(List<GpvLayout> layouts) {
        try (LocalEngine engine = new LocalEngine(EngineOptions.DEFAULT.forLive(), new Account())) {
            engine.start();
            for (String sql : QUERIES) {
                blocks(engine.writers().get(0));
                engine.add(code(sql, layouts), batch -> {});
                blocks(engine.writers().get(0));
                engine.drop("rehearsed");
            }
        }
    }

    /** Without packets: who waits for them looks whether there is another query. */
    private static void blocks(BlockWriter writer) {
        for (int b = 0; b < BLOCKS; b++) {
            writer.flush(b);
        }
    }

    private static CompiledQuery code(String sql, List<GpvLayout> layouts) {
        String create = "CREATE QUERY rehearsed AS " + sql;
        Statement made = new SqlFrontend(new MapCatalog()).parse(create).get(0);
        return KernelCompiler.compile(((Statement.CreateQuery) made).query(), layouts);
    }
}
