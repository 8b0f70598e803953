package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.sql.QueryCompiler;
import io.weir.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * An engine whose live source brings more than its queries take. Nothing stalls or grows, each
 * packet is in a row, lost or left out, and each row tells the true completeness.
 */
final class Overload {
    static final long WINDOW_NS = 100_000_000L;

    /** No row for so long would be a stall: a busy machine leaves out single windows. */
    private static final long STALL_NS = 2_500_000_000L;

    private static final String WINDOWS =
            "SELECT window_start, COUNT(*) AS n, packets_lost, packets_late, completeness"
                    + " FROM packets GROUP BY TUMBLE(ts, INTERVAL '0.1' SECOND)";

    final Account account = new Account();
    final List<Row> rows = new ArrayList<>();
    private final Map<String, RowSink> queries = new LinkedHashMap<>();
    private final List<Long> usedBytes = new ArrayList<>();
    private EngineSources sources;
    private long toldNs = Long.MIN_VALUE;

    /**
     * One window: its rows' packets, those that it tells as missing, and all that the source had
     * since the window of the row before.
     */
    record Row(long startNs, long packets, long lost, long late, double completeness, long had) {}

    /** Adds a query beside the one whose rows are checked. */
    void beside(String sql, RowSink sink) {
        queries.put(sql, sink);
    }

    /**
     * Reads a source.
     *
     * @param isOver asked after each step: whether the source is to stop
     */
    void run(String uri, BooleanSupplier isOver) {
        List<SourceSpec> specs = Sources.parse(uri, "node");
        NodeSettings settings = NodeSettings.DEFAULT.covering(specs);
        sources = new EngineSources(settings, Sources.named(specs));
        try (EmbeddedNode node = new EmbeddedNode(settings, specs);
                LocalEngine engine =
                        new LocalEngine(sources.engine(), account, Optional.of(sources))) {
            add(node, settings, engine, WINDOWS, "windows", this::take);
            int more = 0;
            for (Map.Entry<String, RowSink> query : queries.entrySet()) {
                add(node, settings, engine, query.getKey(), "more" + more++, query.getValue());
            }
            engine.start();
            try (Source source = sources.open(engine, account)) {
                while (source.step()) {
                    engine.poll();
                    usedBytes.add(engine.allocator().usedBytes());
                    if (isOver.getAsBoolean()) {
                        source.stop();
                    }
                }
                engine.awaitEnd();
            }
        }
    }

    private static void add(
            EmbeddedNode node,
            NodeSettings settings,
            LocalEngine engine,
            String sql,
            String name,
            RowSink sink) {
        Statement.Select select = (Statement.Select) node.frontend().parse(sql, Map.of()).get(0);
        Query query = SubQueryNames.renamed(select.query(), name);
        engine.add(QueryCompiler.compile(query, settings.layouts()), sink);
    }

    private synchronized void take(RowBatch batch) {
        for (int row = 0; row < batch.rows(); row++) {
            long startNs = ((Number) batch.word(row, 0)).longValue();
            rows.add(
                    new Row(
                            startNs,
                            (Long) batch.value(row, 1),
                            (Long) batch.value(row, 2),
                            (Long) batch.value(row, 3),
                            (Double) batch.value(row, 4),
                            sources.before(startNs + WINDOW_NS) - sources.before(toldNs)));
            toldNs = startNs + WINDOW_NS;
        }
    }

    /** Checks the rows beside each other, and beside what the source has counted. */
    void checkRows(long lost, String at) {
        assertTrue(account.isBalanced(), at + account.snapshot());
        assertEquals(lost, rows.stream().mapToLong(Row::lost).sum(), at + "rows tell other losses");
        long lastNs = rows.get(rows.size() - 1).startNs;
        for (Row row : rows) {
            long all = row.packets + row.lost + row.late;
            assertEquals((double) row.packets / all, row.completeness, 1e-6, at + row);
            if (row.startNs < lastNs) {
                assertEquals(row.had, row.packets + row.lost, at + row);
            }
        }
        for (int i = 1; i < rows.size(); i++) {
            long pauseNs = rows.get(i).startNs - rows.get(i - 1).startNs;
            assertTrue(pauseNs < STALL_NS, at + "no row for " + pauseNs + " ns: " + rows);
        }
    }

    /** Returns the time from the first to the last row. */
    long lengthNs() {
        return rows.get(rows.size() - 1).startNs - rows.get(0).startNs + WINDOW_NS;
    }

    void checkMemory(String at) {
        int half = usedBytes.size() / 2;
        long early = usedBytes.subList(0, half).stream().mapToLong(n -> n).max().orElseThrow();
        long late = usedBytes.stream().skip(half).mapToLong(n -> n).max().orElseThrow();
        assertTrue(late <= early * 1.25, at + "memory grows: " + usedBytes);
    }

    /** Returns the packets in rows. */
    long counted() {
        return rows.stream().mapToLong(Row::packets).sum();
    }

    static long excluded(Stage.Snapshot page) {
        return page.excluded().values().stream().mapToLong(n -> n).sum();
    }

    /** Adds a count of all pages of a name. */
    long sum(String name, ToLongFunction<Stage.Snapshot> of) {
        return account.snapshot().stream()
                .filter(page -> page.stage().equals(name))
                .mapToLong(of)
                .sum();
    }
}
