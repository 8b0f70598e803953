package io.weir.cluster.launcher;

import io.weir.cluster.kafka.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.NodeSettings;
import io.weir.cluster.trigger.TriggerLatency;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir trigger-latency}: a measurement, for who works on Weir. */
@Command(
        name = "trigger-latency",
        hidden = true,
        sortOptions = false,
        description = {
            "Measures the time from a row that meets a condition, on one worker, until the woken"
                    + " query has counted a packet on another: over a Kafka of its own, or the one"
                    + " that is named."
        })
final class LatencyCommand implements Callable<Integer> {
    private static final int WARM_UPS = 20;

    private final Streams streams;

    @Mixin private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--samples",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many wakes are measured (default: ${DEFAULT-VALUE}).")
    private int samples;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Mixin
    private HelpOption help = new HelpOption();

    LatencyCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
        if (samples < 1) {
            throw new WeirException(ErrorCode.INVALID_OPTION, "--samples is 1 at least");
        }
        Optional<KafkaSettings> given = kafka.given();
        if (given.isPresent()) {
            measure(given.get());
            return Weir.OK;
        }
        Path directory = Files.createTempDirectory("weir-latency-");
        try (EmbeddedBroker broker = EmbeddedBroker.startAlone(directory.resolve("kafka"))) {
            measure(broker.client());
        } finally {
            Trees.delete(directory);
        }
        return Weir.OK;
    }

    private void measure(KafkaSettings settings) {
        EmbeddedNode node = new EmbeddedNode(NodeSettings.DEFAULT, List.of());
        List<Query> queries = node.load(node.frontend().parse(TriggerLatency.SQL)).queries();
        TriggerLatency.Result result =
                new TriggerLatency(settings, queries).measure(WARM_UPS, samples);
        streams.err()
                .printf(
                        Locale.ROOT,
                        "row to counting elsewhere, %d wakes: median %.2f ms, p99 %.2f ms, most"
                                + " %.2f ms; %d missed%n",
                        result.sortedNs().size(),
                        result.ms(50),
                        result.ms(99),
                        result.ms(100),
                        result.missed());
    }
}
