package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.ingest.cache.CacheConfig;
import io.weir.operators.account.Account;
import io.weir.operators.gpv.GpvLayout;
import io.weir.operators.gpv.RandomGpv;
import io.weir.operators.graph.Inet;
import io.weir.operators.graph.Query;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import io.weir.operators.node.EngineOptions;
import io.weir.operators.node.LocalEngine;
import io.weir.operators.rows.RowBatch;
import io.weir.operators.when.WhenState;
import io.weir.operators.when.WhenTester;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A condition of a query that runs elsewhere, over rows that are made here, whose query is replaced
 * by one that has the condition's column in another place.
 */
final class WatchedVersionsTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int SECONDS = 12;
    private static final int LEAST = 6;

    private final long seed = Long.getLong("weir.seed", 83);
    private final Random random = new Random(seed);
    private final List<Long> woken = new ArrayList<>();

    private static List<Query> queries(String text) {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        return node.load(node.frontend().parse(text)).queries();
    }

    private static CompiledQuery compiled(Query query) {
        return KernelCompiler.compile(query, CacheConfig.DEFAULT.layouts());
    }

    private final class Listening implements WhenTester.Listener {
        @Override
        public void changed(WhenState.Change change, RowBatch batch, int row) {
            woken.add(change.begins() ? batch.windowEndNs() / SECOND_NS : -1L);
        }
    }

    @Test
    void conditionsReadTheColumnsOfEachVersion() {
        String from = " AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' SECOND), ";
        List<Query> first =
                queries(
                        "CREATE QUERY q AS SELECT src_addr, COUNT(*)"
                                + from
                                + "src_addr; CREATE QUERY waits AS SELECT COUNT(*)"
                                + from
                                + "src_addr WHEN q.n >= "
                                + LEAST
                                + " FOR INTERVAL '1' NANOSECOND;");
        List<Query> second =
                queries(
                        "CREATE QUERY q AS SELECT proto, src_addr, COUNT(*)"
                                + from
                                + "proto, src_addr;");
        int replaced = 1 + random.nextInt(SECONDS - 2);
        List<Long> expected = new ArrayList<>();
        try (LocalEngine engine = new LocalEngine(EngineOptions.DEFAULT, new Account())) {
            engine.add(compiled(first.get(0)), batch -> {});
            engine.watch(first.get(1).when().orElseThrow(), WhenState.latest(), new Listening());
            engine.start();
            for (int s = 0; s < SECONDS; s++) {
                if (s == replaced) {
                    engine.replace(compiled(second.get(0)), batch -> {});
                }
                int packets = 1 + random.nextInt(2 * LEAST);
                for (int p = 0; p < packets; p++) {
                    new RandomGpv(random, GpvLayout.FULL_V4, 1, s * SECOND_NS)
                            .with("src_addr", Inet.v4(0x0A000001))
                            .with("proto", 6L)
                            .writeTo(engine.writers().get(0), false);
                }
                engine.writers().get(0).flush((s + 1) * SECOND_NS);
                engine.poll();
                if (packets >= LEAST) {
                    expected.add(s + 1L);
                }
            }
            engine.awaitEnd();
        }
        assertEquals(expected, woken, "replaced before " + replaced + ", -Dweir.seed=" + seed);
    }
}
