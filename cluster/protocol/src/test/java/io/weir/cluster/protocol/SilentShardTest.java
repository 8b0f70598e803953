package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.graph.Expr;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A shard gives up a worker, and has no group of another in that window: it has no row to say so
 * in. What comes of the worker after that its next window tells as lost.
 */
final class SilentShardTest {
    private static final CompiledQuery CODE = TinySource.perSource();
    private static final long TIMEOUT_NS = 100;
    private static final int SHARDS = 2;
    private static final int MANY = 30;

    /** What rows of a window count, and say that is lost. */
    private record Told(long packets, long lost, boolean complete) {}

    private final Map<Long, Told> rows = new TreeMap<>();

    @Test
    void whatNoRowCouldSayTheNextOneTells() {
        NativeAllocator allocator = new NativeAllocator(1L << 28);
        WorkerEpoch few = new WorkerEpoch("a", "1");
        WorkerEpoch many = new WorkerEpoch("b", "1");
        List<List<MergeMessage>> a = TinySource.messages(CODE, few, SHARDS, 9000, 1, MANY, MANY);
        List<List<MergeMessage>> b =
                TinySource.messages(CODE, many, SHARDS, 9000, MANY, MANY, MANY);
        int silent = a.get(0).get(0) instanceof MergeMessage.Block ? 1 : 0;
        try (MergeStage stage =
                MergeStage.first(allocator, new MergeStage.Options(1 << 24, TIMEOUT_NS))) {
            stage.add(CODE, 1, this::told);
            stage.expectFirst(Set.of("a", "b"));
            accept(stage, a.get(silent), 1, 0);
            stage.tick(0);
            stage.tick(TIMEOUT_NS);
            assertEquals(1, stage.counts().timeouts().get());
            accept(stage, b.get(silent), 1, TIMEOUT_NS);
            assertNull(rows.get(1L), "no group of a is in shard " + silent);
            accept(stage, a.get(silent), 2, TIMEOUT_NS);
            accept(stage, b.get(silent), 2, TIMEOUT_NS);
            accept(stage, a.get(silent), 3, TIMEOUT_NS);
            accept(stage, b.get(silent), 3, TIMEOUT_NS);
        }
        assertEquals(MANY, rows.get(2L).lost());
        assertTrue(!rows.get(2L).complete() && rows.get(3L).complete(), rows.toString());
        assertEquals(0, rows.get(3L).lost());
        assertEquals(0, allocator.usedBytes());
        allocator.close();
    }

    /** Gives what is left up to the end of a second. */
    private static void accept(
            MergeStage stage, List<MergeMessage> messages, int second, long nowNs) {
        while (!messages.isEmpty()) {
            MergeMessage next = messages.remove(0);
            stage.accept(next, nowNs);
            if (next instanceof MergeMessage.Passed passed
                    && passed.watermarkNs() >= second * TinySource.SECOND_NS) {
                return;
            }
        }
    }

    private void told(RowBatch batch) {
        List<String> names = batch.query().columns().stream().map(Expr.Variable::name).toList();
        long packets = 0;
        long lost = 0;
        for (int row = 0; row < batch.rows(); row++) {
            packets += (Long) batch.value(row, names.indexOf("n"));
            lost = (Long) batch.value(row, names.indexOf("packets_lost"));
        }
        rows.put(
                batch.windowEndNs() / TinySource.SECOND_NS,
                new Told(packets, lost, batch.completeness() == 1));
    }
}
