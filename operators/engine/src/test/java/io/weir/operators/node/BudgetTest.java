package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Query;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A flood of keys stays within its query's budget, and hurts no other query. */
@Timeout(120)
final class BudgetTest {
    private static final long BUDGET = 1 << 20;
    private static final int SOURCES = 60_000;
    private static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT.withMemory(64L << 20, 16L << 20).withBlocks(16384, 1 << 18);

    private final Account account = new Account();
    private final List<String> failed = Collections.synchronizedList(new ArrayList<>());
    private final List<List<Object>> rows = Collections.synchronizedList(new ArrayList<>());
    private final List<List<Object>> others = Collections.synchronizedList(new ArrayList<>());

    private static Query bounded(String name, String key, Budget.Overflow overflow) {
        Query plain = Graphs.counts(name, Graphs.tumble(2), null, key);
        Operator.Project project = (Operator.Project) plain.root();
        List<Named> outputs = new ArrayList<>(project.outputs());
        outputs.add(new Named("lost", Operator.Row.PACKETS_LOST));
        outputs.add(new Named("completeness", Operator.Row.COMPLETENESS));
        Operator root = new Operator.Project(project.input(), outputs);
        return new Query(
                name, root, Optional.empty(), "", Optional.of(new Budget(BUDGET, overflow)));
    }

    private static void take(RowBatch batch, List<List<Object>> into) {
        for (int row = 0; row < batch.rows(); row++) {
            List<Object> values = new ArrayList<>();
            for (int c = 0; c < batch.layout().columns().size(); c++) {
                values.add(batch.value(row, c));
            }
            into.add(values);
        }
    }

    /** Two windows of packets: many sources in the first, few in the second. */
    private void run(int pipelines, Query... queries) {
        run(OPTIONS.withShape(1, pipelines), queries);
    }

    private void run(EngineOptions options, Query... queries) {
        int pipelines = options.rings();
        LocalEngine engine = new LocalEngine(options, account);
        try (engine) {
            engine.addListener(
                    new WakeListener() {
                        @Override
                        public void woken(Query query, long from, RowBatch batch, int row) {}

                        @Override
                        public void failed(Query query, WeirException failure) {
                            failed.add(query.name() + " " + failure.code());
                        }
                    });
            for (Query query : queries) {
                boolean flooded = query.budget().isPresent();
                engine.add(Run.compile(query), batch -> take(batch, flooded ? rows : others));
            }
            engine.start();
            Random random = new Random(4);
            for (int g = 0; g < SOURCES * 2; g++) {
                if (g == SOURCES) {
                    engine.writers().forEach(w -> w.flush(3_000_000_000L));
                    engine.throttle().settle();
                }
                int source = g < SOURCES ? g : g % 100;
                long ns = g < SOURCES ? 1_000_000_000L : 3_000_000_000L;
                BlockWriter writer = engine.writers().get(source % pipelines);
                new RandomGpv(random, GpvLayout.FULL_V4, 1, ns)
                        .with("src_addr", Inet.v4(source))
                        .with("dst_addr", Inet.v4(source % 10))
                        .writeTo(writer, false);
                engine.poll();
            }
            engine.awaitEnd();
        }
        engine.allocator().close();
        assertTrue(account.isBalanced(), account.snapshot().toString());
    }

