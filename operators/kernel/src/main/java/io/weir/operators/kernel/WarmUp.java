package io.weir.operators.kernel;

import io.weir.operators.function.TableFunctions;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.sketch.Sketches;
import io.weir.operators.time.Clock;
import io.weir.operators.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a query's kernels over made-up packets in a separate state until HotSpot has compiled them.
 * So no packet waits for a cold kernel. It takes 0.1 s and more, and one core, outside the packet
 * path. A class that a similar query has warmed up is not run again. Any thread; one at a time.
 */
public final class WarmUp {
    /** The longest wait for a busy compiler. */
    private static final Duration LONGEST = Duration.ofSeconds(15);

    /** Rounds after which HotSpot has queued the kernels for its best compiler. */
    private static final int FIRST_ROUNDS = 4;

    /**
     * Rounds after which HotSpot has queued rarely called methods for its quick compiler, which is
     * enough.
     */
    private static final int ROUNDS_AT_RARE = 2;

    private static final int LAST_LOOKS = 10;

    private static final long BETWEEN_LOOKS_NS = TimeUnit.MILLISECONDS.toNanos(8);
    private static final long SCRATCH_BYTES = 64L << 20;
    private static final long STATE_BYTES = 8L << 20;
    private static final long LITTLE_BYTES = 8L << 10;

    /** A larger table no longer fits a cache, and kernels treat it differently. */
    private static final long LARGE_TABLE_BYTES = 512 << 10;

    /** GPVs of each pane that see small tables. A pane that opens has small tables again. */
    private static final int GPVS_A_GROWTH = 256;

    private static final long START_NS = 1_700_000_000_000_000_000L;
    private static final int PANES_A_PASS = 3;

    private static final Set<Class<?>> WARM =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final CompiledQuery code;
    private final long tickNs;
    private final NativeAllocator allocator = new NativeAllocator(SCRATCH_BYTES);
    private final List<SyntheticGpvs> gpvs = new ArrayList<>();
    private final ActiveInterval gate;
    private final long stepNs;
    private final List<Kernel> kernels = new ArrayList<>();
    private long timeNs = START_NS;
    private int rounds;

    private WarmUp(CompiledQuery code, long tickNs, Set<Class<?>> cold) {
        this.code = code;
        this.tickNs = tickNs;
        long paneNs =
                code.plan()
                        .aggregate()
                        .flatMap(Operator.Aggregate::window)
                        .map(window -> window.paneNs())
                        .orElse(tickNs > 0 ? tickNs : TimeUnit.SECONDS.toNanos(1));
        stepNs = Math.max(1, PANES_A_PASS * paneNs / SyntheticGpvs.COUNT);
        Map<String, List<Object>> literals = literals();
        gate =
                new ActiveInterval(
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        SyntheticBindings.of(code.query(), literals));
        List<Kernel> all = code.kernels(tickNs);
        List<GpvLayout> layouts = code.layouts();
        for (int k = 0; k < all.size(); k++) {
            if (cold.contains(all.get(k).getClass())) {
                kernels.add(all.get(k));
                gpvs.add(new SyntheticGpvs(byId(layouts).get(k), literals, stepNs, allocator));
            }
        }
    }

    private static List<GpvLayout> byId(List<GpvLayout> layouts) {
        return layouts.stream().sorted((a, b) -> Integer.compare(a.id(), b.id())).toList();
    }

    /**
     * Returns when the kernels of the query run compiled. If the thread is interrupted it returns
     * soon, and the kernels stay cold.
     *
     * @param tickNs of the state that will run, as in {@link StateOptions}
     */
    public static void run(CompiledQuery code, long tickNs) {
        if (!Jit.compiles()) {
            return;
        }
        Set<Class<?>> cold = new HashSet<>();
        code.kernels(tickNs).forEach(kernel -> cold.add(kernel.getClass()));
        cold.removeAll(WARM);
        if (!cold.isEmpty()) {
            synchronized (WarmUp.class) {
                new WarmUp(code, tickNs, cold).run(cold);
            }
            if (!Thread.currentThread().isInterrupted()) {
                WARM.addAll(cold);
            }
        }
    }

    private void run(Set<Class<?>> cold) {
        try {
            warm(cold);
        } finally {
            gpvs.forEach(SyntheticGpvs::close);
            allocator.close();
        }
    }

    private void warm(Set<Class<?>> cold) {
        Deadline end = Deadline.after(LONGEST, Clock.SYSTEM);
        for (int r = 0; r < firstRounds() && goesOn(end); r++) {
            round();
        }
        boolean warm = false;
        while (!warm && goesOn(end)) {
            awaitCompiled(cold, end);
            // The compiled kernels run once more, with small and with large tables. A case that is
            // new to a compiled kernel makes it cold again. This must happen here and not at a
            // packet.
            round();
            round();
            Jit now = Jit.look(cold);
            warm = cold.stream().allMatch(now::runs);
        }
    }

