package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Operator.Scan;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.interpret.Interpreter.Event;
import io.weir.operators.interpret.Interpreter.Output;
import io.weir.operators.kernel.RandomPackets.Sent;
import io.weir.operators.kernel.RandomPackets.Shape;
import io.weir.operators.kernel.code.Plan;
import io.weir.operators.memory.NativeAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Random queries over random GPVs: what kernels say is what the interpreter says. */
class KernelOracleTest {
    private static final int QUERIES = Integer.getInteger("weir.test.queries", 2_000);
    private static final int WIDE_QUERIES = Integer.getInteger("weir.test.wide.queries", 200);
    private static final int STREAMS = 3;

    /** Longer than the batches that a kernel may cut a segment into. */
    private static final int LONG_SEGMENT = 300;

    private static final int LARGE = 12_000;

    interface Check {
        void query(Random random, NativeAllocator allocator);
    }

    static void checkAll(int queries, Check check) {
        long base = Long.getLong("weir.seed", 1);
        for (int i = 0; i < queries; i++) {
            long seed = base + i;
            try (NativeAllocator allocator = new NativeAllocator(1L << 30)) {
                check.query(new Random(seed), allocator);
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
    }

    /** Few groups, windows that come and go, late packets, gates, several pipelines. */
    @Test
    void kernelsSayWhatTheInterpreterSays() {
        checkAll(QUERIES, (random, allocator) -> checkQuery(random, allocator, false));
    }

    /** Maps that grow, and segments of hundreds of GPVs. */
    @Test
    void kernelsOverManyGroupsSayWhatTheInterpreterSays() {
        checkAll(WIDE_QUERIES, (random, allocator) -> checkQuery(random, allocator, true));
    }

    private static void checkQuery(Random random, NativeAllocator allocator, boolean wide) {
        checkQuery(random, allocator, wide, false);
    }

    /**
     * @param travels whether partials go through bytes on their way
     */
    static void checkQuery(
            Random random, NativeAllocator allocator, boolean wide, boolean travels) {
        String layout = List.of("flow32", "flow64", "full").get(random.nextInt(3));
        List<GpvLayout> layouts =
                GpvLayout.all().stream().filter(l -> l.name().equals(layout)).toList();
        Scan scan = new Scan(StreamType.PACKETS, RandomPackets.columns(layouts.get(0)), "ts");
        Query query = new RandomQueries(random, scan).next();
        while (wide && query.over().isPresent()) {
            // The interpreter compares each row of a window with all others.
            query = new RandomQueries(random, scan).next();
        }
        checkQuery(random, allocator, query, layouts, wide, travels);
    }

    static void checkQuery(
            Random random,
            NativeAllocator allocator,
            Query query,
            List<GpvLayout> layouts,
            boolean wide,
            boolean travels) {
        String layout = layouts.get(0).name();
        CompiledQuery compiled = KernelCompiler.compile(query, layouts);
        Plan plan = Plan.of(query);
        for (int s = wide ? 1 : STREAMS; s > 0; s--) {
            boolean late = plan.aggregate().isPresent() && random.nextBoolean();
            Shape shape = wide ? Shape.wide(random) : Shape.small(random);
            int gpvs = random.nextInt(wide ? 1_500 : 40);
            List<Sent> stream = RandomPackets.stream(random, layout, gpvs, late, shape);
            Function<Partial, List<Partial>> way =
                    travels ? new Travel(compiled, allocator, random) : List::of;
            check(random, compiled, plan, stream, allocator, wide ? LONG_SEGMENT : 5, way);
        }
    }

    /** One stream of so many GPVs and groups that tables are being split while they are filled. */
    static void checkLarge(
            Random random, NativeAllocator allocator, Query query, List<GpvLayout> layouts) {
        String layout = layouts.get(0).name();
        CompiledQuery compiled = KernelCompiler.compile(query, layouts);
        Shape shape = new Shape(1 << 15, 1 << 8, 1 + random.nextInt(3), 200_000L);
        List<Sent> stream = RandomPackets.stream(random, layout, LARGE, false, shape);
        int longest = 1 << random.nextInt(13);
        check(random, compiled, Plan.of(query), stream, allocator, longest, List::of);
    }

    private static void check(
            Random random,
            CompiledQuery compiled,
            Plan plan,
            List<Sent> stream,
            NativeAllocator allocator,
            int longestSegment,
            Function<Partial, List<Partial>> way) {
        List<Event> events = new ArrayList<>();
        stream.forEach(sent -> events.addAll(sent.events()));
        ActiveInterval gate = plan.hasWhen() ? gate(random) : new ActiveInterval();
        RowContext context =
                new RowContext(
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(5) / 4.0,
                        plan.hasWhen() ? gate.fromNs() : RowContext.ALWAYS,
                        0,
                        random.nextBoolean());
        KernelRun run = new KernelRun(compiled, allocator, random, context, longestSegment);
        run.over(way);
        List<Output> actual = run.run(stream, gate, 1 + random.nextInt(3), !plan.isMergeable());
        List<Output> expected =
                new Interpreter(compiled.query(), context)
                        .run(events, gate.fromNs(), gate.untilNs());
        try {
            assertEquals(text(expected), text(actual));
            checkCounts(run, plan, events, gate);
        } catch (AssertionError wrong) {
            throw new AssertionError(describe(compiled, stream), wrong);
        }
    }

    private static ActiveInterval gate(Random random) {
        long from = RandomPackets.START_NS + random.nextLong(2_000_000_000L);
        return new ActiveInterval(
                from, random.nextBoolean() ? Long.MAX_VALUE : from + 1_500_000_000L);
    }

    private static void checkCounts(
            KernelRun run, Plan plan, List<Event> events, ActiveInterval gate) {
        long late = events.stream().filter(e -> plan.hasWindow() && e.late()).count();
        long inactive =
                events.stream()
                        .filter(e -> !(plan.hasWindow() && e.late()))
                        .mapToLong(e -> (Long) e.row().get("ts"))
                        .filter(ts -> ts < gate.fromNs() || ts >= gate.untilNs())
                        .count();
        long processed = 0;
        for (QueryState state : run.states()) {
            processed += state.packetsProcessed();
            late -= state.packetsLate();
            inactive -= state.packetsInactive();
            assertEquals(0, state.packetsStateFull(), "full");
        }
        assertEquals(0, late, "late");
        assertEquals(0, inactive, "inactive");
        long all =
                run.states().stream().mapToLong(s -> s.packetsLate() + s.packetsInactive()).sum();
        assertEquals(events.size(), processed + all, "processed");
    }

    static String text(List<Output> outputs) {
        StringBuilder text = new StringBuilder();
        for (Output output : outputs) {
            text.append(output.windowStartNs()).append("..").append(output.windowEndNs());
            output.rows().forEach(row -> text.append("\n  ").append(row));
            text.append('\n');
        }
        return text.toString();
    }

    private static String describe(CompiledQuery compiled, List<Sent> stream) {
        StringBuilder text = new StringBuilder(compiled.query().root().toString());
        stream.stream()
                .map(s -> s.gpv().layout())
                .distinct()
                .forEach(layout -> text.append('\n').append(compiled.source(layout)));
        return text.toString();
    }
}
