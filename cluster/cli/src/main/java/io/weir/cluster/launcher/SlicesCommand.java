package io.weir.cluster.launcher;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.sink.TextOut;
import io.weir.cluster.sink.TextTable;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir slices}: the replays that workers share. */
@Command(
        name = "slices",
        sortOptions = false,
        description = "Lists the replays that workers of a cluster share in slices, or drops one.",
        footer = {"", "Example:", "  weir slices --kafka 127.0.0.1:9092 --drop trace"})
final class SlicesCommand implements Callable<Integer> {
    private static final List<String> HEADINGS =
            List.of("slices", "count", "nodes", "speed", "settles");

    private final StandardStreams streams;

    @Mixin private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--drop",
            paramLabel = "NAME",
            description = "Removes this one. Stop its workers first.")
    private String drop;

    SlicesCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        KafkaSettings settings = kafka.settings();
        try (KafkaCatalog catalog = KafkaCatalog.open(settings, "weir slices")) {
            if (drop != null) {
                catalog.forgetSlices(drop);
            }
            TextTable.print(
                    new TextOut(streams.out()),
                    HEADINGS,
                    catalog.state().slices().values().stream().map(SlicesCommand::row).toList());
        }
        return ExitCode.OK;
    }

    private static List<String> row(SlicedReplay replay) {
        return List.of(
                replay.name(),
                Integer.toString(replay.count()),
                String.join(", ", replay.nodes()),
                Double.toString(replay.speed()),
                replay.settles() ? "yes" : "no");
    }
}
