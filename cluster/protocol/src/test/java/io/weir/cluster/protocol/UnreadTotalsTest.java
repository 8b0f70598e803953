package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Running totals that a process before has kept cannot be read: they begin anew, and what was in
 * them is told as lost.
 */
final class UnreadTotalsTest {
    private static final long SECOND_NS = TinySource.SECOND_NS;
    private static final int SECONDS = 40;
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 26, 1_000_000);

    private final long seed = Long.getLong("weir.seed", 29);
    private final Random random = new Random(seed);
    private final CompiledQuery code = TinySource.totals();
    private final Map<String, Long> totals = new HashMap<>();
    private long lost;
    private long lostEndNs;
    private long offered;

    private void rows(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            totals.put("" + batch.value(r, 0), (Long) batch.value(r, 1));
            if (batch.windowEndNs() != lostEndNs) {
                lost += (Long) batch.value(r, 2);
            }
            lostEndNs = batch.windowEndNs();
        }
    }

    private List<MergeMessage> sent() {
        return TinySource.live(
                        code,
                        new WorkerEpoch("a", "1"),
                        1,
                        SECONDS,
                        (second, into) -> {
                            for (int p = 1 + random.nextInt(40); p > 0; p--) {
                                offered++;
                                new RandomGpv(random, GpvLayout.FULL_V4, 1, second * SECOND_NS)
                                        .with("src_addr", Inet.v4(0x0A000000 + random.nextInt(9)))
                                        .writeTo(into, false);
                            }
                        })
                .get(0);
    }

    /** Each tick passes with its end, whenever the engine has said so. */
    private static List<MergeMessage> passing(List<MergeMessage> messages) {
        List<MergeMessage> all = new ArrayList<>();
        for (MergeMessage message : messages) {
            long next = all.size();
            if (message instanceof MergeMessage.Block b) {
                all.add(
                        new MergeMessage.Block(
                                b.source(), next, b.activation(), b.endNs(), b.bytes()));
            } else if (message instanceof MergeMessage.WindowEnd w) {
                all.add(new MergeMessage.WindowEnd(w.source(), next, w.activation(), w.window()));
                all.add(new MergeMessage.Passed(w.source(), next + 1, w.window().endNs()));
            }
        }
        return all;
    }

    private MergeStage stage(NativeAllocator allocator, KeptJournal journal) {
        MergeStage stage = MergeStage.first(allocator, OPTIONS);
        stage.add(code, 1, this::rows);
        stage.expectFirst(Set.of("a"));
        journal.into(stage);
        return stage;
    }

    @Test
    void whatWasInThemIsToldAsLost() {
        try (NativeAllocator allocator = new NativeAllocator(1L << 28)) {
            List<MergeMessage> messages = passing(sent());
            KeptJournal journal = new KeptJournal();
            MergeStage stage = stage(allocator, journal);
            int at = messages.size() / 2;
            messages.subList(0, at).forEach(message -> stage.accept(message, 0));
            stage.close();
            List<ActivationId> unread = journal.takeTotals();
            assertEquals(1, unread.size());
            totals.clear();
            MergeStage next = stage(allocator, journal);
            next.restoring().restore(new UnreadableRecord.Totals(unread.get(0)));
            messages.subList(at, messages.size()).forEach(message -> next.accept(message, 0));
            next.close();
            long rows = totals.values().stream().mapToLong(Long::longValue).sum();
            String about = rows + " + " + lost + " of " + offered + ", -Dweir.seed=" + seed;
            // The tick with which they begin anew is in both.
            assertTrue(rows < offered && rows + lost >= offered, about);
            assertEquals("totals of q", next.counts().lastUnreadable());
        }
    }
}
