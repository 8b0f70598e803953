package io.weir.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.node.ScriptedFactory.Script;
import io.weir.cluster.security.Role;
import io.weir.cluster.security.User;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.rows.RowBatch;
import io.weir.testing.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PAUSE, RESUME, EXPLAIN ANALYZE, and the listings of costs and losses, on one machine. */
@Timeout(120)
class PausedQueriesTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long START_NS = 1_700_000_000L * SECOND_NS;
    private static final Path CAPTURE = Path.of("..", "..", "demo", "capture.pcap");
    private static final String TOTALS =
            "CREATE QUERY totals AS SELECT window_start, COUNT(*) AS n, is_partial FROM packets"
                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND)";

    private final List<String> rows = Collections.synchronizedList(new ArrayList<>());

    private static long at(double seconds) {
        return START_NS + (long) (seconds * SECOND_NS);
    }

    private static void change(EmbeddedNode node, String sql) {
        var unused = ((Answer.Change) node.session(User.ANYBODY).prepare(sql)).action().get();
    }

    private static List<List<String>> show(SqlSession session, String sql) {
        return ((Answer.Texts) session.prepare(sql)).rows().get();
    }

    private static String text(SqlSession session, String sql) {
        return show(session, sql).stream()
                .map(row -> String.join("|", row))
                .collect(Collectors.joining("\n"));
    }

    private void take(RowBatch batch) {
        for (int row = 0; row < batch.rows(); row++) {
            long second = (batch.word(row, 0) - START_NS) / SECOND_NS;
            rows.add(second + " " + batch.value(row, 1) + " " + batch.value(row, 2));
        }
    }

    private static Script seconds(Script script, int from, int until) {
        for (int second = from; second < until; second++) {
            script.packet(at(second + 0.2), 1).packet(at(second + 0.7), 1);
        }
        return script.pass(at(until - 0.3));
    }

    @Test
    void aPausedQueryOfLivePacketsCountsNothing() throws Exception {
        try (EmbeddedNode node =
                new EmbeddedNode(NodeSettings.DEFAULT, Sources.parse("test:paused", "local"))) {
            node.open();
            SqlSession session = node.session(User.ANYBODY);
            change(node, TOTALS);
            Answer.Flow flow = (Answer.Flow) session.prepare("SUBSCRIBE totals");
            RowProducer producer = flow.producer().get();
            Thread reader = new Thread(() -> producer.produce(this::take), "rows");
            reader.start();
            Await.until(() -> node.isRunning(1));
            Script script = ScriptedFactory.script("paused");
            seconds(script, 0, 3);
            Await.until(() -> rows.size() >= 1);
            change(node, "PAUSE QUERY totals");
            change(node, "PAUSE QUERY totals");
            assertTrue(text(session, "SHOW QUERIES").startsWith("totals||paused|"));
            script.packet(at(2.8), 1).pass(at(2.8));
            Await.until(seconds(script, 3, 6)::isDone);
            Await.until(() -> rows.size() >= 3);
            assertEquals("2 2 true", rows.get(2), rows.toString());
            change(node, "RESUME QUERY totals");
            assertTrue(text(session, "SHOW QUERIES").startsWith("totals|||0|0|"));
            seconds(script, 7, 12);
            Await.until(() -> rows.contains("8 2 false"));
            assertFalse(rows.stream().anyMatch(row -> row.startsWith("4 ")), rows.toString());
            checkCosts(session);
            producer.stop();
            reader.join();
        }
    }

    private static void checkCosts(SqlSession session) {
        String costs = text(session, "SHOW QUERY COST");
        assertTrue(costs.startsWith("totals|"), costs);
        String plan = text(session, "EXPLAIN ANALYZE totals");
        assertTrue(plan.contains("packets/s tested"), plan);
        assertTrue(plan.contains("query:totals: "), plan);
        WeirException e =
                assertThrows(
                        WeirException.class,
                        () -> session.prepare("EXPLAIN ANALYZE SELECT COUNT(*) FROM packets"));
        assertEquals(ErrorCode.NOT_SUPPORTED, e.code());
    }

    private static EmbeddedNode demo() {
        return new EmbeddedNode(NodeSettings.DEFAULT, List.of(SourceSpec.pcap("local", CAPTURE)));
    }

    @Test
    void overFilesAPausedQueryHasNoRows() {
        try (EmbeddedNode node = demo()) {
            node.open();
            change(node, TOTALS);
            change(
                    node,
                    "CREATE QUERY over_it AS SELECT COUNT(*) AS seconds FROM totals"
                            + " GROUP BY TUMBLE(window_start, INTERVAL '1' MINUTE)");
            change(node, "PAUSE QUERY totals");
            SqlSession session = node.session(User.ANYBODY);
            List<Long> sizes = new ArrayList<>();
            for (String sql : List.of("SUBSCRIBE totals", "SUBSCRIBE over_it")) {
                Answer.Flow flow = (Answer.Flow) session.prepare(sql);
                long[] n = {0};
                flow.producer().get().produce(batch -> n[0] += batch.rows());
                sizes.add(n[0]);
            }
            assertEquals(List.of(0L, 0L), sizes);
        }
    }

    @Test
    void analyzedOverFiles() {
        try (EmbeddedNode node = demo()) {
            node.open();
            SqlSession session = node.session(User.ANYBODY);
            String plan =
                    text(
                            session,
                            "EXPLAIN ANALYZE SELECT src_addr, COUNT(*) AS n FROM packets"
                                    + " GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), src_addr");
            assertTrue(plan.contains(" ns a packet; closing windows: "), plan);
            assertTrue(plan.contains("32178 offered, 32178 processed"), plan);
            assertTrue(plan.lines().allMatch(line -> line.length() <= 100), plan);
        }
    }

    @Test
    void rowsOfCostsAndLossesHaveTypes() {
        try (EmbeddedNode node = demo()) {
            node.open();
            SqlSession session = node.session(User.ANYBODY);
            Answer.Flow flow =
                    (Answer.Flow)
                            session.prepare(
                                    "SELECT src_addr, dst_addr, src_port, COUNT(*) AS n FROM"
                                            + " packets GROUP BY TUMBLE(ts, INTERVAL '1' HOUR),"
                                            + " src_addr, dst_addr, src_port WITH (memory = '64KB')");
            flow.producer().get().produce(batch -> {});
            Answer.Snapshot costs =
                    (Answer.Snapshot)
                            session.prepare("SELECT packets_s, ns_packet FROM sys.query_cost");
            assertTrue((Long) costs.rows().get().get(0)[0] > 0);
            assertTrue((Double) costs.rows().get().get(0)[1] > 0);
            Answer.Snapshot losses =
                    (Answer.Snapshot)
                            session.prepare(
                                    "SELECT n, remedy FROM sys.loss WHERE reason = 'state_full'");
            assertTrue((Long) losses.rows().get().get(0)[0] > 0);
            assertEquals("raise memory, or group less", losses.rows().get().get(0)[1]);
        }
    }

    @Test
    void whoMayDropMayPause() {
        try (EmbeddedNode node = demo()) {
            change(node, TOTALS);
            SqlSession viewer = node.session(new User("eve", Set.of(Role.VIEWER)));
            for (String sql : List.of("PAUSE QUERY totals", "RESUME QUERY totals")) {
                WeirException e = assertThrows(WeirException.class, () -> viewer.prepare(sql));
                assertEquals(ErrorCode.NOT_ALLOWED, e.code());
            }
        }
    }

    /** A text of weir run: it runs what is not paused at its end. */
    @Test
    void aProgramPauses() {
        try (EmbeddedNode node = demo()) {
            String two = TOTALS + "; " + TOTALS.replace("totals", "others") + "; ";
            String pauses = "PAUSE QUERY totals; PAUSE QUERY others; RESUME QUERY others";
            Program program = node.load(node.frontend().parse(two + pauses));
            assertEquals(List.of("others"), program.queries().stream().map(q -> q.name()).toList());
        }
    }
}
