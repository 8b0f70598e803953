package io.weir.operators.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Budget;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Operator;
import io.weir.operators.graph.Operator.Named;
import io.weir.operators.graph.Operator.Row;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.StateOptions;
import io.weir.operators.kernel.TopKRewrite;
import io.weir.operators.ring.BlockWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What finds room in a budget does not depend on when the results are done with the windows before:
 * rows are those of a replay that waits for them at each flush.
 */
@Timeout(300)
final class HastyBudgetTest {
    private static final int RUNS = Integer.getInteger("weir.test.hasty", 6);
    private static final int PACKETS = 12_000;

    private static final EngineOptions OPTIONS =
            EngineOptions.DEFAULT
                    .withTime(Graphs.SECOND_NS, Graphs.SECOND_NS)
                    .withMemory(256L << 20, 32L << 20)
                    .withBlocks(4096, 1 << 17);

    @Test
    void rowsAreTheSameHoweverSlowTheResultsAre() {
        long base = Long.getLong("weir.seed", 1);
        int lacking = 0;
        for (long seed = base; seed < base + RUNS; seed++) {
            Random random = new Random(seed);
            EngineOptions options = OPTIONS.withShape(1, 2 + random.nextInt(2));
            List<Query> queries = new ArrayList<>();
            for (int q = 0; q < 4; q++) {
                queries.add(query("q" + q, random, options));
            }
            Replay calm = new Replay(seed, options, queries, true);
            Replay hasty = new Replay(seed, options, queries, false);
            assertEquals(calm.lost, hasty.lost, "-Dweir.seed=" + seed);
            for (Query query : queries) {
                List<List<Object>> rows = hasty.rows.get(query.name());
                assertTrue(calm.rows.get(query.name()).equals(rows), "-Dweir.seed=" + seed);
            }
            lacking += calm.lost > 0 ? 1 : 0;
        }
        assertTrue(lacking > 0 && lacking < RUNS, lacking + " lack groups, -Dweir.seed=" + base);
    }

    private static Query query(String name, Random random, EngineOptions options) {
        String key = random.nextBoolean() ? "src_port" : "src_addr";
        Query plain =
                random.nextInt(4) == 0
                        ? Graphs.counts(name, Graphs.hop(4, 2), null, key)
                        : Graphs.counts(name, Graphs.tumble(1 + random.nextInt(3)), null, key);
        boolean heaviest = random.nextBoolean();
        Operator.Project project = (Operator.Project) plain.root();
        List<Named> outputs = new ArrayList<>(project.outputs());
        outputs.add(new Named("lost", Row.PACKETS_LOST));
        outputs.add(new Named("completeness", Row.COMPLETENESS));
        if (heaviest) {
            outputs.add(new Named("undercount", Row.UNDERCOUNT));
            outputs.add(new Named("left_out_most", Row.LEFT_OUT_MOST));
        }
        Operator root = new Operator.Project(project.input(), outputs);
        Query shown = new Query(name, root, Optional.empty(), "");
        Budget.Overflow overflow = heaviest ? Budget.Overflow.TOPK : Budget.Overflow.EVICT;
        Query asked = heaviest ? TopKRewrite.of(shown, 1 << 20) : shown;
        StateOptions state = new StateOptions(1 << 20, 0, options.delayNs());
        long least = heaviest ? Run.compile(asked).leastStateBytes(state) : 0;
        long bytes = Math.max(least, Budget.LEAST_BYTES) * options.rings();
        Optional<Operator.FoldCall> rank = asked.budget().flatMap(Budget::rank);
        Budget budget = new Budget(bytes + random.nextLong(bytes), overflow, rank);
        return new Query(name, asked.root(), Optional.empty(), "", Optional.of(budget));
    }

    /** One replay: the rows of each query, and the packets that found no room. */
    private static final class Replay {
        final Map<String, List<List<Object>>> rows = new TreeMap<>();
        final long lost;

        Replay(long seed, EngineOptions options, List<Query> queries, boolean waits) {
            Account account = new Account();
            LocalEngine engine = new LocalEngine(options, account);
            try (engine) {
                for (Query query : queries) {
                    List<List<Object>> into = new ArrayList<>();
                    rows.put(query.name(), into);
                    engine.add(
                            Run.compile(query),
                            batch -> {
                                into.addAll(Run.output(batch).rows());
                                if (!waits) {
                                    LockSupport.parkNanos(1_000_000);
                                }
                            });
                }
                engine.start();
                write(engine, new Random(seed), waits);
                engine.awaitEnd();
            }
            engine.allocator().close();
            assertTrue(account.isBalanced(), account.snapshot().toString());
            lost = account.snapshot().stream().mapToLong(stage -> stage.lostInAll()).sum();
        }

        /** Few keys as a rule, and at times a flood of them. */
        private static void write(LocalEngine engine, Random random, boolean waits) {
            List<BlockWriter> writers = engine.writers();
            long ns = 1_700_000_000_000_000_000L;
            int floods = random.nextInt(3);
            for (int i = 0; i < PACKETS; i++) {
                boolean flood = i / 4000 % 3 < floods;
                ns += random.nextInt(flood ? 500_000 : 20_000_000);
                int key = random.nextInt(flood ? 60_000 : 100);
                new RandomGpv(random, GpvLayout.FULL_V4, 1, ns)
                        .with("src_addr", Inet.v4(key + 1))
                        .with("src_port", (long) key)
                        .writeTo(writers.get(random.nextInt(writers.size())), false);
                engine.poll();
                if (random.nextInt(50) == 0) {
                    for (BlockWriter writer : writers) {
                        writer.flush(ns - OPTIONS.latenessNs());
                    }
                    if (waits) {
                        engine.throttle().settle();
                    }
                }
            }
        }
    }
}
