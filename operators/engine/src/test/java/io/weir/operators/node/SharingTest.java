package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Fold;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.kernel.KernelCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries that share a state have the rows that they would have alone. */
@Timeout(300)
final class SharingTest {
    private static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT
                    .withTime(Graphs.SECOND_NS / 2, Graphs.SECOND_NS)
                    .withMemory(256L << 20, 32L << 20);

    private static final List<List<String>> KEYS =
            List.of(List.of("src_addr"), List.of("dst_addr", "src_addr"), List.of());

    /** A query over one of few keys and windows, with folds, HAVING, order and limit at random. */
    private static Query query(String name, Random random) {
        List<String> keys = KEYS.get(random.nextInt(KEYS.size()));
        Optional<Window> window =
                switch (random.nextInt(3)) {
                    case 0 -> Optional.empty();
                    case 1 -> Graphs.tumble(2);
                    default -> Graphs.hop(3, 1);
                };
        Operator.Scan scan = Graphs.packets();
        Operator input = scan;
        if (random.nextInt(3) == 0) {
            Expr proto = Graphs.column(scan.columns(), "proto");
            input = new Operator.Filter(scan, Functions.call("=", proto, Expr.Literal.of(6L)));
        }
        List<FoldCall> folds = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int f = 0; f < count; f++) {
            folds.add(fold(name + f, scan, random));
        }
        List<Named> named = new ArrayList<>();
        for (String key : keys) {
            named.add(new Named(name + key, Graphs.column(scan.columns(), key)));
        }
        Operator.Aggregate aggregate =
                new Operator.Aggregate(input, window, named, folds, Set.of());
        return new Query(name, root(aggregate, name, random), Optional.empty(), "");
    }

    private static Operator root(Operator.Aggregate aggregate, String name, Random random) {
        Operator below = aggregate;
        Expr first = Graphs.column(aggregate.columns(), name + 0);
        if (first.type().kind() == Kind.BIGINT && random.nextInt(4) > 0) {
            below = new Operator.Filter(below, having(first, random));
        }
        List<Named> outputs = new ArrayList<>();
        for (Expr.Variable column : aggregate.columns()) {
            outputs.add(new Named("out_" + column.name(), column));
        }
        Operator project = new Operator.Project(below, outputs);
        if (random.nextInt(3) > 0) {
            return project;
        }
        Operator.Order order = new Operator.Order("out_" + name + 0, true, false);
        return new Operator.Sort(project, List.of(order), Optional.of(5L), random.nextInt(2));
    }

    /** A comparison with a number, from either side, and at times another one. */
    private static Expr having(Expr figure, Random random) {
        String operator = List.of(">", ">=", "<", "<=").get(random.nextInt(4));
        long most = random.nextBoolean() ? 40 : 20_000;
        Expr number = Expr.Literal.of(random.nextLong(most));
        Expr first =
                random.nextInt(3) > 0
                        ? Functions.call(operator, figure, number)
                        : Functions.call(operator, number, figure);
        return random.nextInt(4) > 0
                ? first
                : Functions.call(Functions.AND, List.of(first, having(figure, random)));
    }

    private static FoldCall fold(String name, Operator.Scan scan, Random random) {
        Expr bytes = Graphs.column(scan.columns(), "bytes");
        Expr port = Graphs.column(scan.columns(), "dst_port");
        Expr some = Functions.call("=", port, Expr.Literal.of(1L + random.nextInt(2)));
        Optional<Expr> filter = random.nextInt(3) == 0 ? Optional.of(some) : Optional.empty();
        Fold fold =
                switch (random.nextInt(6)) {
                    case 0 -> Folds.sum(Kind.BIGINT);
                    case 1 -> Folds.max(Kind.BIGINT);
                    case 2 -> Folds.min(Kind.BIGINT);
                    case 3 -> Folds.sumOfSome(Kind.BIGINT);
                    default -> Folds.count();
                };
        if (random.nextInt(6) == 0) {
            Fold counted = Folds.count(Kind.BIGINT);
            return new FoldCall(name, counted, List.of(port), true, Optional.empty());
        }
        List<Expr> arguments = fold.arguments().isEmpty() ? List.of() : List.of(bytes);
        return new FoldCall(name, fold, arguments, false, filter);
    }

    private static List<Packet> packets(Random random) {
        List<Packet> packets = new ArrayList<>();
        long nowUs = 1_700_000_000_000_000L;
        for (int i = 0; i < 2000; i++) {
            nowUs += random.nextInt(10_000);
            boolean v6 = random.nextInt(4) == 0;
            Inet src = address(v6, random.nextInt(10));
            Inet dst = address(v6, 100 + random.nextInt(10));
            long proto = random.nextBoolean() ? 6 : 17;
            long port = 1L + random.nextInt(3);
            long bytes = 40L + random.nextInt(1400);
            packets.add(new Packet(nowUs * 1000, src, dst, 1000, port, proto, bytes));
        }
        return packets;
    }

    private static Inet address(boolean v6, int host) {
        return v6 ? Inet.v6(0x2001_0db8_0000_0000L, host) : Inet.v4(0x0A000000 + host);
    }

    @Test
    void rowsAreTheSameAsAlone() {
        int rows = 0;
        for (long seed = 1; seed <= 6; seed++) {
            Random random = new Random(seed);
            List<Query> queries = new ArrayList<>();
            for (int q = 0; q < 24; q++) {
                queries.add(query("q" + q, random));
            }
            List<Packet> packets = packets(random);
            EngineOptions options =
                    OPTIONS.withShape(1 + random.nextInt(2), 1 + random.nextInt(2))
                            .withBlocks(4096, 1 << 17);
            Run together = new Run(queries, packets, options, seed);
            for (Query query : queries) {
                Run alone = new Run(List.of(query), packets, options, seed);
                List<Interpreter.Output> expected = alone.rows.get(query.name());
                String message = "seed " + seed + " " + query.root();
                assertEquals(expected, together.rows.get(query.name()), message);
                rows += expected.size();
            }
        }
        assertTrue(rows > 400, rows + " windows");
    }

    @Test
    void aHundredOnOneKeyAndWindowAreOneState() {
        List<GpvLayout> layouts = List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6);
        try (LocalEngine engine = new LocalEngine(OPTIONS, new Account())) {
            for (int q = 0; q < 100; q++) {
                Query counts =
                        Graphs.top(Graphs.counts("q" + q, Graphs.tumble(1), null, "src_addr"), q);
                engine.add(KernelCompiler.compile(counts, layouts), batch -> {});
            }
            Query other = Graphs.counts("other", Graphs.tumble(2), null, "src_addr");
            engine.add(KernelCompiler.compile(other, layouts), batch -> {});
            engine.start();
            assertEquals(2, engine.attachedStates());
        }
    }
}
