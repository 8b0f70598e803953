package io.weir.cluster.testbed;

import io.weir.cluster.launcher.ExitCode;
import io.weir.cluster.launcher.StandardStreams;
import io.weir.cluster.launcher.Trees;
import io.weir.cluster.node.Shape;
import io.weir.cluster.scale.ScaleRun;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir cluster scale}: a measurement. */
@Command(
        name = "scale",
        sortOptions = false,
        description = {
            "Measures the growth with workers, queries and groups: merge, catalogue, triggers, bytes in"
                    + " Kafka. In one process, with brokers of its own; every row is checked.",
            "",
            "Takes some minutes; docs/scale.md explains the figures."
        })
final class ScaleCommand implements Callable<Integer> {
    private final StandardStreams streams;

    @Option(
            names = "--pcap",
            required = true,
            paramLabel = "FILE",
            description =
                    "The capture that each worker replays (from a checkout:"
                            + " demo/capture.pcap).")
    private Path capture;

    @Option(
            names = "--brokers",
            defaultValue = "1",
            paramLabel = "N",
            description = "1, or 3, each with a copy of everything (default: ${DEFAULT-VALUE}).")
    private int brokers;

    @Option(
            names = "--workers",
            split = ",",
            defaultValue = "1,2,4,8",
            paramLabel = "N",
            description = "How many workers, in turn (default: ${DEFAULT-VALUE}).")
    private List<Integer> workers = new ArrayList<>();

    @Option(
            names = "--partitions",
            split = ",",
            defaultValue = "1,2",
            paramLabel = "N",
            description =
                    "How many partitions each of them has, in turn (default: ${DEFAULT-VALUE}).")
    private List<Integer> partitions = new ArrayList<>();

    @Option(
            names = "--queries",
            defaultValue = "1000",
            paramLabel = "N",
            description =
                    "Queries of twenty shapes, on four workers; 0: none"
                            + " (default: ${DEFAULT-VALUE}).")
    private int queries;

    @Option(
            names = "--groups",
            defaultValue = "1000000",
            paramLabel = "N",
            description =
                    "Groups of a window that two workers have; 0: none"
                            + " (default: ${DEFAULT-VALUE}).")
    private int groups;

    @Option(
            names = "--samples",
            defaultValue = "40",
            paramLabel = "N",
            description = "Wakes whose latency is measured (default: ${DEFAULT-VALUE}).")
    private int samples;

    @Option(
            names = "--results",
            paramLabel = "FILE",
            description = "The file for the figures, as JSON, if the run succeeds.")
    private Path results;

    ScaleCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Sources.checkReadAgain(SourceSpec.pcap("Node1", capture));
        boolean all = Stream.concat(workers.stream(), partitions.stream()).allMatch(n -> n >= 1);
        if (brokers != 1 && brokers != 3) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "--brokers " + brokers + " cannot be", "1 or 3");
        }
        int most = partitions.stream().mapToInt(n -> n).max().orElse(1);
        if (!all || samples < 1 || queries < 0 || groups < 0 || most > Shape.MAX_PIPELINES) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--workers, --partitions and --samples are 1 at least, --queries and --groups 0;"
                            + " --partitions "
                            + Shape.MAX_PIPELINES
                            + " at most");
        }
        PrintStream out = new PrintStream(streams.out(), true, StandardCharsets.UTF_8);
        Path home = Files.createTempDirectory("weir-scale-");
        ScaleRun run = new ScaleRun(home, capture.toAbsolutePath(), brokers, out);
        try {
            for (int count : workers) {
                for (int each : partitions) {
                    run.workers(count, each, samples);
                }
            }
            if (queries > 0) {
                run.queries(queries, 4);
            }
            if (groups > 0) {
                run.groups(groups, 2);
            }
        } finally {
            Trees.delete(home);
        }
        if (results != null) {
            Files.writeString(results, run.figures().json(about()));
            streams.err().println("written: " + results);
        }
        return ExitCode.OK;
    }

    private static Map<String, String> about() {
        Map<String, String> about = new LinkedHashMap<>();
        about.put("when", Clock.SYSTEM.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        about.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        about.put("java", Runtime.version().toString());
        about.put("heap", (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
        return about;
    }
}
