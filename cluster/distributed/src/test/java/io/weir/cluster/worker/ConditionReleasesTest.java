package io.weir.cluster.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.cluster.disk.Patience;
import io.weir.cluster.kafka.Releases;
import io.weir.cluster.kafka.catalog.Definition;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.wire.Activity;
import io.weir.cluster.wire.KeptCondition;
import io.weir.cluster.wire.KeptConditions;
import io.weir.operators.account.Stage;
import io.weir.operators.graph.Query;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What another release has left of conditions: what is known of it goes on, another format and
 * other versions do not.
 */
final class ConditionReleasesTest {
    private static final long FIRST_NS = 1_000;

    @TempDir private Path directory;
    private final Random random = new Random(Long.getLong("weir.seed", 47));

    @Test
    void whatIsKnownGoesOn() throws Exception {
        KeptConditions left = left(7).build();
        assertEquals(List.of(FIRST_NS + 1), resumed(Releases.later(left, random).toByteArray(), 7));
        assertEquals(List.of(), resumed(Releases.ofOtherFormat(left).toByteArray(), 7));
        assertEquals(List.of(), resumed(new byte[] {1, 2, 3}, 7));
    }

    @Test
    void anotherVersionBeginsAnew() throws Exception {
        assertEquals(List.of(), resumed(left(7).build().toByteArray(), 8));
    }

    @Test
    void rowsThatAreReadAgainAreNoneOfBefore() throws Exception {
        byte[] passed = left(7).setPassedNs(FIRST_NS + 1).build().toByteArray();
        assertEquals(List.of(), resumed(passed, 7));
    }

    /** One activation is over by the first packet, the other is not. */
    private static KeptConditions.Builder left(long version) {
        return KeptConditions.newBuilder()
                .setFormat(1)
                .setPassedNs(FIRST_NS)
                .addCondition(
                        KeptCondition.newBuilder()
                                .setQuery("waits")
                                .setVersion(version)
                                .addActive(Activity.newBuilder().setFromNs(1).setUntilNs(FIRST_NS))
                                .addActive(
                                        Activity.newBuilder()
                                                .setFromNs(FIRST_NS - 1)
                                                .setUntilNs(FIRST_NS + 1)));
    }

    private List<Long> resumed(byte[] left, long version) throws Exception {
        Path files = directory.resolve("" + random.nextLong());
        try (Outbox outbox =
                new Outbox(files, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless())) {
            outbox.note("conditions").write(left, -1);
        }
        List<Long> untilNs = new ArrayList<>();
        try (Outbox outbox =
                new Outbox(files, Outbox.LEAST_BYTES, new Stage("rows"), Patience.endless())) {
            Conditions conditions = new Conditions(outbox.note("conditions"));
            conditions.attached(
                    new Definition(waits(), version, 1),
                    false,
                    active -> untilNs.add(active.untilNs()));
            conditions.begin(FIRST_NS, true);
        }
        return untilNs;
    }

    private static Query waits() {
        String count =
                " AS SELECT COUNT(*) AS n FROM packets GROUP BY TUMBLE(ts, INTERVAL '1' DAY)";
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        String text =
                "CREATE QUERY load"
                        + count
                        + "; CREATE QUERY waits"
                        + count
                        + " WHEN load.n > 1 FOR INTERVAL '1' DAY;";
        return node.load(node.frontend().parse(text)).queries().get(1);
    }
}
