package io.weir.operators.kernel;

import static io.weir.operators.kernel.TestQueries.call;
import static io.weir.operators.kernel.TestQueries.column;
import static io.weir.operators.kernel.TestQueries.count;
import static io.weir.operators.kernel.TestQueries.distinct;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Functions;
import io.weir.operators.graph.Kind;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.interpret.Interpreter.Output;
import io.weir.operators.kernel.RandomPackets.Sent;
import io.weir.operators.kernel.RandomPackets.Shape;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.sketch.SketchFolds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Approximate aggregates beside exact ones in one query: in panes that overlap, over several
 * pipelines, by header and by packet, with filters. Sketches of few values are exact.
 */
class SketchKernelTest {
    private static final Expr BYTES = column("bytes");

    @Test
    void approximateIsExactForFew() {
        checkAll(false);
    }

    @Test
    void sketchesTravel() {
        checkAll(true);
    }

    /** Kernels of few words look for groups without a branch; sketches are not for that. */
    @Test
    void aloneTheyAreInNoOthersGroup() {
        long base = Long.getLong("weir.seed", 1);
        for (int i = 0; i < 60; i++) {
            try (NativeAllocator allocator = new NativeAllocator(1L << 30)) {
                checkAlone(base + i, allocator);
            } catch (Throwable failure) {
                throw new AssertionError("seed " + (base + i), failure);
            }
        }
    }

    /** As beside exact aggregates, and without keys, too. */
    @Test
    void windowsOfWhichNoPacketPassesHaveNoRow() {
        long base = Long.getLong("weir.seed", 1);
        int rows = 0;
        for (int i = 0; i < 60; i++) {
            try (NativeAllocator allocator = new NativeAllocator(1L << 30)) {
                rows += checkFew(base + i, allocator);
            } catch (Throwable failure) {
                throw new AssertionError("seed " + (base + i), failure);
            }
        }
        assertTrue(rows > 0);
    }

    private static int checkFew(long seed, NativeAllocator allocator) {
        Random random = new Random(seed);
        List<GpvLayout> full =
                GpvLayout.all().stream().filter(l -> l.name().equals("full")).toList();
        Optional<Expr> few = Optional.of(Functions.call("<", BYTES, Expr.Literal.of(2L)));
        Optional<Window> window = Optional.of(Window.tumble(50_000_000L));
        List<String> keys = random.nextBoolean() ? List.of() : List.of("dst_addr");
        List<Sent> stream = RandomPackets.stream(random, "full", 40, false, Shape.small(random));
        Expr hash = SketchFolds.hashOf(List.of(column("src_addr")));
        FoldCall[][] calls = {{count("n")}, {count("n"), call("ad", SketchFolds.distinct(), hash)}};
        List<List<Object>> both = new ArrayList<>();
        for (FoldCall[] folds : calls) {
            Query query = TestQueries.groups(full.get(0), few, window, keys, folds);
            CompiledQuery compiled = KernelCompiler.compile(query, full);
            Random same = new Random(seed);
            KernelRun run = new KernelRun(compiled, allocator, same, RowContext.WHOLE);
            List<Object> rows = new ArrayList<>();
            for (Output output :
                    run.run(stream, new ActiveInterval(), 1 + same.nextInt(3), false)) {
                output.rows().forEach(row -> rows.add(row.subList(0, keys.size() + 1)));
            }
            both.add(rows);
        }
        assertEquals(both.get(0), both.get(1));
        return both.get(0).size();
    }

    private static void checkAlone(long seed, NativeAllocator allocator) {
        Random random = new Random(seed);
        List<GpvLayout> full =
                GpvLayout.all().stream().filter(l -> l.name().equals("full")).toList();
        Optional<Window> window = Optional.of(new Window(900_000_000L, 300_000_000L));
        List<String> keys = List.of("proto", "bytes");
        List<Sent> stream =
                RandomPackets.stream(
                        random, "full", 300, false, new Shape(64, 2_000, 6, 20_000_000L));
        Expr src = column("src_addr");
        FoldCall[] calls = {
            distinct("d", src), call("ad", SketchFolds.distinct(), SketchFolds.hashOf(List.of(src)))
        };
        List<List<Output>> both = new ArrayList<>();
        for (FoldCall call : calls) {
            Query query = TestQueries.groups(full.get(0), Optional.empty(), window, keys, call);
            CompiledQuery compiled = KernelCompiler.compile(query, full);
            Random same = new Random(seed);
            KernelRun run = new KernelRun(compiled, allocator, same, RowContext.WHOLE);
            both.add(run.run(stream, new ActiveInterval(), 1 + same.nextInt(3), false));
        }
        assertEquals(both.get(0).toString(), both.get(1).toString());
    }

    private static void checkAll(boolean travels) {
        long base = Long.getLong("weir.seed", 1);
        for (int i = 0; i < 60; i++) {
            try (NativeAllocator allocator = new NativeAllocator(1L << 30)) {
                check(new Random(base + i), allocator, travels);
            } catch (Throwable failure) {
                throw new AssertionError("seed " + (base + i), failure);
            }
        }
    }

