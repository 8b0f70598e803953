package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

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
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.node.WakeListener;
import io.weir.operators.result.PartialExporter;
import io.weir.operators.result.Receivers;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The engine of one worker ends a query for want of memory, and its other queries go on: the merged
 * windows from then on lack what that worker has, and say so.
 */
final class EndedQueryTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final int FLOOD = 20_000;
    private static final int SECONDS = 8;

    private final long seed = Long.getLong("weir.seed", 12);
    private final Random random = new Random(seed);
    private final NativeAllocator allocator = new NativeAllocator(1L << 28);
    private final List<String> ended = new ArrayList<>();

    /** Of a second, in its rows. */
    private static final class Told {
        long packets;
        long lost;
        long missing;
        double completeness;
    }

    private final TreeMap<Long, Told> rows = new TreeMap<>();

    private static CompiledQuery bounded() {
        Query free = TinySource.perSource().query();
        Budget budget = new Budget(1 << 17, Budget.Overflow.FAIL);
        return KernelCompiler.compile(
                new Query("q", free.root(), Optional.empty(), "", Optional.of(budget)),
                List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    /**
     * What a worker sends.
     *
     * @param exact whether it is a slice, which knows how many packets each window has
     * @param packets of each second
     */
    private List<MergeMessage> sent(
            CompiledQuery code, String worker, int rings, boolean exact, int... packets) {
        List<MergeMessage> messages = new ArrayList<>();
        EngineOptions options = EngineOptions.DEFAULT.withShape(1, rings).forLive();
        NativeAllocator memory;
        try (LocalEngine engine = new LocalEngine(options, new Account())) {
            PartialSender sender =
                    new PartialSender(
                            new WorkerEpoch(worker, "1"),
                            1,
                            9000,
                            (shard, message) -> messages.add(message),
                            exact ? Optional.of(new ExactCounts(packets)) : Optional.empty(),
                            engine::packets);
            engine.addListener(new Ends());
            engine.add(code, sender.exporter(code, 1), false);
            engine.addPassListener(sender::passed);
            engine.start();
            for (int second = 0; second < packets.length; second++) {
                for (int p = 0; p < packets[second]; p++) {
                    new RandomGpv(new Random(1), GpvLayout.FULL_V4, 1, second * SECOND_NS)
                            .with("src_addr", Inet.v4(0x0A000000 + p))
                            .writeTo(engine.writers().get(p % rings), false);
                    engine.poll();
                }
                long passedNs = (second + 1) * SECOND_NS;
                engine.writers().forEach(writer -> writer.flush(passedNs));
                engine.throttle().settle();
            }
            engine.awaitEnd();
            memory = engine.allocator();
        }
        memory.close();
        return messages;
    }

    private final class Ends implements WakeListener {
        @Override
        public void woken(Query query, long activeFromNs, RowBatch batch, int row) {}

        @Override
        public void failed(Query query, WeirException failure) {
            ended.add(query.name() + " " + failure.code());
        }
    }

    private void read(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            Told told = rows.computeIfAbsent(batch.windowEndNs() / SECOND_NS, s -> new Told());
            told.packets += (Long) batch.value(r, 1);
            told.lost = (Long) batch.value(r, 2);
            told.missing = (Long) batch.value(r, 3);
            told.completeness = batch.real(r, 4);
        }
    }

    private int[] packets() {
        int[] packets = new int[SECONDS];
        Arrays.setAll(packets, s -> 2 + random.nextInt(20));
        return packets;
    }

    @Test
    void windowsFromThenOnSayThatTheyLackIt() {
        for (int rings = 1; rings <= 2; rings++) {
            for (int flood = 0; flood < SECONDS - 1; flood++) {
                round(rings, flood, false);
                round(rings, flood, true);
            }
        }
        assertEquals(0, allocator.usedBytes());
        allocator.close();
    }

    private void round(int rings, int flood, boolean exact) {
        rows.clear();
        ended.clear();
        CompiledQuery code = bounded();
        int[] calm = packets();
        int[] flooded = packets();
        flooded[flood] = FLOOD;
        List<MergeMessage> a = sent(code, "a", rings, exact, calm);
        assertEquals(List.of(), ended);
        List<MergeMessage> b = sent(code, "b", rings, exact, flooded);
        assertEquals(List.of("q BUDGET_EXCEEDED"), ended);
        try (MergeStage stage = MergeStage.first(allocator, TinyMerge.OPTIONS)) {
            stage.add(code, 1, this::read);
            stage.expectFirst(Set.of("a", "b"));
            a.forEach(message -> stage.accept(message, 0));
            b.forEach(message -> stage.accept(message, 0));
            assertEquals(0, stage.counts().lateWindows().get());
            assertEquals(0, stage.counts().timeouts().get());
        }
        check(
                "rings "
                        + rings
                        + ", second "
                        + flood
                        + ", exact "
                        + exact
                        + ", -Dweir.seed="
                        + seed,
                flood,
                exact,
                calm,
                flooded);
    }

    private void check(String about, int flood, boolean exact, int[] calm, int[] flooded) {
        long told = 0;
        for (int s = 0; s < SECONDS; s++) {
            Told second = rows.get(s + 1L);
            String where = about + ": second " + s;
            boolean whole = s < flood;
            assertEquals(calm[s] + (whole ? flooded[s] : 0), second.packets, where);
            assertEquals(whole, second.lost == 0, where);
            assertEquals(0, second.missing, where);
            if (exact) {
                assertEquals(whole ? 0 : flooded[s], second.lost, where);
            }
            assertEquals(
                    (double) second.packets / (second.packets + second.lost),
                    second.completeness,
                    1e-9,
                    where);
            told += second.packets + second.lost;
        }
        long offered = (long) Arrays.stream(calm).sum() + Arrays.stream(flooded).sum();
        // Else one is kept for a window that has not ended: nobody has rows of it here.
        assertEquals(exact ? offered : offered - 1, told, about);
    }

    /** It is dropped, or there again in another version. */
    @Test
    void nothingIsToldOfOneThatIsNoMore() {
        for (boolean again : new boolean[] {false, true}) {
            List<MergeMessage> ends = new ArrayList<>();
            long[] ran = {10};
            PartialSender sender =
                    new PartialSender(
                            new WorkerEpoch("a", "1"),
                            1,
                            9000,
                            (shard, message) -> {
                                if (message instanceof MergeMessage.WindowEnd) {
                                    ends.add(message);
                                }
                            },
                            Optional.empty(),
                            () -> ran[0]++);
            CompiledQuery code = TinySource.perSource();
            PartialExporter.Departing from =
                    new PartialExporter.Departing(
                            code, Long.MIN_VALUE, Long.MAX_VALUE, RowContext.ALWAYS, Receivers.ALL);
            sender.exporter(code, 1).failed(List.of(from));
            sender.passed(SECOND_NS);
            sender.passed(2 * SECOND_NS);
            assertEquals(2, ends.size());
            if (again) {
                assertNotNull(sender.exporter(code, 2));
            } else {
                sender.forget("q");
            }
            sender.passed(3 * SECOND_NS);
            assertEquals(2, ends.size());
        }
        allocator.close();
    }
}
