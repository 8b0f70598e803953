package io.weir.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.PacketColumns;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Expr;
import io.weir.operators.graph.Folds;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Aggregate;
import io.weir.operators.graph.Operator.FoldCall;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Project;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.StreamType;
import io.weir.operators.graph.Window;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.memory.NativeAllocator;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A merge that is started anew at any message, again and again, of running totals and of windows:
 * the rows of one that never was.
 */
final class KeptTotalsTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int SECONDS = 30;
    private static final List<String> WORKERS = List.of("a", "b");
    private static final MergeStage.Options OPTIONS = new MergeStage.Options(1 << 26, 1_000_000);
    private static final CompiledQuery TOTALS = compiled(Optional.empty());
    private static final CompiledQuery WINDOWS = compiled(Optional.of(Window.tumble(SECOND_NS)));

    private final long seed = Long.getLong("weir.seed", 7);
    private final NativeAllocator allocator = new NativeAllocator(1L << 30);
    private final List<String> rows = new ArrayList<>();
    private CompiledQuery code;

    /**
     * SELECT src_addr, COUNT(*), COUNT(DISTINCT dst_port) … GROUP BY src_addr, with a window or
     * not.
     */
    private static CompiledQuery compiled(Optional<Window> window) {
        List<Expr.Variable> columns =
                PacketColumns.all().stream().map(PacketColumns.PacketColumn::variable).toList();
        Operator.Scan scan = new Operator.Scan(StreamType.PACKETS, columns, "ts");
        Expr.Variable src = PacketColumns.find("src_addr").orElseThrow().variable();
        Expr.Variable port = PacketColumns.find("dst_port").orElseThrow().variable();
        FoldCall count = new FoldCall("n", Folds.count(), List.of(), false, Optional.empty());
        FoldCall ports =
                new FoldCall("ports", Folds.count(), List.of(port), true, Optional.empty());
        Aggregate groups =
                new Aggregate(
                        scan,
                        window,
                        List.of(new Named("src_addr", src)),
                        List.of(count, ports),
                        Set.of());
        List<Named> outputs = new ArrayList<>();
        for (Expr.Variable column : groups.columns()) {
            if (List.of("src_addr", "n", "ports").contains(column.name())) {
                outputs.add(new Named(column.name(), column));
            }
        }
        Query query = new Query("q", new Project(groups, outputs), Optional.empty(), "");
        return KernelCompiler.compile(query, List.of(GpvLayout.FULL_V4, GpvLayout.FULL_V6));
    }

    private void rows(RowBatch batch) {
        for (int r = 0; r < batch.rows(); r++) {
            rows.add(
                    batch.windowEndNs()
                            + ": "
                            + batch.value(r, 0)
                            + " "
                            + batch.value(r, 1)
                            + " "
                            + batch.value(r, 2));
        }
    }

    private List<MergeMessage> sent(String worker, Random random, int hosts) {
        return TinySource.live(
                        code,
                        new WorkerEpoch(worker, "1"),
                        1,
                        SECONDS,
                        (second, into) -> {
                            for (int p = random.nextInt(400); p > 0; p--) {
                                new RandomGpv(random, GpvLayout.FULL_V4, 1, second * SECOND_NS)
                                        .with(
                                                "src_addr",
                                                Inet.v4(0x0A000000 + random.nextInt(hosts)))
                                        .with("dst_port", (long) random.nextInt(40))
                                        .writeTo(into, false);
                            }
                        })
                .get(0);
    }

    private MergeStage stage(KeptJournal journal) {
        MergeStage stage = MergeStage.first(allocator, OPTIONS);
        stage.add(code, 1, this::rows);
        stage.expectFirst(Set.copyOf(WORKERS));
        journal.into(stage);
        return stage;
    }

    /**
     * @param restarts one in so many messages; 0: never
     * @return the rows, and how often it was started anew
     */
    private List<String> run(List<List<MergeMessage>> sent, Random random, int restarts) {
        rows.clear();
        KeptJournal journal = new KeptJournal();
        int[] at = new int[sent.size()];
        int left = sent.stream().mapToInt(List::size).sum();
        int anew = 0;
        MergeStage stage = stage(journal);
        for (; left > 0; left--) {
            int worker = random.nextInt(sent.size());
            while (at[worker] == sent.get(worker).size()) {
                worker = (worker + 1) % sent.size();
            }
            stage.accept(sent.get(worker).get(at[worker]++), 0);
            if (restarts > 0 && random.nextInt(restarts) == 0) {
                stage.close();
                stage = stage(journal);
                anew++;
            }
        }
        stage.close();
        assertTrue(restarts == 0 || anew > 5, "started anew " + anew + " times");
        assertEquals(0, stage.counts().unread().get());
        List<String> all = new ArrayList<>(rows);
        all.sort(null);
        return all;
    }

    @Test
    void whatIsKeptGoesOnWhereItWas() {
        Random random = new Random(seed);
        for (int round = 0; round < 6; round++) {
            code = round % 2 == 0 ? TOTALS : WINDOWS;
            int hosts = 1 + random.nextInt(300);
            List<List<MergeMessage>> sent = new ArrayList<>();
            for (String worker : WORKERS) {
                sent.add(sent(worker, random, hosts));
            }
            List<String> whole = run(sent, random, 0);
            assertTrue(whole.size() >= SECONDS / 2, "" + whole.size());
            List<String> pieces = run(sent, random, 3);
            assertEquals(whole, pieces, "-Dweir.seed=" + seed + " round " + round);
        }
        allocator.close();
    }
}
