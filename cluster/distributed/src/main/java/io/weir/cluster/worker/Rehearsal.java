package io.weir.cluster.worker;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.ring.ThreadEnd;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Plans, compiles and warms sample queries while a worker has nothing to count yet. So the first
 * real query finds planner, compiler and warm-up loaded and compiled.
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

    /** It ends between two rounds of a warm-up, or when a query is compiled. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static Rehearsal shared;
    private static boolean done;

    private final Thread thread;
    private int workers;

    private Rehearsal(List<GpvLayout> layouts) {
        thread = new Thread(() -> rehearse(layouts), "weir-rehearsal");
        thread.setDaemon(true);
    }

    /**
     * Begins one rehearsal for the workers of a process, on a thread of its own. A query that comes
     * meanwhile waits for a part of it at most. It runs until it is finished or the last of these
     * workers ends. A later worker then begins it again.
     *
     * @return the worker's part, which it closes when it ends
     */
    static synchronized Part begin(List<GpvLayout> layouts) {
        if (done) {
            return () -> {};
        }
        if (shared == null) {
            shared = new Rehearsal(layouts);
            shared.thread.start();
        }
        Rehearsal mine = shared;
        mine.workers++;
        AtomicBoolean left = new AtomicBoolean();
        return () -> {
            if (!left.getAndSet(true)) {
                mine.leave();
            }
        };
    }

    /** A worker's part in it. */
    @FunctionalInterface
    interface Part extends AutoCloseable {
        /**
         * Ends the rehearsal if this is the last part, and waits until its memory is free.
         * Idempotent.
         */
        @Override
        void close();
    }

    private void leave() {
        synchronized (Rehearsal.class) {
            workers--;
            if (workers > 0) {
                return;
            }
            if (shared == this) {
                shared = null;
            }
        }
        thread.interrupt();
        var unused = ThreadEnd.awaitAtMost(thread, PATIENCE);
    }

    private void rehearse(List<GpvLayout> layouts) {
        if (run(layouts)) {
            synchronized (Rehearsal.class) {
                done = true;
            }
        }
    }

    /**
     * Runs it on this thread: a second, or less if it is interrupted.
     *
     * @return whether it is finished
     */
    public static boolean run(List<GpvLayout> layouts) {
        try (LocalEngine engine = new LocalEngine(EngineOptions.DEFAULT.forLive(), new Account())) {
            engine.start();
            for (String sql : QUERIES) {
                blocks(engine);
                if (Thread.currentThread().isInterrupted()) {
                    return false;
                }
                engine.add(code(sql, layouts), batch -> {});
                blocks(engine);
                engine.drop("rehearsed");
            }
        }
        return !Thread.currentThread().isInterrupted();
    }

    /** Writes blocks without packets. The warm-up waits for them, and checks for another query. */
    private static void blocks(LocalEngine engine) {
        BlockWriter writer = engine.writers().get(0);
        for (int b = 0; b < BLOCKS; b++) {
            writer.flush(b);
            engine.poll();
        }
    }

    private static CompiledQuery code(String sql, List<GpvLayout> layouts) {
        String create = "CREATE QUERY rehearsed AS " + sql;
        Statement made = new SqlFrontend(new MapCatalog()).parse(create).get(0);
        return KernelCompiler.compile(((Statement.CreateQuery) made).query(), layouts);
    }
}