    private static boolean goesOn(Deadline end) {
        return !end.isOver() && !Thread.currentThread().isInterrupted();
    }

    private void awaitCompiled(Set<Class<?>> cold, Deadline end) {
        int looks = 0;
        Jit now = look(cold);
        while (!isDone(now, looks) && goesOn(end)) {
            looks = cold.stream().allMatch(now::runs) ? looks + 1 : 0;
            // The compiler has its own thread and may need this core. But a method that is not
            // called for long leaves its queue, so the loop goes on.
            LockSupport.parkNanos(BETWEEN_LOOKS_NS);
            round();
            LockSupport.parkNanos(BETWEEN_LOOKS_NS);
            now = look(cold);
        }
    }

    /** Looks at the kernels and at the sketch methods, which are not inlined in kernels. */
    private static Jit look(Set<Class<?>> cold) {
        Set<Class<?>> classes = new HashSet<>(cold);
        classes.add(Sketches.class);
        return Jit.look(classes);
    }

    private int firstRounds() {
        return kernels.stream().allMatch(Kernel::updatesRarely) ? ROUNDS_AT_RARE : FIRST_ROUNDS;
    }

    /**
     * Methods that {@code run} calls are compiled on their own, or inlined. Rarely called methods
     * need not have the best level.
     *
     * @param looksSince number of looks since {@code run} has had the best level
     */
    private boolean isDone(Jit now, int looksSince) {
        return looksSince >= LAST_LOOKS
                || kernels.stream().allMatch(k -> isDone(now, k))
                        && now.isBestWhereCompiled(Sketches.class, "add");
    }

    private static boolean isDone(Jit now, Kernel kernel) {
        Class<?> code = kernel.getClass();
        return kernel.updatesRarely() ? now.isCompiled(code) : now.isBest(code);
    }

    /** Runs over fresh states. One has room, with large tables every other time. One is full. */
    private void round() {
        rounds++;
        for (long bytes : new long[] {STATE_BYTES, LITTLE_BYTES}) {
            StateOptions options = new StateOptions(bytes, tickNs);
            try (QueryState state = code.newState(allocator, gate, options)) {
                pass(state);
                state.finish();
                free(state);
            }
        }
    }

    private void pass(QueryState state) {
        long span = stepNs * SyntheticGpvs.COUNT;
        gate.from(timeNs + span / 8);
        gate.until(timeNs + span / 8 * 7);
        for (SyntheticGpvs some : gpvs) {
            some.times(timeNs);
        }
        boolean isLarge = rounds % 2 == 0;
        int gpv = 0;
        while (gpv < SyntheticGpvs.COUNT) {
            int atOnce = SyntheticGpvs.atOnce(gpv);
            for (SyntheticGpvs some : gpvs) {
                state.segment(some.layout().id(), 0, 0, some.address(gpv), atOnce);
            }
            if (isLarge && (gpv % GPVS_A_GROWTH == 0 || atOnce == SyntheticGpvs.LONG_CALL)) {
                state.enlarge(LARGE_TABLE_BYTES);
            }
            gpv += atOnce;
            if (gpv % 64 == 0) {
                state.advance(timeNs + gpv * stepNs);
                free(state);
            }
        }
        timeNs += span;
    }

    private static void free(QueryState state) {
        state.eachWindow(window -> window.groups().close());
    }

    /** Returns the literals that the query compares with columns, by column. */
    private Map<String, List<Object>> literals() {
        Map<String, List<Object>> found = new HashMap<>();
        code.plan().where().forEach(expr -> gather(expr, found));
        for (Operator.FoldCall call : code.plan().folds()) {
            call.filter().ifPresent(expr -> gather(expr, found));
            call.arguments().forEach(expr -> gather(expr, found));
        }
        return found;
    }

    /** Assumes that each literal of a call is compared with each of its columns. */
    private static void gather(Expr expr, Map<String, List<Object>> into) {
        if (expr instanceof Expr.Call call) {
            Set<String> columns = new HashSet<>();
            List<Object> values = new ArrayList<>();
            parts(call, columns, values);
            columns.forEach(c -> into.computeIfAbsent(c, k -> new ArrayList<>()).addAll(values));
        }
    }

    private static void parts(Expr expr, Set<String> columns, List<Object> values) {
        if (expr instanceof Expr.Variable variable) {
            columns.add(variable.name());
        } else if (expr instanceof Expr.Literal literal
                && literal.value() != null
                && TableFunctions.table(expr).isEmpty()) {
            values.add(literal.value());
        } else if (expr instanceof Expr.Call call) {
            call.arguments().forEach(argument -> parts(argument, columns, values));
        }
    }
}
