package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.ingest.source.SourceSpec;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory of joins, of OVER and of groups over rows is bounded; what it does not hold is counted.
 */
@Timeout(120)
class RowBudgetsTest {
    private static final int HOSTS = 5_000;
    private static final int WINDOWS = 4;

    private static final String SIDES =
            "CREATE QUERY sent AS SELECT window_end, src_addr AS host, COUNT(*) AS n FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr;"
                    + "CREATE QUERY got AS SELECT window_end, dst_addr AS host, COUNT(*) AS n FROM"
                    + " packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), dst_addr;";

    private static final String JOIN =
            "SELECT sent.window_end, sent.host, sent.n, got.n AS m FROM sent JOIN got ON"
                    + " sent.window_end = got.window_end AND sent.host = got.host";

    @TempDir private Path folder;
    private EmbeddedNode node;
    private final List<List<Object>> rows = new ArrayList<>();
    private double least = 1;

    @BeforeEach
    void open() {
        PcapFile file = new PcapFile();
        for (int window = 0; window < WINDOWS; window++) {
            for (int host = 0; host < HOSTS; host++) {
                long atNs = window * 1_000_000_000L + host * 100_000L;
                file.udp(atNs, 0x0a000000 + host, 0x0a000000 + host * 7 % HOSTS, 53, 100);
            }
        }
        Path capture = file.write(folder.resolve("hosts.pcap"));
        node = new EmbeddedNode(NodeSettings.DEFAULT, List.of(SourceSpec.pcap("x", capture)));
    }

    @AfterEach
    void close() {
        node.close();
    }

    private Report run(String sql) {
        rows.clear();
        least = 1;
        List<Query> queries =
                node.load(node.frontend().parse(sql)).queries().stream()
                        .filter(query -> !List.of("sent", "got").contains(query.name()))
                        .toList();
        return node.replay(
                        queries,
                        batch -> {
                            least = Math.min(least, batch.completeness());
                            for (int row = 0; row < batch.rows(); row++) {
                                rows.add(List.of(batch.value(row, 0), batch.value(row, 1)));
                            }
                        },
                        new Events(wake -> {}))
                .run();
    }

    private static long lost(Report report, String page, String reason) {
        return report.stages().stream()
                .filter(stage -> stage.stage().equals(page))
                .mapToLong(stage -> stage.lost().getOrDefault(reason, 0L))
                .sum();
    }

    @Test
    void aJoinWithoutABudgetHasAllPairs() {
        Report report = run(SIDES + JOIN);
        assertEquals(List.of(), report.failures());
        assertEquals(HOSTS * WINDOWS, rows.size());
        assertEquals(1.0, least);
    }

    @Test
    void rowsWithoutRoomAreLeftOutAndCounted() {
        Report report = run(SIDES + JOIN + " WITH (memory = '256KB')");
        assertEquals(List.of(), report.failures());
        assertTrue(rows.size() < HOSTS * WINDOWS, rows.size() + " rows");
        assertTrue(lost(report, "query:q1", "state_full") > 0, report.stages().toString());
        assertTrue(report.stages().stream().allMatch(Stage.Snapshot::isBalanced));
    }

    @Test
    void aJoinThatShallFailEnds() {
        Report report = run(SIDES + JOIN + " WITH (memory = '256KB', on_overflow = 'fail')");
        assertEquals(1, report.failures().size());
        WeirException failure = report.failures().get(0);
        assertEquals(ErrorCode.BUDGET_EXCEEDED, failure.code());
        assertTrue(failure.getMessage().contains("its waiting rows and groups"), failure.text());
        assertEquals(
                List.of(), run(JOIN + " WITH (memory = '64MB', on_overflow = 'fail')").failures());
    }

    @Test
    void groupsOverRowsHaveABudgetToo() {
        String sums = "SELECT host, SUM(n) AS n FROM sent GROUP BY host WITH (memory = '64KB'";
        Report left = run(SIDES + sums + ")");
        assertTrue(rows.size() < HOSTS, rows.size() + " rows");
        assertTrue(lost(left, "query:q1", "state_full") > 0, left.stages().toString());
        Report fails = run(sums + ", on_overflow = 'fail')");
        assertEquals(ErrorCode.BUDGET_EXCEEDED, fails.failures().get(0).code());
    }

    @Test
    void overForgetsTheOldestPartitions() {
        String lag =
                "SELECT window_end, COALESCE(SUM(n) OVER (PARTITION BY host ORDER BY window_end"
                        + " ROWS BETWEEN 100 PRECEDING AND 1 PRECEDING), -1) AS past FROM sent";
        Report whole = run(SIDES + lag);
        assertEquals(HOSTS, rows.stream().filter(row -> row.get(1).equals(-1L)).count());
        assertEquals(0, forgotten(whole));
        Report small = run(lag + " WITH (memory = '2MB')");
        assertEquals(HOSTS * WINDOWS, rows.size());
        assertTrue(rows.stream().filter(row -> row.get(1).equals(-1L)).count() > HOSTS);
        assertTrue(forgotten(small) > 0, small.stages().toString());
        Report fails = run(lag + " WITH (memory = '2MB', on_overflow = 'fail')");
        assertEquals(ErrorCode.BUDGET_EXCEEDED, fails.failures().get(0).code());
        assertEquals(0, rows.size() % HOSTS);
    }

    private static long forgotten(Report report) {
        return lost(report, "over:q1", "forgotten");
    }

    @Test
    void heaviestGroupsAreThoseOfPackets() {
        WeirException refused =
                assertThrows(
                        WeirException.class,
                        () ->
                                run(
                                        SIDES
                                                + "SELECT host, SUM(n) AS n FROM sent GROUP BY host"
                                                + " WITH (memory = '1MB', on_overflow = 'topk')"));
        assertTrue(refused.text().contains("'topk' of a query over"), refused.text());
    }
}
