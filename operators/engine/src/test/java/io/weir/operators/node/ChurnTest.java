package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.account.Stage;
import io.weir.operators.error.WeirException;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.graph.Window;
import io.weir.operators.ring.BlockWriter;
import io.weir.operators.rows.RowBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Queries come, change and go at random between packets, and those that stay have the rows that
 * they have alone.
 */
@Timeout(300)
final class ChurnTest {
    private static final int GPVS = Integer.getInteger("weir.test.churn", 12_000);
    private static final int GPVS_A_SECOND = 1_000;
    private static final long BEGIN_NS = 1_700_000_000L * Graphs.SECOND_NS;
    private static final List<Query> STAYING =
            List.of(
                    Graphs.counts("second", Graphs.tumble(1), null, "src_addr"),
                    Graphs.counts("hops", Graphs.hop(3, 1), null, "dst_addr"),
                    Graphs.counts("pairs", Graphs.tumble(2), null, "src_addr", "dst_addr"),
                    Graphs.counts(
                            "sums",
                            Graphs.rowsOf(
                                    Graphs.counts("second", Graphs.tumble(1), null, "src_addr")),
                            "n",
                            Graphs.tumble(2),
                            null),
                    Graphs.counts(
                            "third",
                            Graphs.rowsOf(
                                    Graphs.counts("hops", Graphs.hop(3, 1), null, "dst_addr")),
                            "total",
                            Graphs.hop(4, 2),
                            null,
                            "dst_addr"));

    /** Rows and packets of each query, by its name. */
    private static final class Seen {
        final Map<String, List<String>> rows = new HashMap<>();
        final Map<String, Long> sums = new HashMap<>();

        synchronized void take(String name, RowBatch batch) {
            int n = batch.layout().indexOf("n");
            for (int row = 0; row < batch.rows(); row++) {
                StringBuilder text = new StringBuilder().append(batch.windowEndNs());
                for (int c = 0; c < batch.layout().columns().size(); c++) {
                    text.append(' ').append(batch.value(row, c));
                }
                rows.computeIfAbsent(name, v -> new ArrayList<>()).add(text.toString());
                sums.merge(name, (Long) batch.value(row, n), Long::sum);
            }
        }
    }

    /** An engine whose packets come of one seed, and its changes of another. */
    private static final class Life {
        private final Account account = new Account();
        private final Seen seen = new Seen();
        private final Random random;
        private final List<String> coming = new ArrayList<>();
        private final LocalEngine engine;
        private int named;

        Life(EngineOptions options, long seed) {
            random = new Random(seed);
            engine = new LocalEngine(options, account);
            STAYING.forEach(this::add);
        }

        private void add(Query query) {
            engine.add(Run.compile(query), batch -> seen.take(query.name(), batch));
        }

        private Query some(String name) {
            String key = List.of("src_addr", "dst_addr", "proto").get(random.nextInt(3));
            Optional<Window> window =
                    random.nextInt(3) == 0
                            ? Graphs.hop(3, 1)
                            : Graphs.tumble(1 + random.nextInt(2));
            return switch (random.nextInt(5)) {
                case 0 ->
                        Graphs.counts(name, window, Graphs.when(STAYING.get(0), 10, 5L, null), key);
                case 1 ->
                        Graphs.counts(name, window, Graphs.when(STAYING.get(1), 9, null, 0.5), key);
                case 2 ->
                        Graphs.counts(
                                name,
                                Graphs.rowsOf(STAYING.get(0)),
                                "total",
                                Graphs.tumble(2),
                                null);
                default -> Graphs.counts(name, window, null, key);
            };
        }

        private void change() {
            int what = random.nextInt(4);
            try {
                if (coming.isEmpty() || what < 2) {
                    String name = "c" + named++;
                    add(some(name));
                    coming.add(name);
                } else if (what == 2) {
                    String name = coming.get(random.nextInt(coming.size()));
                    Query version = some(name);
                    engine.replace(Run.compile(version), batch -> seen.take(name, batch));
                } else {
                    engine.drop(coming.remove(random.nextInt(coming.size())));
                }
            } catch (WeirException refused) {
                assertTrue(refused.code().name().startsWith("INVALID"), refused.getMessage());
            }
        }

        void live(int changes) {
            engine.start();
            Random packets = new Random(5);
            List<BlockWriter> writers = engine.writers();
            for (int g = 0; g < GPVS; g++) {
                long ns = BEGIN_NS + g * Graphs.SECOND_NS / GPVS_A_SECOND;
                int src = packets.nextInt(50);
                RandomGpv gpv =
                        new RandomGpv(packets, GpvLayout.FULL_V4, 1 + packets.nextInt(3), ns)
                                .with("src_addr", Inet.v4(src))
                                .with("dst_addr", Inet.v4(1000 + src % 7));
                gpv.with(GpvLayout.DELTA, new long[gpv.count()]);
                gpv.writeTo(writers.get(src % writers.size()), false);
                if (g % 16 == 0) {
                    writers.forEach(writer -> writer.flush(ns));
                }
                engine.poll();
                if (changes > 0 && g % (GPVS / changes) == 0) {
                    change();
                }
            }
            engine.awaitEnd();
            engine.close();
            engine.allocator().close();
        }
    }

    @Test
    void whatStaysHasTheRowsThatItHasAlone() {
        long seed = Long.getLong("weir.seed", 11);
        for (int pipelines = 1; pipelines <= 3; pipelines++) {
            for (boolean apart : new boolean[] {false, true}) {
                EngineOptions options =
                        EngineOptions.DEFAULT
                                .withShape(1, pipelines)
                                .withTime(0, 0)
                                .withMemory(512L << 20, 64L << 20)
                                .withBlocks(16384, 1 << 18)
                                .withThreads(new ThreadOptions(IdleMode.BACKOFF, List.of(), apart));
                check(options, seed + pipelines);
            }
        }
    }

    private static void check(EngineOptions options, long seed) {
        String what = "weir.seed " + seed + ", " + options;
        Life alone = new Life(options, seed);
        alone.live(0);
        Life churned = new Life(options, seed);
        churned.live(60);
        for (Query query : STAYING) {
            List<String> expected = alone.seen.rows.get(query.name());
            assertEquals(expected, churned.seen.rows.get(query.name()), query.name() + ", " + what);
        }
        int others = churned.seen.rows.size() - STAYING.size();
        assertTrue(others > 10, what + ": rows of " + others + " others only");
        assertTrue(churned.account.isBalanced(), what + churned.account.snapshot());
        for (Stage.Snapshot stage : churned.account.snapshot()) {
            assertTrue(stage.processed() >= 0, what + stage);
        }
    }
}
