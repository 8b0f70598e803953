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
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Row;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.kernel.TopKRewrite;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * on_overflow = 'topk' against exact counts: no figure is too high, none too low by more than its
 * row says, and nothing without a row is heavier than the rows say.
 */
@Timeout(300)
final class HeaviestTest {
    private static final int RUNS = Integer.getInteger("weir.test.topk", 10);
    private static final int PACKETS = 12_000;

    /** What stays at least when the smallest table is swept that a batch fits in. */
    private static final int LEAST_STAY = 192;

    static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT
                    .withTime(Graphs.SECOND_NS / 2, Graphs.SECOND_NS / 2)
                    .withMemory(256L << 20, 32L << 20);

    private static final List<List<String>> KEYS =
            List.of(
                    List.of("src_addr"),
                    List.of("dst_addr", "src_addr"),
                    List.of("src_addr", "src_port", "proto"),
                    List.of("src_port", "bytes"),
                    List.of("bytes"));

    private static final List<Named> TOLD =
            List.of(
                    new Named("undercount", Row.UNDERCOUNT),
                    new Named("left_out_most", Row.LEFT_OUT_MOST),
                    new Named("packets_lost", Row.PACKETS_LOST),
                    new Named("completeness", Row.COMPLETENESS));

    /** With as little memory as there may be, or a little more. */
    static Query query(String name, Random random, EngineOptions options) {
        Optional<Window> window =
                switch (random.nextInt(4)) {
                    case 0 -> Optional.empty();
                    case 1 -> Graphs.hop(4, 2);
                    default -> Graphs.tumble(3);
                };
        List<String> keys = KEYS.get(random.nextInt(KEYS.size()));
        Query plain = Graphs.counts(name, window, null, keys.toArray(new String[0]));
        Operator root = told(plain, keys.size() + 2);
        if (random.nextBoolean()) {
            Operator.Order order = new Operator.Order("total", true, false);
            root = new Operator.Sort(root, List.of(order), Optional.empty(), 0);
        }
        Query heaviest = TopKRewrite.of(new Query(name, root, Optional.empty(), ""), 1 << 20);
        StateOptions state = new StateOptions(1 << 20, 0, options.delayNs());
        long least = Run.compile(heaviest).leastStateBytes(state);
        long bytes = Math.max(least, Budget.LEAST_BYTES) * options.rings();
        Budget budget = heaviest.budget().orElseThrow();
        Budget little =
                new Budget(bytes + random.nextLong(bytes), budget.overflow(), budget.rank());
        return new Query(name, heaviest.root(), Optional.empty(), "", Optional.of(little));
    }

    /** The first columns, and what is told of the row. */
    private static Operator told(Query plain, int columns) {
        Operator.Project project = (Operator.Project) plain.root();
        List<Named> outputs = new ArrayList<>(project.outputs().subList(0, columns));
        outputs.addAll(TOLD);
        return new Operator.Project(project.input(), outputs);
    }

    /** Few that are heavy and many that are not, whose parts change as time goes. */
    static List<Packet> packets(Random random) {
        List<Packet> packets = new ArrayList<>();
        long nowUs = 1_700_000_000_000_000L;
        int flood = 1 + random.nextInt(8);
        for (int i = 0; i < PACKETS; i++) {
            nowUs += random.nextInt(1_000);
            boolean light = random.nextInt(10) < flood;
            int host = light ? 1000 + random.nextInt(100_000) : (i / 4000 * 5 + random.nextInt(30));
            boolean v6 = random.nextInt(4) == 0;
            Inet src = address(v6, host);
            Inet dst = address(v6, random.nextInt(10));
            long port = light ? random.nextInt(60_000) : host;
            // As many as flow32 can carry.
            long bytes = light ? 40L + random.nextInt(2_000) : 1400;
            long proto = random.nextBoolean() ? 6 : 17;
            long ns = (nowUs - random.nextInt(200_000)) * 1000;
            packets.add(new Packet(ns, src, dst, port, 80, proto, bytes));
        }
        return packets;
    }

    private static Inet address(boolean v6, int host) {
        return v6 ? Inet.v6(0x2001_0db8_0000_0000L, host) : Inet.v4(0x0A000000 + host);
    }

