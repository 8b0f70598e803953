package io.weir.operators.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.kernel.RowContext;
import io.weir.operators.memory.MemoryTag;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.WakeListener;
import io.weir.operators.result.Activation;
import io.weir.operators.result.Departure;
import io.weir.operators.result.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A worker has no memory for the last windows of a version of a query that another has replaced:
 * they say what they lack, and its successor goes on.
 */
final class ReplacedQueryTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final long BYTES = 128L << 20;

    private final List<Parcel> parcels = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private int rings;
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
        rings = pipelines;
        EngineOptions options =
                EngineOptions.DEFAULT.withShape(1, rings).withMemory(BYTES, 8L << 20).forLive();
        engine = new LocalEngine(options, new Account());
        sender =
                new PartialSender(
                        new Source("a", "1"),
                        1,
                        9000,
                        (shard, parcel) -> parcels.add(parcel),
                        Optional.empty(),
                        engine::packets);
        engine.addPassListener(sender::passed);
        engine.addListener(
                new WakeListener() {
                    @Override
                    public void woken(Query query, long fromNs, RowBatch batch, int row) {}

                    @Override
                    public void failed(Query query, WeirException failure) {
                        failed.add(query.name() + " " + failure.code());
                    }
                });
        engine.add(first, sender.departure(first, 1, SECOND_NS), false);
        engine.start();
    }

    private void write(int packets, long timeNs) {
        for (int p = 0; p < packets; p++) {
            new RandomGpv(new Random(1), GpvLayout.FULL_V4, 1, timeNs)
                    .with("src_addr", Inet.v4(0x0A000000 + p))
                    .writeTo(engine.writers().get(p % rings), false);
        }
    }

    private void pass(long timeNs) {
        engine.writers().forEach(writer -> writer.flush(timeNs));
        engine.pace().settle();
    }

    private void replace() {
        CompiledQuery next = TinySource.perSource("q", 5 * SECOND_NS);
        engine.replace(next, sender.departure(next, 2, SECOND_NS), false);
    }

    private void end() {
        engine.awaitEnd();
        engine.close();
        engine.allocator().close();
    }

    /** By version and second: packets that were processed, and lost. */
    private Map<String, List<Long>> told() {
        Map<String, List<Long>> told = new TreeMap<>();
        for (Parcel parcel : parcels) {
            if (parcel instanceof Parcel.WindowEnd end) {
                Parcel.Window window = end.window();
                String of = end.activation().version() + ": " + window.endNs() / SECOND_NS;
                told.put(of, List.of(window.processed(), window.losses().lost()));
            }
        }
        return told;
    }

    /** All that is left, in pieces. */
    private List<long[]> all() {
        List<long[]> pieces = new ArrayList<>();
        for (long bytes = BYTES; bytes >= 64; bytes /= 2) {
            long piece = engine.allocator().tryAllocate(bytes, MemoryTag.TEST);
            while (piece != 0) {
                pieces.add(new long[] {piece, bytes});
                piece = engine.allocator().tryAllocate(bytes, MemoryTag.TEST);
            }
        }
        return pieces;
    }

    @Test
    void itsLastWindowsAreToldAsLost() {
        start(2, TinySource.perSource());
        write(10, 0 * SECOND_NS);
        pass(1 * SECOND_NS);
        write(12_000, 1 * SECOND_NS);
        pass(1_500_000_000L);
        replace();
        pass(1_600_000_000L);
        pass(1_700_000_000L);
        List<long[]> pieces = all();
        pass(2 * SECOND_NS);
        pieces.forEach(p -> engine.allocator().free(p[0], p[1], MemoryTag.TEST));
        write(30, 2 * SECOND_NS);
        pass(5 * SECOND_NS);
        engine.drop("q"); // its successor is there
        end();
        assertEquals(List.of(), failed);
        assertEquals(
                List.of(12_000L),
                engine.account().snapshot().stream()
                        .filter(stage -> stage.stage().equals("replaced:q"))
                        .map(stage -> stage.lost().get("no_memory"))
                        .toList());
        assertEquals(List.of(10L, 0L), told().get("1: 1"));
        assertEquals(List.of(0L, 12_000L), told().get("1: 2"));
        assertEquals(List.of(30L, 0L), told().get("2: 5"));
        assertTrue(
                parcels.stream()
                        .anyMatch(
                                p -> p instanceof Parcel.Ended e && e.activation().version() == 1));
    }

    /** The engine hears that it has outgrown its budget when it has another version already. */
    @Test
    void whatWasOpenOfItIsToldOnce() {
        CompiledQuery first = bounded(1 << 17);
        long[] ran = {10};
        PartialSender alone =
                new PartialSender(
                        new Source("a", "1"),
                        1,
                        9000,
                        (shard, parcel) -> parcels.add(parcel),
                        Optional.empty(),
                        () -> ran[0]);
        Departure old = alone.departure(first, 1, SECOND_NS);
        alone.passed(SECOND_NS);
        alone.departure(first, 2, SECOND_NS);
        ran[0] = 50;
        old.failed(
                List.of(
                        new Departure.Departing(
                                first,
                                Long.MIN_VALUE,
                                Long.MAX_VALUE,
                                RowContext.ALWAYS,
                                Activation.Output.ALL)));
        ran[0] = 90;
        alone.passed(2 * SECOND_NS);
        alone.passed(3 * SECOND_NS);
        assertEquals(Map.of("1: 2", List.of(0L, 40L)), told());
        assertTrue(parcels.stream().anyMatch(Parcel.Ended.class::isInstance));
    }
}
