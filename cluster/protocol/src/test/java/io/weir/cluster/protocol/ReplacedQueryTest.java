package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.TinyEngine;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.Receivers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * A worker has no memory for the last windows of a version of a query that another has replaced:
 * they say what they lack, and its successor goes on.
 */
final class ReplacedQueryTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final long BYTES = 128L << 20;

    private final List<MergeMessage> messages = new ArrayList<>();
    private TinyEngine tiny;
    private LocalEngine engine;
    private PartialSender sender;

    private static CompiledQuery bounded(long bytes) {
        Query free = TinySource.perSource().query();
        Budget budget = new Budget(bytes, Budget.Overflow.FAIL);
        return KernelCompiler.compile(
                new Query("q", free.root(), Optional.empty(), "", Optional.of(budget)),
                List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    private void start(int pipelines, CompiledQuery first) {
        tiny =
                new TinyEngine(
                        EngineOptions.DEFAULT.withShape(1, pipelines).withMemory(BYTES, 8L << 20));
        engine = tiny.engine;
        sender = sender(engine::packets);
        engine.addPassListener(sender::passed);
        engine.add(first, sender.exporter(first, 1), false);
        engine.start();
    }

    private PartialSender sender(LongSupplier ran) {
        return new PartialSender(
                new WorkerEpoch("a", "1"),
                1,
                9000,
                (shard, message) -> messages.add(message),
                Optional.empty(),
                ran);
    }

    private void replace() {
        CompiledQuery next = TinySource.perSource("q", 5 * SECOND_NS);
        engine.replace(next, sender.exporter(next, 2), false);
    }

    /** By version and second: packets that were processed, and lost. */
    private Map<String, List<Long>> told() {
        Map<String, List<Long>> told = new TreeMap<>();
        for (MergeMessage message : messages) {
            if (message instanceof MergeMessage.WindowEnd end) {
                MergeMessage.Window window = end.window();
                String of = end.activation().version() + ": " + window.endNs() / SECOND_NS;
                told.put(of, List.of(window.processed(), window.losses().lost()));
            }
        }
        return told;
    }

    private boolean hasEnded(long version) {
        return messages.stream()
                .anyMatch(
                        p ->
                                p instanceof MergeMessage.Ended e
                                        && e.activation().version() == version);
    }

    @Test
    void itsLastWindowsAreToldAsLost() {
        start(2, TinySource.perSource());
        tiny.write(10, 0 * SECOND_NS);
        tiny.pass(1 * SECOND_NS);
        tiny.write(12_000, 1 * SECOND_NS);
        tiny.pass(1_500_000_000L);
        replace();
        tiny.pass(1_600_000_000L);
        tiny.pass(1_700_000_000L);
        tiny.passWithoutMemory(2 * SECOND_NS);
        tiny.write(30, 2 * SECOND_NS);
        tiny.pass(5 * SECOND_NS);
        engine.drop("q"); // its successor is there
        tiny.end();
        assertEquals(List.of("q lost 12000 OUT_OF_NATIVE_MEMORY"), tiny.told);
        assertEquals(
                List.of(12_000L),
                tiny.account.snapshot().stream()
                        .filter(stage -> stage.stage().equals("replaced:q"))
                        .map(stage -> stage.lost().get("no_memory"))
                        .toList());
        assertEquals(List.of(10L, 0L), told().get("1: 1"));
        assertEquals(List.of(0L, 12_000L), told().get("1: 2"));
        assertEquals(List.of(30L, 0L), told().get("2: 5"));
        assertTrue(hasEnded(1));
    }

    /** The engine hears that it has outgrown its budget when it has another version already. */
    @Test
    void whatWasOpenOfItIsToldOnce() {
        CompiledQuery first = bounded(1 << 17);
        long[] ran = {10};
        PartialSender alone = sender(() -> ran[0]);
        PartialExporter old = alone.exporter(first, 1);
        alone.passed(SECOND_NS);
        alone.exporter(first, 2);
        ran[0] = 50;
        old.failed(
                List.of(
                        new PartialExporter.Departing(
                                first,
                                Long.MIN_VALUE,
                                Long.MAX_VALUE,
                                RowContext.ALWAYS,
                                Receivers.ALL)));
        ran[0] = 90;
        alone.passed(2 * SECOND_NS);
        alone.passed(3 * SECOND_NS);
        assertEquals(Map.of("1: 2", List.of(0L, 40L)), told());
        assertTrue(messages.stream().anyMatch(MergeMessage.Ended.class::isInstance));
    }

    /** As a worker does that has no memory for it: the version before ends all the same. */
    @Test
    void whatComesAfterARefusedOneIsTold() {
        for (int pipelines = 1; pipelines <= 2; pipelines++) {
            messages.clear();
            start(pipelines, TinySource.perSource());
            tiny.write(10, 0 * SECOND_NS);
            tiny.pass(1 * SECOND_NS);
            tiny.write(20, 1 * SECOND_NS);
            tiny.pass(1_500_000_000L);
            NativeAllocator allocator = engine.allocator();
            NativeAllocator others = allocator.reserve(BYTES - allocator.usedBytes());
            assertThrows(WeirException.class, this::replace);
            CompiledQuery next = TinySource.perSource("q", 5 * SECOND_NS);
            PartialExporter lacks = sender.exporter(next, 2);
            engine.retire("q");
            engine.beforeResults(() -> lacks.failed(List.of()));
            others.release();
            tiny.pass(1_600_000_000L);
            tiny.pass(1_700_000_000L);
            tiny.write(30, 1_800_000_000L);
            for (int second = 2; second <= 5; second++) {
                tiny.pass(second * SECOND_NS);
            }
            tiny.end();
            assertEquals(List.of(), tiny.told);
            Map<String, List<Long>> told = told();
            assertEquals(List.of(10L, 0L), told.remove("1: 1"));
            assertEquals(List.of(20L, 0L), told.remove("1: 2"));
            assertTrue(told.containsKey("2: 5"), told.toString());
            assertEquals(0, told.values().stream().mapToLong(w -> w.get(0)).sum());
            assertEquals(30, told.values().stream().mapToLong(w -> w.get(1)).sum());
            assertTrue(hasEnded(1));
        }
    }
}
