package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.ingest.source.Source;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.ingest.wire.dpdk.DpdkCheck;
import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.SubQueryNames;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowSink;
import io.weir.sql.QueryCompiler;
import io.weir.sql.Statement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A virtual device offers at least twice as many frames as the queries take. Nothing stalls or
 * grows, each frame is in a row, lost or excluded, and each row tells the true completeness.
 */
@Timeout(180)
class DpdkOverloadTest {
    private static final long WINDOW_NS = 100_000_000L;
    private static final long RUN_NS = 4_000_000_000L;
    private static final int MOST_QUERIES = 64;

    /** Windows that a stalled thread would leave out, at most. */
    private static final int MOST_MISSING = 3;

    @TempDir private Path folder;

    private final List<Row> rows = new ArrayList<>();
    private final List<Long> usedBytes = new ArrayList<>();
    private EngineSources sources;

    /** One window: its rows' packets, those that it tells as lost, and all that the source had. */
    private record Row(long startNs, long packets, long lost, double completeness, long had) {}

    @BeforeAll
    static void needsDpdk() {
        assumeTrue(DpdkCheck.isLoaded(), "DPDK is not installed: its queues are not tested");
    }

    @Test
    void twiceAsMuchAsThePipelineTakesIsToldToThePacket() {
        String uri = "dpdk:net_pcap0?infinite_rx=1&rx_pcap=" + capture();
        double factor = 0;
        Account account = new Account();
        int queries = 4;
        while (factor < 2) {
            queries *= 2;
            assumeTrue(queries <= MOST_QUERIES, "the pipeline is as fast as the device");
            account = new Account();
            run(uri, queries, account);
            long offered = sum(account, "capture", page -> page.offered());
            factor =
                    (double) offered / (offered - sum(account, "cache", Stage.Snapshot::lostInAll));
        }
        String at = queries + " queries, " + factor + " times what they take: ";
        check(account, at);
        System.out.println(at + rows.size() + " windows");
    }

    private void check(Account account, String at) {
        assertTrue(account.isBalanced(), at + account.snapshot());
        long offered = sum(account, "capture", page -> page.offered());
        long excluded = sum(account, "capture", DpdkOverloadTest::excluded);
        long atDevice = sum(account, "capture", Stage.Snapshot::lostInAll);
        long ringFull = sum(account, "cache", Stage.Snapshot::lostInAll);
        long counted = rows.stream().mapToLong(Row::packets).sum();
        long told = rows.stream().mapToLong(Row::lost).sum();
        assertTrue(excluded > 0, at + "no frame was excluded");
        assertEquals(offered, counted + excluded + atDevice + ringFull, at + "frames are missing");
        assertEquals(atDevice + ringFull, told, at + "rows tell other losses");
        long lastNs = rows.get(rows.size() - 1).startNs;
        for (Row row : rows) {
            assertEquals(
                    (double) row.packets / (row.packets + row.lost),
                    row.completeness,
                    1e-6,
                    at + row);
            if (row.startNs < lastNs) {
                assertEquals(row.had, row.packets + row.lost, at + row);
            }
        }
        long windows = (lastNs - rows.get(0).startNs) / WINDOW_NS + 1;
        assertTrue(windows - rows.size() <= MOST_MISSING, at + windows + " of " + rows.size());
        assertTrue(windows >= RUN_NS / WINDOW_NS - MOST_MISSING, at + windows + " windows");
        int half = usedBytes.size() / 2;
        long early = usedBytes.subList(0, half).stream().mapToLong(n -> n).max().orElseThrow();
        long late = usedBytes.stream().skip(half).mapToLong(n -> n).max().orElseThrow();
        assertTrue(late <= early * 1.25, at + "memory grows: " + usedBytes);
    }

    private static long excluded(Stage.Snapshot page) {
        return page.excluded().values().stream().mapToLong(n -> n).sum();
    }

    private static long sum(
            Account account, String name, java.util.function.ToLongFunction<Stage.Snapshot> of) {
        return account.snapshot().stream()
                .filter(page -> page.stage().equals(name))
                .mapToLong(of)
                .sum();
    }

    private synchronized void take(RowBatch batch) {
        for (int row = 0; row < batch.rows(); row++) {
            long startNs = ((Number) batch.word(row, 0)).longValue();
            rows.add(
                    new Row(
                            startNs,
                            (Long) batch.value(row, 1),
                            (Long) batch.value(row, 2),
                            (Double) batch.value(row, 3),
                            sources.before(startNs + WINDOW_NS) - sources.before(startNs)));
        }
    }

    /** Runs the device for some seconds, with queries that share nothing. */
    private void run(String uri, int queries, Account account) {
        rows.clear();
        usedBytes.clear();
        List<SourceSpec> specs = Sources.parse(uri, "node");
        NodeSettings settings = NodeSettings.DEFAULT.covering(specs);
        sources = new EngineSources(settings, Sources.named(specs));
        try (EmbeddedNode node = new EmbeddedNode(settings, specs);
                LocalEngine engine =
                        new LocalEngine(sources.engine(), account, Optional.of(sources))) {
            add(
                    node,
                    engine,
                    "SELECT window_start, COUNT(*) AS n, packets_lost, completeness FROM packets"
                            + " GROUP BY TUMBLE(ts, INTERVAL '0.1' SECOND)",
                    "windows",
                    this::take);
            for (int i = 0; i < queries; i++) {
                add(
                        node,
                        engine,
                        "SELECT bytes + "
                                + i
                                + " AS p, COUNT(*) AS n FROM packets"
                                + " GROUP BY bytes + "
                                + i
                                + ", TUMBLE(ts, INTERVAL '1' SECOND)",
                        "more" + i,
                        batch -> {});
            }
            engine.start();
            try (Source source = sources.open(engine, account)) {
                read(engine, source);
            }
        }
    }

    private static void add(
            EmbeddedNode node, LocalEngine engine, String sql, String name, RowSink sink) {
        Statement.Select select = (Statement.Select) node.frontend().parse(sql, Map.of()).get(0);
        Query query = SubQueryNames.renamed(select.query(), name);
        engine.add(QueryCompiler.compile(query, NodeSettings.DEFAULT.layouts()), sink);
    }

    private void read(LocalEngine engine, Source source) {
        long begunNs = System.nanoTime();
        while (source.step()) {
            engine.poll();
            usedBytes.add(engine.allocator().usedBytes());
            if (System.nanoTime() - begunNs > RUN_NS) {
                source.stop();
            }
        }
        engine.awaitEnd();
    }

    private Path capture() {
        PcapFile file = new PcapFile();
        for (int i = 0; i < 2000; i++) {
            file.udp(1000L * i, i % 300, i % 7, i % 100, 60 + i % 100);
            if (i % 50 == 0) {
                file.arp(1000L * i);
            }
        }
        return file.write(folder.resolve("capture.pcap"));
    }
}