    private Stage.Snapshot stage(String query) {
        return account.snapshot().stream()
                .filter(stage -> stage.stage().equals("query:" + query))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void evictLeavesNewGroupsOutAndSaysSo() {
        for (int pipelines = 1; pipelines <= 2; pipelines++) {
            rows.clear();
            others.clear();
            long before = lost();
            Query flood = bounded("flood" + pipelines, "src_addr", Budget.Overflow.EVICT);
            run(pipelines, flood, Graphs.counts("calm", Graphs.tumble(2), null, "dst_addr"));
            long lost = stage(flood.name()).lostInAll();
            assertTrue(lost > 0 && lost < SOURCES, lost + " lost");
            assertEquals(before, lost());
            assertEquals(List.of(), failed);
            long counted = 0;
            for (List<Object> row : rows) {
                counted += (Long) row.get(1);
                boolean first = (Long) row.get(4) == 2_000_000_000L;
                assertEquals(first ? lost : 0L, row.get(6));
                assertEquals(first ? (SOURCES - lost) / (double) SOURCES : 1.0, row.get(7));
            }
            assertEquals(2L * SOURCES, counted + lost);
            // The whole table of a million bytes, as far as it grows in powers of two.
            long groups = rows.stream().filter(row -> (Long) row.get(4) == 2_000_000_000L).count();
            assertTrue(groups > BUDGET / 100 && groups < BUDGET / 24, groups + " groups");
            assertEquals(20, others.size());
        }
    }

    private long lost() {
        return account.snapshot().stream()
                .filter(stage -> stage.stage().equals("query:calm"))
                .mapToLong(Stage.Snapshot::lostInAll)
                .sum();
    }

    @Test
    void failEndsTheQueryAndNoOther() {
        for (int pipelines = 1; pipelines <= 2; pipelines++) {
            rows.clear();
            others.clear();
            failed.clear();
            run(
                    pipelines,
                    bounded("flood" + pipelines, "src_addr", Budget.Overflow.FAIL),
                    Graphs.counts("calm", Graphs.tumble(2), null, "dst_addr"));
            assertEquals(List.of("flood" + pipelines + " BUDGET_EXCEEDED"), failed);
            assertEquals(List.of(), rows, "no row that lacks groups");
            assertEquals(20, others.size());
        }
    }

    /**
     * Queries without a budget flood what memory there is: they lose packets and say so, or end;
     * one that has a budget has all its rows.
     */
    @Test
    void floodsWithoutBudgetsLeaveOthersWhatTheyNeed() {
        long seed = Long.getLong("weir.seed", 8);
        Random random = new Random(seed);
        int ended = 0;
        int lost = 0;
        for (int i = 0; i < 9; i++) {
            rows.clear();
            others.clear();
            failed.clear();
            run(
                    OPTIONS.withMemory((2L << 20) + random.nextInt(6 << 20), 64L << 20)
                            .withShape(1, 1 + i % 3),
                    Graphs.counts("wide" + i, Graphs.tumble(2), null, "src_addr", "bytes"),
                    Graphs.counts("wider" + i, Graphs.hop(4, 1), null, "src_addr", "ts"),
                    bounded("bounded" + i, "dst_addr", Budget.Overflow.EVICT));
            String which = "seed " + seed + ", engine " + i + " " + failed;
            assertEquals(0, stage("bounded" + i).lostInAll(), which);
            assertEquals(20, rows.size(), which);
            assertEquals(2L * SOURCES, rows.stream().mapToLong(r -> (Long) r.get(1)).sum(), which);
            failed.forEach(name -> assertTrue(name.endsWith(" OUT_OF_NATIVE_MEMORY"), which));
            ended += failed.size();
            lost += stage("wide" + i).lostInAll() > 0 ? 1 : 0;
        }
        assertTrue(ended > 0 && lost > 0, "seed " + seed + ": " + ended + " ended, " + lost);
    }

    /** What a pane has counted is in every window that it is part of, or is lost and told. */
    @Test
    void windowsOfSeveralPanesHaveAllThatTheirPanesHad() {
        for (int pipelines = 1; pipelines <= 2; pipelines++) {
            rows.clear();
            String name = "hops" + pipelines;
            Query tumbling = bounded(name, "src_addr", Budget.Overflow.EVICT);
            Operator.Project project = (Operator.Project) tumbling.root();
            Operator.Aggregate counts = (Operator.Aggregate) project.input();
            Operator.Aggregate hops =
                    new Operator.Aggregate(
                            counts.input(),
                            Graphs.hop(4, 1),
                            counts.keys(),
                            counts.folds(),
                            counts.wholeBy());
            Operator root = new Operator.Project(hops, project.outputs());
            run(pipelines, new Query(name, root, Optional.empty(), "", tumbling.budget()));
            Stage.Snapshot stage = stage(name);
            assertTrue(stage.lostInAll() > 0, "no flood");
            long counted = rows.stream().mapToLong(row -> (Long) row.get(1)).sum();
            assertEquals(4 * stage.processed(), counted);
        }
    }

    @Test
    void failThatHasRoomIsAsWithout() {
        run(1, bounded("small", "dst_addr", Budget.Overflow.FAIL));
        assertEquals(List.of(), failed);
        assertEquals(20, rows.size());
    }

    @Test
    void whatIsNotThereCannotBeReserved() {
        try (LocalEngine engine = new LocalEngine(OPTIONS, account)) {
            Query plain = Graphs.counts("huge", Graphs.tumble(2), null, "src_addr");
            Budget budget = new Budget(1L << 30, Budget.Overflow.EVICT);
            Query huge = new Query("huge", plain.root(), Optional.empty(), "", Optional.of(budget));
            engine.add(Run.compile(huge), batch -> {});
            WeirException refused = assertThrows(WeirException.class, engine::start);
            assertEquals(ErrorCode.OUT_OF_NATIVE_MEMORY, refused.code());
        }
    }

    /** A change that cannot be leaves everything as it was. */
    @Test
    void aRefusedChangeChangesNothing() {
        Query plain = Graphs.counts("q", Graphs.tumble(2), null, "src_addr");
        Budget budget = new Budget(1L << 30, Budget.Overflow.EVICT);
        Query huge = new Query("q", plain.root(), Optional.empty(), "", Optional.of(budget));
        LocalEngine engine = new LocalEngine(OPTIONS, account);
        try (engine) {
            engine.add(Run.compile(plain), batch -> take(batch, rows));
            engine.start();
            assertThrows(WeirException.class, () -> engine.replace(Run.compile(huge), batch -> {}));
            new RandomGpv(new Random(1), GpvLayout.FULL_V4, 3, 1_000_000_000L)
                    .writeTo(engine.writers().get(0), false);
            engine.awaitEnd();
        }
        engine.allocator().close();
        assertEquals(1, rows.size());
    }

    /** Nor one of a query that is awake: it goes on as it was. */
    @Test
    void aRefusedChangeOfOneThatIsAwakeChangesNothing() {
        Query upstream = Graphs.counts("u", Graphs.tumble(1), null, "src_addr");
        Query waits =
                Graphs.counts(
                        "q", Graphs.tumble(2), Graphs.when(upstream, 0, null, null), "src_addr");
        Budget budget = new Budget(1L << 30, Budget.Overflow.EVICT);
        Query huge = new Query("q", waits.root(), waits.when(), "", Optional.of(budget));
        LocalEngine engine = new LocalEngine(OPTIONS, account);
        try (engine) {
            engine.add(Run.compile(upstream), batch -> {});
            engine.add(Run.compile(waits), batch -> take(batch, rows));
            engine.start();
            Random random = new Random(1);
            new RandomGpv(random, GpvLayout.FULL_V4, 1, 1_000_000_000L)
                    .writeTo(engine.writers().get(0), false);
            engine.writers().get(0).flush(5_000_000_000L);
            engine.throttle().settle();
            assertThrows(WeirException.class, () -> engine.replace(Run.compile(huge), batch -> {}));
            new RandomGpv(random, GpvLayout.FULL_V4, 3, 7_000_000_000L)
                    .writeTo(engine.writers().get(0), false);
            engine.awaitEnd();
        }
        engine.allocator().close();
        assertEquals(3, rows.stream().mapToLong(row -> (Long) row.get(1)).sum(), rows.toString());
    }

    /** Until there is no memory even for a query's first few bytes. */
    @Test
    void aRefusedQueryIsNotThere() {
        EngineOptions tight = OPTIONS.withMemory(1 << 20, 1 << 20).withShape(1, 2);
        LocalEngine engine = new LocalEngine(tight, account);
        try (engine) {
            engine.start();
            int added = 0;
            WeirException refused = null;
            while (refused == null) {
                String name = "q" + added;
                Query query = Graphs.counts(name, Graphs.tumble(1 + added), null, "src_addr");
                try {
                    engine.add(Run.compile(query), batch -> take(batch, others));
                    added++;
                } catch (WeirException noMemory) {
                    refused = noMemory;
                }
            }
            assertEquals(ErrorCode.OUT_OF_NATIVE_MEMORY, refused.code());
            String name = "q" + added;
            WeirException unknown = assertThrows(WeirException.class, () -> engine.drop(name));
            assertEquals(ErrorCode.UNKNOWN_QUERY, unknown.code());
            assertEquals(2 * added, engine.attachedStates());
            engine.drop("q0");
            engine.awaitEnd();
        }
        engine.allocator().close();
    }
}