    @Test
    void whatIsLeftOutIsTold() {
        long base = Long.getLong("weir.seed", 1);
        int leftOut = 0;
        Set<String> layouts = new HashSet<>();
        for (long seed = base; seed < base + RUNS; seed++) {
            try {
                leftOut += run(seed, layouts);
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
        assertTrue(leftOut > RUNS, leftOut + " windows that lack groups");
        assertEquals(Set.of("full", "flow32"), layouts, "-Dweir.seed=" + base);
    }

    private static int run(long seed, Set<String> layouts) {
        Random random = new Random(seed);
        EngineOptions options =
                OPTIONS.withShape(1, 1 + random.nextInt(3)).withBlocks(4096, 1 << 17);
        List<Query> queries = new ArrayList<>();
        for (int q = 0; q < 2; q++) {
            queries.add(query("q" + q, random, options));
        }
        Run run = new Run(queries, packets(random), options, seed);
        layouts.add(run.layout);
        int leftOut = 0;
        for (Query query : queries) {
            leftOut += check(query, run);
        }
        return leftOut;
    }

    private static int check(Query query, Run run) {
        LeftOut found = check(query, run.rows.get(query.name()), run.events());
        Stage.Snapshot page =
                run.account.snapshot().stream()
                        .filter(stage -> stage.stage().equals("topk:" + query.name()))
                        .findFirst()
                        .orElseThrow();
        assertEquals(Map.of("left_out", found.packets()), page.lost());
        return found.windows();
    }

    /** Windows that lack groups, and the packets of those. */
    record LeftOut(int windows, long packets) {}

    static LeftOut check(
            Query query, List<Interpreter.Output> windows, List<Interpreter.Event> events) {
        int keys = query.aggregate().orElseThrow().keys().size();
        int rank = query.root() instanceof Operator.Sort ? keys + 1 : keys;
        Map<Long, Interpreter.Output> exact = new HashMap<>();
        new Interpreter(query)
                .run(events)
                .forEach(output -> exact.put(output.windowEndNs(), output));
        int leftOut = 0;
        long lost = 0;
        assertEquals(exact.size(), windows.size());
        for (Interpreter.Output window : windows) {
            long gone = check(window, exact.get(window.windowEndNs()), keys, rank);
            leftOut += gone > 0 ? 1 : 0;
            lost += gone;
        }
        return new LeftOut(leftOut, lost);
    }

    /** Packets that the window lacks. */
    private static long check(
            Interpreter.Output shown, Interpreter.Output exact, int keys, int rank) {
        Map<List<Object>, List<Object>> absent = new HashMap<>();
        exact.rows().forEach(row -> absent.put(row.subList(0, keys), row));
        long weight = sum(exact.rows(), rank);
        long most = (Long) shown.rows().get(0).get(keys + 3);
        for (List<Object> row : shown.rows()) {
            List<Object> truth = absent.remove(row.subList(0, keys));
            long lacks = (Long) row.get(keys + 2);
            assertTrue(lacks >= 0 && lacks <= most, lacks + " of " + most);
            assertEquals(most, row.get(keys + 3));
            for (int figure = keys; figure < keys + 2; figure++) {
                long less = (Long) truth.get(figure) - (Long) row.get(figure);
                assertTrue(less >= 0, "never over: " + row + " of " + truth);
                assertTrue(lacks > 0 || less == 0, "exact: " + row + " of " + truth);
                assertTrue(figure != rank || less <= lacks, row + " of " + truth);
            }
        }
        absent.values().forEach(row -> assertTrue((Long) row.get(rank) <= most, row + ": " + most));
        long packets = sum(exact.rows(), keys);
        long kept = sum(shown.rows(), keys);
        shown.rows()
                .forEach(
                        row -> {
                            assertEquals(packets - kept, row.get(keys + 4));
                            assertEquals(kept / (double) packets, row.get(keys + 5));
                        });
        assertTrue(most <= weight / LEAST_STAY, most + " of " + weight);
        return packets - kept;
    }

    private static long sum(List<List<Object>> rows, int column) {
        return rows.stream().mapToLong(row -> (Long) row.get(column)).sum();
    }

    @Test
    void whatIsHeavyAllTheTimeIsExact() {
        List<Packet> packets = new ArrayList<>();
        long startNs = 1_700_000_001_000_000_000L;
        for (int i = 0; i < 40_000; i++) {
            int host = i % 4 == 0 ? i % 40 : 1000 + i;
            // The flood is of IPv4: what it has of memory, and of errors, IPv6 has not.
            Inet src = address(host % 8 == 0 && host < 1000, host);
            Inet dst = address(src.family() == 6, host % 10);
            packets.add(new Packet(startNs + i * 10_000L, src, dst, 1, 2, 6, 100));
        }
        Query plain = Graphs.counts("q", Graphs.tumble(1), null, "src_addr");
        Query query = new Query("q", told(plain, 3), Optional.empty(), "");
        Run run = new Run(List.of(TopKRewrite.of(query, 1 << 20)), packets, OPTIONS, 1);
        List<Interpreter.Output> windows = run.rows.get("q");
        assertEquals(1, windows.size());
        List<List<Object>> heavy =
                windows.get(0).rows().stream().filter(row -> (Long) row.get(1) > 2).toList();
        assertEquals(10, heavy.size());
        heavy.forEach(row -> assertEquals(List.of(1000L, 100_000L, 0L), row.subList(1, 4)));
        heavy.forEach(row -> assertTrue((Long) row.get(4) > 0, "others were left out"));
    }

    /** With key, figures and the window's start. */
    private static Query windows(Query plain, long bytes) {
        return TopKRewrite.of(new Query("q", told(plain, 4), Optional.empty(), ""), bytes);
    }

    /** More windows are open than LATENESS lets expect: a pipeline has no room for some of them. */
    @Test
    void aWindowThatOnePipelineHasNoRoomForSaysSo() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        EngineOptions options = OPTIONS.withShape(1, 2);
        Query much = windows(Graphs.counts("q", Graphs.tumble(1), null, "src_port"), 1 << 20);
        long least = Run.compile(much).leastStateBytes(StateOptions.DEFAULT);
        Query query = windows(Graphs.counts("q", Graphs.tumble(1), null, "src_port"), 3 * least);
        List<List<Object>> rows = new ArrayList<>();
        Map<List<Long>, Long> exact = exactBesideRows(options, query, random, rows);
        int unknown = 0;
        for (List<Object> row : rows) {
            long lacks = exact.get(List.of(row.get(3), row.get(0))) - (Long) row.get(1);
            Long most = (Long) row.get(4);
            unknown += most == null ? 1 : 0;
            assertTrue(most == null || lacks <= most, row + ", -Dweir.seed=" + seed);
        }
        assertTrue(unknown > 0 && unknown < rows.size(), unknown + " of " + rows.size());
    }

    /** Packets of each group, whose rows are added. */
    private static Map<List<Long>, Long> exactBesideRows(
            EngineOptions options, Query query, Random random, List<List<Object>> rows) {
        Map<List<Long>, Long> exact;
        Account account = new Account();
        try (LocalEngine engine = new LocalEngine(options, account)) {
            engine.add(Run.compile(query), batch -> rows.addAll(Run.output(batch).rows()));
            engine.start();
            exact = writeMinute(engine, random);
            engine.awaitEnd();
        }
        assertTrue(account.isBalanced(), account.snapshot().toString());
        return exact;
    }

    /** No time is told of before its end; every other second is the first pipeline's alone. */
    private static Map<List<Long>, Long> writeMinute(LocalEngine engine, Random random) {
        List<BlockWriter> writers = engine.writers();
        Map<List<Long>, Long> counts = new HashMap<>();
        for (int i = 0; i < 30_000; i++) {
            int second = random.nextInt(60);
            long startNs = second * Graphs.SECOND_NS;
            boolean first = second % 2 == 0 || random.nextInt(10) == 0;
            long port = random.nextInt(second % 2 == 0 ? 400 : 20);
            new RandomGpv(random, GpvLayout.FULL_V4, 1, startNs)
                    .with("src_port", port)
                    .writeTo(writers.get(first ? 0 : 1), false);
            engine.poll();
            counts.merge(List.of(startNs, port), 1L, Long::sum);
        }
        return counts;
    }

    @Test
    void whatCannotBeRankedIsRefused() {
        Query counts = Graphs.counts("q", Graphs.tumble(1), null, "src_addr");
        Operator.Order byKey = new Operator.Order("src_addr", true, false);
        Operator sorted = new Operator.Sort(counts.root(), List.of(byKey), Optional.of(3L), 0);
        Query byAddress = new Query("q", sorted, Optional.empty(), "");
        refused(byAddress, "ORDER BY src_addr");
        Expr bytes = Graphs.column(Graphs.packets().columns(), "bytes");
        Operator rows = new Operator.Project(Graphs.packets(), List.of(new Named("b", bytes)));
        refused(new Query("q", rows, Optional.empty(), ""), "without groups");
    }

    private static void refused(Query query, String why) {
        WeirException refused =
                assertThrows(WeirException.class, () -> TopKRewrite.of(query, 1 << 20));
        assertEquals(ErrorCode.NOT_SUPPORTED, refused.code());
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
    }

    @Test
    void memoryForNoTableIsRefused() {
        Query counts = Graphs.counts("q", Graphs.tumble(1), null, "src_addr");
        try (LocalEngine engine = new LocalEngine(OPTIONS, new Account())) {
            Query little = TopKRewrite.of(counts, 1 << 17);
            WeirException refused =
                    assertThrows(
                            WeirException.class,
                            () -> engine.add(Run.compile(little), batch -> {}));
            assertEquals(ErrorCode.INVALID_OPTION, refused.code());
        }
    }
}
