package io.weir.cluster.testbed;

import io.weir.cluster.faults.Fault;
import io.weir.cluster.faults.FaultRun;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.launcher.DurationConverter;
import io.weir.cluster.launcher.StandardStreams;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir cluster faults}. */
@Command(
        name = "faults",
        sortOptions = false,
        description = {
            "Starts a cluster of processes, does something bad to it, and checks each row against"
                    + " the packets; then the next.",
            "",
            "Says how long it takes until a fault is noticed and rows come again. Ends with an error"
                    + " when a row is there twice, is wrong, or is missing and nobody says so."
        },
        footer = {
            "",
            "Faults: kill-worker, kill-server, kill-leader, all-brokers, freeze-brokers, freeze-worker,",
            "freeze-server, combinations, poison, full-disk, freeze-disk, cut-network, clock-skew,",
            "many-queries, upgrade.",
            "docs/FAULTS.md tells of each."
        })
final class FaultsCommand implements Callable<Integer> {
    private final StandardStreams streams;

    @Option(
            names = "--fault",
            split = ",",
            paramLabel = "NAME",
            description = "Which; several with commas between (default: all, one after another).")
    private List<String> names;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of all that is left to chance (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--soak",
            paramLabel = "MINUTES",
            defaultValue = "0",
            description = "How long to go on with any of them by chance, after each has come.")
    private int soak;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many Kafka brokers there are (default: ${DEFAULT-VALUE}).")
    private int brokers;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "" + KafkaSettings.SHARDS,
            description =
                    "The parts over which the merge's groups are spread (default: ${DEFAULT-VALUE}).")
    private int shards;

    @Option(
            names = "--queries",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many many-queries creates (default: ${DEFAULT-VALUE}).")
    private int queries;

    @Option(
            names = "--away",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = {
                "How long all-brokers keeps the brokers away, and freeze-brokers frozen, as 150s"
                        + " (default: 4 to 9 s, by chance)."
            })
    private Duration away = Duration.ZERO;

    @Option(
            names = "--release",
            paramLabel = "LAUNCHER",
            description = {
                "The launcher of the release that takes over in upgrade, and gives back"
                        + " (default: this release; its processes are replaced all the same)."
            })
    private Path release;

    @Option(
            names = "--pcap",
            required = true,
            paramLabel = "FILE",
            description =
                    "The capture whose busiest seconds are replayed (from a checkout:"
                            + " demo/capture.pcap).")
    private Path capture;

    @Mixin private ProcessHome home = new ProcessHome();

    FaultsCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws Exception {
        KafkaSettings.checkShards(shards);
        if (brokers < 1 || queries < 1 || soak < 0) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--brokers and --queries are 1 at least, --soak is 0 at least");
        }
        if (release != null && !Files.isExecutable(release)) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--release: " + release + " is no launcher",
                    "name the other release's weir, as /tmp/weir-old/weir");
        }
        Sources.checkReadAgain(SourceSpec.pcap("all", capture));
        List<Fault> faults =
                names == null
                        ? Arrays.asList(Fault.values())
                        : names.stream().map(FaultsCommand::fault).toList();
        PrintStream out = new PrintStream(streams.out(), true, StandardCharsets.UTF_8);
        Duration more = Duration.ofMinutes(soak);
        Optional<Path> other = Optional.ofNullable(release).map(Path::toAbsolutePath);
        return home.run(
                "weir-faults-",
                (directory, stopping) ->
                        new FaultRun(
                                        new FaultRun.Options(
                                                directory,
                                                capture.toAbsolutePath(),
                                                faults,
                                                seed,
                                                brokers,
                                                shards,
                                                queries,
                                                more,
                                                away,
                                                other),
                                        out,
                                        stopping)
                                .run());
    }

    private static Fault fault(String name) {
        return Fault.of(name)
                .orElseThrow(
                        () ->
                                new WeirException(
                                        ErrorCode.INVALID_OPTION,
                                        "there is no fault " + name,
                                        "weir cluster faults -h lists them"));
    }
}
