package io.weir.cluster.testbed;

import io.weir.cluster.demo.ClusterDemo;
import io.weir.cluster.demo.DemoPackets;
import io.weir.cluster.launcher.DurationConverter;
import io.weir.cluster.launcher.StandardStreams;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.sql.SqlFrontend;
import io.weir.sql.Statement;
import io.weir.sql.catalog.MapCatalog;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir cluster}: clusters of processes. */
@Command(
        name = "cluster",
        sortOptions = false,
        description = "Clusters of processes on this machine.",
        synopsisSubcommandLabel = "demo|faults|scale")
final class ClusterCommand implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a command is missing: demo, faults or scale");
    }

    /** {@code weir cluster demo}. */
    @Command(
            name = "demo",
            sortOptions = false,
            description = {
                "Starts three Kafka brokers, three workers and two SQL servers as processes on the"
                        + " loopback, runs a chain of queries that wake one another, and stops them.",
                "",
                "The workers replay a capture, four times as fast, as three nodes that saw it at the"
                        + " same time. With --source each has a live source."
            })
    static final class Demo implements Callable<Integer> {
        private final StandardStreams streams;

        @Option(
                names = "--pcap",
                paramLabel = "FILE",
                description = "The capture (from a checkout: demo/capture.pcap).")
        private Path capture;

        @Option(
                names = "--source",
                paramLabel = "NODE=URI",
                description =
                        "Instead of a capture: a worker NODE with this live source, as"
                                + " Node1=afpacket:eth0; may be repeated.")
        private Map<String, String> sources = new LinkedHashMap<>();

        @Option(
                names = "--sql",
                required = true,
                paramLabel = "FILE",
                description =
                        "The chain: CREATE statements, each query after those it needs (from a"
                                + " checkout: demo/cluster.sql).")
        private Path sql;

        @Option(
                names = "--time",
                paramLabel = "TIME",
                defaultValue = "2m",
                converter = DurationConverter.class,
                description = {
                    "The longest watch, if the last query has no rows earlier"
                            + " (default: ${DEFAULT-VALUE})."
                })
        private Duration time;

        @Mixin private ProcessHome home = new ProcessHome();

        Demo(StandardStreams streams) {
            this.streams = streams;
        }

        @Override
        public Integer call() throws Exception {
            DemoPackets packets = packets();
            List<Statement.CreateQuery> creates = creates();
            PrintStream out = new PrintStream(streams.out(), true, StandardCharsets.UTF_8);
            return home.run(
                    "weir-cluster-",
                    (directory, stopping) ->
                            new ClusterDemo(directory, packets, time, out, stopping)
                                    .run(
                                            creates.stream().map(c -> c.query().sql()).toList(),
                                            creates.stream().map(c -> c.query().name()).toList()));
        }

        private DemoPackets packets() {
            if (sources.isEmpty() == (capture == null)) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "the demo takes either --pcap or --source",
                        "--pcap demo/capture.pcap, or --source Node1=afpacket:eth0");
            }
            if (capture != null) {
                Sources.checkReadAgain(SourceSpec.pcap("all", capture));
                return new DemoPackets.Replayed(capture.toAbsolutePath());
            }
            sources.forEach((node, uri) -> checkLive(Sources.parse(uri, node), uri));
            return new DemoPackets.Live(sources);
        }

        private static void checkLive(List<SourceSpec> specs, String uri) {
            if (!specs.stream().allMatch(SourceSpec::isLive)) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        uri + " is not live",
                        "--pcap FILE replays a file");
            }
        }

        private List<Statement.CreateQuery> creates() throws IOException {
            if (!Files.isReadable(sql)) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        sql + " cannot be read",
                        "--sql takes a file of CREATE statements");
            }
            List<Statement.CreateQuery> creates = new ArrayList<>();
            for (Statement statement :
                    new SqlFrontend(new MapCatalog()).parse(Files.readString(sql))) {
                if (!(statement instanceof Statement.CreateQuery create)) {
                    throw new WeirException(
                            ErrorCode.NOT_SUPPORTED, sql + " has more than CREATE QUERY");
                }
                creates.add(create);
            }
            return creates;
        }
    }
}
