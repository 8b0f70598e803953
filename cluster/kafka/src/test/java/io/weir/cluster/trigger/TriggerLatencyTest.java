package io.weir.cluster.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.operators.graph.Query;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A row on one worker wakes a query on another; how fast is printed, and not asserted. */
@Timeout(300)
final class TriggerLatencyTest {
    private static final int SAMPLES = Integer.getInteger("weir.samples", 5);

    @TempDir private Path directory;

    @Test
    void aRowWakesAQueryElsewhere() {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        List<Query> queries = node.load(node.frontend().parse(TriggerLatency.SQL)).queries();
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"))) {
            TriggerLatency.Result result =
                    new TriggerLatency(KafkaSettings.of(broker.bootstrap()), queries)
                            .measure(2, SAMPLES);
            assertEquals(SAMPLES, result.sortedNs().size());
            assertTrue(result.ms(50) > 0 && result.ms(50) <= result.ms(99));
            System.out.printf("median %.2f ms, p99 %.2f ms%n", result.ms(50), result.ms(99));
        }
    }
}
