package io.weir.bench.engine;

import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.WakeListener;
import io.weir.operators.rows.RowBatch;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import java.util.Arrays;

/**
 * Measures the time from a row that meets a WHEN, as a sink gets it, to when the woken query has
 * counted a packet. A live engine with one ring on the reader's thread. Packets come at the pace of
 * their times, 8 million a second.
 */
public final class WakeFigures {
    private static final int SOURCES = 1_000;

    /** A block has 400 GPVs, so a window of 10 ms has 50 blocks. */
    private static final long NS_A_GPV = 500;

    private static final String TEXT =
            """
            CREATE QUERY fast AS
              SELECT COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '0.01' SECOND);
            CREATE QUERY woken AS
              SELECT src_addr, COUNT(*) AS n FROM packets
              GROUP BY TUMBLE(ts, INTERVAL '0.01' SECOND), src_addr
              WHEN fast.n > 0 FOR INTERVAL '0.005' SECOND;
            """;

    private volatile long firedNs;
    private volatile boolean waits;

    private WakeFigures() {}

    /**
     * The measured times.
     *
     * @param ns sorted
     * @param isWhole whether there are as many as wanted
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Took(long[] ns, boolean isWhole, double mpps) {
        /** Returns microseconds. */
        public double quantile(double part) {
            return ns.length == 0
                    ? Double.NaN
                    : ns[(int) Math.min(ns.length - 1, (long) (ns.length * part))] / 1e3;
        }
    }

    /** Measures so many wakes, after as many that do not count. */
    public static Took measure(int wakes) {
        return new WakeFigures().run(wakes);
    }

    private Took run(int wakes) {
        EngineOptions options = EngineOptions.DEFAULT.withTime(0, 0).forLive();
        long[] took = new long[wakes];
        int seen = 0;
        try (EngineFeed feed = new EngineFeed(options, SOURCES, NS_A_GPV)) {
            new SqlFrontend(new MapCatalog())
                    .parse(TEXT).stream()
                            .map(statement -> ((Statement.CreateQuery) statement).query())
                            .forEach(query -> add(feed, query));
            feed.engine().addListener(new Fired());
            feed.engine().start();
            long beganNs = System.nanoTime();
            long blocks = 0;
            long counted = 0;
            for (; seen < 2 * wakes && blocks < 400L * wakes; blocks++) {
                long dueNs = beganNs + blocks * EngineFeed.GPVS_A_BLOCK * NS_A_GPV;
                while (System.nanoTime() < dueNs) {
                    Thread.onSpinWait();
                }
                feed.block();
                long now = counted(feed);
                if (waits && now > counted) {
                    waits = false;
                    took[seen % wakes] = System.nanoTime() - firedNs;
                    seen++;
                }
                counted = now;
            }
            double seconds = (System.nanoTime() - beganNs) / 1e9;
            long packets = blocks * EngineFeed.GPVS_A_BLOCK * EngineFeed.PACKETS_A_GPV;
            Arrays.sort(took);
            return new Took(took, seen == 2 * wakes, packets / seconds / 1e6);
        }
    }

    private static void add(EngineFeed feed, Query query) {
        feed.engine().add(KernelCompiler.compile(query, EngineFeed.LAYOUTS), batch -> {});
    }

    private static long counted(EngineFeed feed) {
        return feed.engine().account().snapshot().stream()
                .filter(page -> page.stage().equals("query:woken"))
                .mapToLong(Stage.Snapshot::processed)
                .sum();
    }

    private final class Fired implements WakeListener {
        @Override
        public void woken(Query query, long activeFromNs, RowBatch batch, int row) {
            firedNs = System.nanoTime();
            waits = true;
        }
    }
}
