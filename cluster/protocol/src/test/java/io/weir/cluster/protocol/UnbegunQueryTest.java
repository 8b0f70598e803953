package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.TinyEngine;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.when.WhenState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/**
 * One worker has no memory to begin with a query that another counts: the merged windows lack what
 * that worker has, and say so.
 */
final class UnbegunQueryTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final int SECONDS = 14;

    private final long seed = Long.getLong("weir.seed", 21);
    private final Random random = new Random(seed);
    private final NativeAllocator allocator = new NativeAllocator(1L << 28);

    /** By the second that its window is. */
    private final TreeMap<Long, Told> rows = new TreeMap<>();

    private String where = "";

    /** Of a second, in its rows. */
    private static final class Told {
        long packets;
        long lost;
        double completeness;
    }

    private static CompiledQuery code(boolean wakes) {
        Query free = TinySource.perSource().query();
        Budget budget = new Budget(16 << 20, Budget.Overflow.EVICT);
        Expr any = ((Operator.Project) free.root()).outputs().get(0).expr();
        Optional<When> when =
                wakes
                        ? Optional.of(new When("other", any, Optional.empty(), Optional.empty()))
                        : Optional.empty();
        return KernelCompiler.compile(
                new Query("q", free.root(), when, "", Optional.of(budget)),
                List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    /** A worker, its packets of each second, and what it sends. */
    private final class Worker {
        final List<MergeMessage> messages = new ArrayList<>();
        final int[] packets = new int[SECONDS];
        final TinyEngine tiny;
        final LocalEngine engine;
        final PartialSender sender;
        NativeAllocator taken;

        Worker(String name, int rings, boolean exact) {
            Arrays.setAll(packets, s -> 2 + random.nextInt(20));
            tiny =
                    new TinyEngine(
                            EngineOptions.DEFAULT
                                    .withShape(1, rings)
                                    .withMemory(64L << 20, 16L << 20));
            engine = tiny.engine;
            sender =
                    new PartialSender(
                            new WorkerEpoch(name, "1"),
                            1,
                            9000,
                            (shard, message) -> messages.add(message),
                            exact ? Optional.of(new ExactCounts(packets)) : Optional.empty(),
                            engine::packets);
            engine.addPassListener(sender::passed);
        }

        /** Nothing is left for a query. */
        Worker full() {
            taken = engine.allocator().reserve(56L << 20);
            return this;
        }

        /** As a worker does whose engine refuses a query. */
        void refused(CompiledQuery code) {
            PartialExporter exporter = sender.exporter(code, 1);
            assertThrows(WeirException.class, () -> engine.add(code, exporter, false));
            engine.beforeResults(() -> exporter.failed(List.of()));
        }

        /** As a worker does that hears of it. */
        void wake(long fromNs, long untilNs) {
            try {
                engine.report("q", WhenState.Change.wake(fromNs, untilNs));
            } catch (WeirException gone) {
                assertEquals(1, tiny.told.size());
            }
            engine.beforeResults(() -> sender.woken("q", 1, fromNs, untilNs));
        }

        void until(long fromNs, long untilNs) {
            try {
                engine.report("q", WhenState.Change.until(fromNs, untilNs));
            } catch (WeirException gone) {
                assertEquals(1, tiny.told.size());
            }
            engine.beforeResults(() -> sender.woken("q", 1, fromNs, untilNs));
        }

        /**
         * @param then done before each second
         */
        void run(IntConsumer then) {
            engine.start();
            for (int second = 0; second < SECONDS; second++) {
                then.accept(second);
                tiny.write(packets[second], second * SECOND_NS);
                tiny.pass((second + 1) * SECOND_NS);
            }
            if (taken != null) {
                taken.release();
            }
            tiny.end();
        }
    }

    private void read(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            long second = batch.windowEndNs() / SECOND_NS - 1;
            Told told = rows.computeIfAbsent(second, s -> new Told());
            told.packets += (Long) batch.value(r, 1);
            told.lost = (Long) batch.value(r, 2);
            told.completeness = batch.real(r, 4);
            assertEquals(0L, batch.value(r, 3), where);
        }
    }

    private void merge(CompiledQuery code, Worker a, Worker b) {
        rows.clear();
        try (MergeStage stage = MergeStage.first(allocator, TinyMerge.OPTIONS)) {
            stage.add(code, 1, this::read);
            stage.expectFirst(Set.of("a", "b"));
            a.messages.forEach(message -> stage.accept(message, 0));
            b.messages.forEach(message -> stage.accept(message, 0));
            assertEquals(0, stage.counts().lateWindows().get(), where);
            assertEquals(0, stage.counts().timeouts().get(), where);
        }
    }

    /** The windows of these seconds have what one has, and lack what the other has. */
    private void lacks(int from, int until, Worker has, Worker lacks, boolean exact, int more) {
        long told = 0;
        long lost = 0;
        for (int s = from; s < until; s++) {
            Told second = rows.get((long) s);
            String at = where + ": second " + s;
            assertEquals(has.packets[s], second.packets, at);
            assertTrue(second.lost > 0 && second.completeness < 1, at);
            if (exact) {
                assertEquals(lacks.packets[s], second.lost, at);
            }
            told += second.lost;
            lost += lacks.packets[s];
        }
        // Some may be kept for a window that has not ended: nobody has rows of it here.
        assertTrue(told >= lost - 1 && told <= lost + more, where + ": " + told + " of " + lost);
    }

    @Test
    void oneThatIsRefusedIsTold() {
        for (int rings = 1; rings <= 2; rings++) {
            for (int from = 0; from < 5; from++) {
                refused(rings, from, false);
                refused(rings, from, true);
            }
        }
        allocator.close();
    }

    private void refused(int rings, int from, boolean exact) {
        where = "rings " + rings + ", from " + from + ", exact " + exact + ", -Dweir.seed=" + seed;
        CompiledQuery code = code(false);
        Worker a = new Worker("a", rings, exact);
        a.engine.add(code, a.sender.exporter(code, 1), false);
        a.run(second -> {});
        Worker b = new Worker("b", rings, exact).full();
        int again = from + 1 + random.nextInt(4);
        if (from == 0) {
            b.engine.add(code, b.sender.exporter(code, 1), false);
        }
        b.run(
                second -> {
                    // It is tried again whenever some other query comes or goes.
                    if (second > 0 && (second == from || second == again)) {
                        b.refused(code);
                    }
                });
        if (from == 0) {
            assertEquals(List.of("q failed OUT_OF_NATIVE_MEMORY"), b.tiny.told);
        }
        merge(code, a, b);
        lacks(from, SECONDS, a, b, exact, 0);
        for (long s = 0; s < from; s++) {
            assertEquals(1.0, rows.get(s).completeness, where); // it was not there yet
        }
    }

    /** There is memory for it later. */
    @Test
    void oneThatIsTriedAgainCounts() {
        for (int rings = 1; rings <= 2; rings++) {
            where = "rings " + rings + ", -Dweir.seed=" + seed;
            CompiledQuery code = code(false);
            Worker a = new Worker("a", rings, false);
            a.engine.add(code, a.sender.exporter(code, 1), false);
            a.run(second -> {});
            Worker b = new Worker("b", rings, false).full();
            b.run(
                    second -> {
                        if (second == 2) {
                            b.refused(code);
                        } else if (second == 6) {
                            b.taken.release();
                            b.taken = null;
                            b.engine.add(code, b.sender.exporter(code, 1), false);
                        }
                    });
            merge(code, a, b);
            lacks(2, 6, a, b, false, 0);
            for (int s = 6; s < SECONDS; s++) {
                assertEquals(a.packets[s] + b.packets[s], rows.get((long) s).packets, where);
                assertEquals(1.0, rows.get((long) s).completeness, where);
            }
        }
        allocator.close();
    }

    /** With and without an end that is known at once; and what begins after it has ended. */
    @Test
    void oneThatIsWokenIsTold() {
        for (int rings = 1; rings <= 2; rings++) {
            for (boolean known : new boolean[] {true, false}) {
                woken(rings, known, false);
                woken(rings, known, true);
            }
        }
        allocator.close();
    }

    private void woken(int rings, boolean known, boolean exact) {
        where = "rings " + rings + ", known " + known + ", exact " + exact + ", seed " + seed;
        CompiledQuery code = code(true);
        Worker a = new Worker("a", rings, exact);
        Worker b = new Worker("b", rings, exact).full();
        for (Worker worker : List.of(a, b)) {
            worker.engine.addWoken(code, worker.sender.exporter(code, 1), false);
            worker.run(second -> wakes(worker, second, known));
        }
        assertEquals(List.of(), a.tiny.told);
        assertEquals(List.of("q failed OUT_OF_NATIVE_MEMORY"), b.tiny.told);
        merge(code, a, b);
        int before = b.packets[1] + b.packets[2] + b.packets[7] + b.packets[8];
        assertEquals(Set.of(4L, 5L, 6L, 10L, 11L), rows.keySet(), where);
        Set<Long> told = new TreeSet<>();
        for (MergeMessage message : b.messages) {
            if (message instanceof MergeMessage.WindowEnd end) {
                told.add(end.window().endNs() / SECOND_NS - 1);
            }
        }
        assertEquals(rows.keySet(), told, where);
        lacks(4, 7, a, b, exact, exact ? 0 : before);
        lacks(10, 12, a, b, exact, exact ? 0 : before);
    }

    /** Awake from second 4 up to 7, and from 10 up to 12. */
    private static void wakes(Worker worker, int second, boolean known) {
        if (second == 2) {
            worker.wake(4 * SECOND_NS, known ? 7 * SECOND_NS : Long.MAX_VALUE);
            worker.wake(4 * SECOND_NS, known ? 7 * SECOND_NS : Long.MAX_VALUE);
        } else if (second == 6) {
            worker.until(4 * SECOND_NS, 7 * SECOND_NS);
        } else if (second == 8) {
            worker.wake(10 * SECOND_NS, known ? 12 * SECOND_NS : Long.MAX_VALUE);
        } else if (second == 10) {
            worker.until(10 * SECOND_NS, 12 * SECOND_NS);
        }
    }
}
