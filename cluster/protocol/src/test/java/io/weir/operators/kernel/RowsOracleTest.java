package io.weir.operators.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Expr.Literal;
import io.weir.operators.graph.Expr.Variable;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Operator.Scan;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Symbols;
import io.weir.operators.graph.Type;
import io.weir.operators.interpret.Evaluator;
import io.weir.operators.interpret.Interpreter;
import io.weir.operators.interpret.Interpreter.Event;
import io.weir.operators.interpret.Interpreter.Output;
import io.weir.operators.memory.Memory;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.rows.RowLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random queries over another query's rows, NULLs among them; and conditions over rows. */
class RowsOracleTest {
    private static final int QUERIES = Integer.getInteger("weir.test.queries", 600);
    private static final int STREAMS = 4;

    private static final List<Variable> COLUMNS =
            List.of(
                    Variable.column("host", Type.INET.orNull()),
                    Variable.column("peer", Type.INET),
                    Variable.column("count", Type.BIGINT),
                    Variable.column("mean", Type.DOUBLE.orNull()),
                    Variable.column("best", Type.BIGINT.orNull()),
                    Variable.column("loud", Type.BOOLEAN.orNull()),
                    Variable.column("node", Type.VARCHAR),
                    Variable.column("window_end", Type.TIMESTAMP));

    private static final RowLayout LAYOUT = new RowLayout(COLUMNS);

    @Test
    void kernelsOverRowsSayWhatTheInterpreterSays() {
        long base = Long.getLong("weir.seed", 1);
        for (int i = 0; i < QUERIES; i++) {
            long seed = base + i;
            try (NativeAllocator allocator = new NativeAllocator(1L << 30)) {
                checkQuery(new Random(seed), allocator);
            } catch (Throwable failure) {
                throw new AssertionError("-Dweir.seed=" + seed, failure);
            }
        }
    }

    private static void checkQuery(Random random, NativeAllocator allocator) {
        Scan scan = new Scan(StreamType.ofQuery("upstream"), COLUMNS, "window_end");
        Query query = new RandomQueries(random, scan).next();
        CompiledQuery compiled = KernelCompiler.compile(query, List.of());
        for (int s = 0; s < STREAMS; s++) {
            List<Event> events = events(random, random.nextInt(60));
            ActiveInterval gate = new ActiveInterval();
            KernelRun run = new KernelRun(compiled, allocator, random, RowContext.WHOLE);
            List<QueryState> states = new ArrayList<>();
            for (int p = random.nextInt(2); p >= 0; p--) {
                states.add(compiled.newState(allocator, gate, StateOptions.DEFAULT));
            }
            for (int at = 0; at < events.size(); ) {
                int end = Math.min(events.size(), at + 1 + random.nextInt(9));
                try (RowBatch batch = batch(events.subList(at, end), allocator)) {
                    states.get(random.nextInt(states.size())).rows(batch);
                }
                at = end;
                if (at < events.size()) {
                    long watermark = (Long) events.get(at).row().get("window_end");
                    states.forEach(state -> run.advance(state, watermark));
                }
            }
            states.forEach(run::end);
            states.forEach(QueryState::close);
            List<Output> expected = new Interpreter(query).run(events);
            String source = compiled.source(LAYOUT);
            assertEquals(
                    KernelOracleTest.text(expected),
                    KernelOracleTest.text(run.finish()),
                    () -> query.root() + "\n" + source);
        }
    }

    @Test
    void conditionsOverRowsAreTrueWhereTheInterpreterSaysTrue() {
        long seed = Long.getLong("weir.seed", 1);
        Random random = new Random(seed);
        Scan scan = new Scan(StreamType.ofQuery("upstream"), COLUMNS, "window_end");
        List<Named> all = COLUMNS.stream().map(c -> new Named(c.name(), c)).toList();
        Query query = new Query("q", new Project(scan, all), Optional.empty(), "");
        CompiledQuery compiled = KernelCompiler.compile(query, List.of());
        try (NativeAllocator allocator = new NativeAllocator(1L << 20)) {
            List<Event> events = events(random, 50);
            try (RowBatch batch = batch(events, allocator)) {
                for (int i = 0; i < 100; i++) {
                    Expr condition = new RandomExprs(random, COLUMNS).condition(3);
                    RowPredicate predicate = new RowCondition(condition, compiled.rowLayout());
                    for (int r = 0; r < events.size(); r++) {
                        Map<String, Object> row = events.get(r).row();
                        assertEquals(
                                Evaluator.isTrue(condition, v -> row.get(v.name())),
                                predicate.test(batch, r),
                                () -> "-Dweir.seed=" + seed + " " + condition + row);
                    }
                }
            }
        }
    }

    private static List<Event> events(Random random, int count) {
        RandomExprs values = new RandomExprs(random, List.of());
        List<Event> events = new ArrayList<>();
        long now = RandomPackets.START_NS;
        for (int i = 0; i < count; i++) {
            Map<String, Object> row = new HashMap<>();
            for (Variable column : COLUMNS) {
                Literal literal = values.literal(column.type().kind());
                while (literal.value() == null && !column.type().nullable()) {
                    literal = values.literal(column.type().kind());
                }
                row.put(column.name(), literal.value());
            }
            now += random.nextLong(400_000_000L);
            row.put("window_end", now);
            events.add(new Event(row, false));
        }
        return events;
    }

    private static RowBatch batch(List<Event> events, NativeAllocator allocator) {
        RowBatch batch = new RowBatch(null, LAYOUT, 0, 0, events.size(), allocator);
        for (int r = 0; r < events.size(); r++) {
            for (int c = 0; c < COLUMNS.size(); c++) {
                write(batch.address(r), c, events.get(r).row().get(COLUMNS.get(c).name()));
            }
        }
        return batch;
    }

    private static void write(long row, int column, Object value) {
        long at = row + LAYOUT.offset(column);
        if (value == null) {
            Memory.putLong(row, Memory.getLong(row) | 1L << column);
        } else if (value instanceof Inet inet) {
            Memory.putLong(at, inet.family());
            Memory.putLong(at + 8, inet.high());
            Memory.putLong(at + 16, inet.low());
        } else if (value instanceof Double real) {
            Memory.putDouble(at, real);
        } else if (value instanceof Boolean truth) {
            Memory.putLong(at, truth ? 1 : 0);
        } else {
            Memory.putLong(at, value instanceof String text ? Symbols.id(text) : (Long) value);
        }
    }
}