    private static void check(Random random, NativeAllocator allocator, boolean travels) {
        String layout = List.of("flow32", "flow64", "full").get(random.nextInt(3));
        List<GpvLayout> layouts =
                GpvLayout.all().stream().filter(l -> l.name().equals(layout)).toList();
        Optional<Window> window =
                List.of(
                                Optional.<Window>empty(),
                                Optional.of(Window.tumble(1_000_000_000L)),
                                Optional.of(new Window(900_000_000L, 300_000_000L)))
                        .get(random.nextInt(3));
        List<String> keys =
                List.of(List.<String>of(), List.of("dst_addr"), List.of("proto", "bytes"))
                        .get(random.nextInt(3));
        Optional<Expr> where =
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(Functions.call("<", BYTES, Expr.Literal.of(4L)));
        Query query = TestQueries.groups(layouts.get(0), where, window, keys, folds());
        CompiledQuery compiled = KernelCompiler.compile(query, layouts);
        for (int s = 0; s < 4; s++) {
            List<Sent> stream =
                    RandomPackets.stream(
                            random, layout, random.nextInt(60), false, Shape.small(random));
            KernelRun run = new KernelRun(compiled, allocator, random, RowContext.WHOLE);
            if (travels) {
                run.over(new Travel(compiled, allocator, random));
            }
            List<Output> outputs =
                    run.run(stream, new ActiveInterval(), 1 + random.nextInt(3), false);
            for (Output output : outputs) {
                output.rows().forEach(row -> compare(row.subList(keys.size(), row.size())));
            }
            if (!stream.isEmpty() && where.isEmpty()) {
                assertTrue(!outputs.isEmpty());
            }
        }
    }

    private static FoldCall[] folds() {
        Expr src = column("src_addr");
        Expr proto = column("proto");
        Expr hash = SketchFolds.hashOf(List.of(src));
        Expr hashes = SketchFolds.hashOf(List.of(src, BYTES));
        Expr real = Functions.call("to_double", BYTES);
        Expr condition = Functions.call("=", proto, Expr.Literal.of(2L));
        FoldCall[] folds = {
            distinct("d", src),
            call("ad", SketchFolds.distinct(), hash),
            distinct("d2", src, BYTES),
            call("ad2", SketchFolds.distinct(), hashes),
            call("least", Folds.min(Kind.DOUBLE), real),
            call("q0", SketchFolds.quantile(0), real),
            call("most", Folds.max(Kind.DOUBLE), real),
            call("q1", SketchFolds.quantile(1), real),
            count("n"),
            call("n1", SketchFolds.topCount(Kind.BIGINT, 1), Expr.Literal.of(5L)),
            call("five", SketchFolds.top(Kind.BIGINT, 1), Expr.Literal.of(5L)),
            filtered("f", Folds.count(Kind.INET), src, condition, true),
            filtered("af", SketchFolds.distinct(), hash, condition, false),
            call("first", SketchFolds.top(Kind.INET, 1), src),
            call("firstCount", SketchFolds.topCount(Kind.INET, 1), src),
            call("second", SketchFolds.top(Kind.INET, 2), src)
        };
        return folds;
    }

    private static FoldCall filtered(
            String name, io.weir.operators.graph.Fold fold, Expr x, Expr when, boolean distinct) {
        return new FoldCall(name, fold, List.of(x), distinct, Optional.of(when));
    }

    private static void compare(List<Object> row) {
        assertEquals(row.get(0), row.get(1), row::toString);
        assertEquals(row.get(2), row.get(3), row::toString);
        assertEquals(row.get(4), row.get(5), row::toString);
        assertEquals(row.get(6), row.get(7), row::toString);
        long packets = (Long) row.get(8);
        assertEquals(packets == 0 ? null : (Object) packets, row.get(9), row::toString);
        assertEquals(packets == 0 ? null : (Object) 5L, row.get(10), row::toString);
        assertEquals(row.get(11), row.get(12), row::toString);
        long sources = (Long) row.get(0);
        assertEquals(sources > 0, row.get(13) != null, row::toString);
        assertEquals(sources > 1, row.get(15) != null, row::toString);
        if (sources == 1) {
            assertEquals(packets, row.get(14), row::toString);
        }
    }

    /** A group without room for its sketch has no result, and what it lost is counted. */
    @Test
    void withoutRoomTheResultIsNullAndCounted() {
        GpvLayout layout = GpvLayout.FLOW32_V4;
        Query query =
                TestQueries.groups(
                        layout,
                        Optional.empty(),
                        Optional.empty(),
                        List.of("src_addr"),
                        call(
                                "ad",
                                SketchFolds.distinct(),
                                SketchFolds.hashOf(List.of(column("dst_addr")))));
        CompiledQuery compiled = KernelCompiler.compile(query, List.of(layout));
        Random random = new Random(7);
        List<Sent> stream = new ArrayList<>();
        while (stream.size() < 200) {
            RandomPackets.stream(random, "flow32", 50, false, new Shape(64, 5, 6, 1000)).stream()
                    .filter(sent -> sent.gpv().layout().family() == 4)
                    .forEach(stream::add);
        }
        long[] lost = new long[1];
        List<List<Object>> rows = new ArrayList<>();
        try (NativeAllocator allocator = new NativeAllocator(1L << 24)) {
            QueryState state =
                    compiled.newState(allocator, new ActiveInterval(), new StateOptions(8_000, 0));
            for (Sent sent : stream) {
                KernelRun.send(allocator, state, List.of(sent));
            }
            state.finish();
            state.eachWindow(
                    window -> {
                        lost[0] = window.groups().refusals();
                        try (Partial partial = window.groups();
                                var batch =
                                        compiled.finish(
                                                partial,
                                                window.startNs(),
                                                window.endNs(),
                                                RowContext.WHOLE,
                                                allocator)) {
                            rows.addAll(KernelRun.boxed(batch));
                        }
                    });
            state.close();
        }
        long unknown = rows.stream().filter(row -> row.get(1) == null).count();
        assertTrue(unknown > 0 && unknown < rows.size(), rows.size() + " rows, " + unknown);
        assertTrue(lost[0] >= unknown, "lost " + lost[0]);
    }
}
