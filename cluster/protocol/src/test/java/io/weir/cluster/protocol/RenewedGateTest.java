package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.When;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.TinyEngine;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.when.WhenState;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Rows elsewhere renew FOR while a query counts nothing: who merges its windows hears of it before
 * the time at which it was to end, whoever is ahead, and cuts no window there.
 */
final class RenewedGateTest {
    private static final int ROUNDS = 300;
    private static final int SECONDS = 20;
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final CompiledQuery CODE = code();

    private final long seed = Long.getLong("weir.seed", 11);
    private final NativeAllocator allocator = new NativeAllocator(1L << 28);

    /** By the second that a window ends in. */
    private final TreeMap<Long, Long> rows = new TreeMap<>();

    private String where;

    /** Windows of two seconds, so that the gate can end in one. */
    private static CompiledQuery code() {
        Query free = TinySource.perSource("q", 2 * SECOND_NS).query();
        Expr any = ((Operator.Project) free.root()).outputs().get(0).expr();
        When when = new When("other", any, Optional.empty(), Optional.of(SECOND_NS));
        return KernelCompiler.compile(
                new Query("q", free.root(), Optional.of(when), ""),
                List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    private void read(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            rows.merge(batch.windowEndNs() / SECOND_NS, (Long) batch.value(r, 1), Long::sum);
            assertEquals(0L, batch.value(r, 2), where);
        }
    }

    /** What it sends that has these packets in each second, and hears of these ends before it. */
    private static Deque<MergeMessage> sent(String name, int[] packets, int[] until) {
        Deque<MergeMessage> messages = new ArrayDeque<>();
        TinyEngine tiny = new TinyEngine(EngineOptions.DEFAULT);
        PartialSender sender =
                new PartialSender(
                        new WorkerEpoch(name, "1"),
                        1,
                        9000,
                        (shard, message) -> messages.add(message));
        tiny.engine.addPassListener(sender::passed);
        tiny.engine.addWoken(CODE, sender.exporter(CODE, 1), false);
        tiny.engine.report("q", WhenState.Change.wake(0, until[0] * SECOND_NS));
        tiny.engine.start();
        for (int s = 0; s < SECONDS; s++) {
            tiny.engine.report("q", WhenState.Change.until(0, until[s] * SECOND_NS));
            tiny.write(packets[s], s * SECOND_NS);
            tiny.pass((s + 1) * SECOND_NS);
        }
        tiny.end();
        return messages;
    }

    @Test
    void noWindowIsCutWhereItWasToEndBefore() {
        for (int round = 0; round < ROUNDS; round++) {
            where = "-Dweir.seed=" + (seed + round);
            round(new Random(seed + round));
        }
        allocator.close();
    }

    private void round(Random random) {
        int[] until = new int[SECONDS];
        until[0] = 1 + random.nextInt(4);
        for (int s = 1; s < SECONDS; s++) {
            boolean renewed = s < until[s - 1] && random.nextInt(4) > 0;
            until[s] = renewed ? Math.max(until[s - 1], s + 1 + random.nextInt(4)) : until[s - 1];
        }
        int[][] packets = new int[2][SECONDS];
        for (int[] one : packets) {
            Arrays.setAll(one, s -> random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 0);
        }
        TreeMap<Long, Long> expected = new TreeMap<>();
        for (int s = 0; s < until[SECONDS - 1] && s < SECONDS; s++) {
            long both = (long) packets[0][s] + packets[1][s];
            if (both > 0) {
                expected.merge((s / 2 + 1) * 2L, both, Long::sum);
            }
        }
        merge(List.of(sent("a", packets[0], until), sent("b", packets[1], until)), random);
        assertEquals(expected, rows, where);
    }

    private void merge(List<Deque<MergeMessage>> ways, Random random) {
        rows.clear();
        try (MergeStage stage = MergeStage.first(allocator, TinyMerge.OPTIONS)) {
            stage.add(CODE, 1, this::read);
            stage.expectFirst(Set.of("a", "b"));
            while (ways.stream().anyMatch(way -> !way.isEmpty())) {
                Deque<MergeMessage> way = ways.get(random.nextInt(2));
                for (int n = random.nextInt(12); n > 0 && !way.isEmpty(); n--) {
                    stage.accept(way.poll(), 0);
                }
            }
            assertEquals(0, stage.counts().lateWindows().get(), where);
            assertEquals(0, stage.counts().cutWindows().get(), where);
            assertTrue(stage.counts().finalWindows().get() >= rows.size(), where);
        }
    }
}
