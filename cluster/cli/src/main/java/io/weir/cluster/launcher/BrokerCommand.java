package io.weir.cluster.launcher;

import io.weir.cluster.broker.BrokerMeter;
import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir broker}: runs a Kafka broker, for users without one. */
@Command(
        name = "broker",
        sortOptions = false,
        description = {
            "A Kafka broker (KRaft, broker and controller in one) for trying a cluster on one"
                    + " machine.",
            "",
            "Runs until it is interrupted. It lets everybody in, so it should listen on the"
                    + " loopback: for more than trials run Kafka as its own documentation says."
        },
        footer = {
            "",
            "Examples:",
            "  weir broker --directory /tmp/kafka",
            "  weir broker --id 2 --port 9293 --directory /tmp/kafka-2 \\",
            "    --controllers 1@127.0.0.1:9192,2@127.0.0.1:9193,3@127.0.0.1:9194"
        })
final class BrokerCommand implements Callable<Integer>, ConfiguredCommand {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerCommand.class);
    private final StandardStreams streams;

    @Option(
            names = "--directory",
            required = true,
            paramLabel = "DIR",
            description = "The folder of its logs; made at the first start.")
    private Path directory;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "9092",
            description = "Port for clients (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--id",
            paramLabel = "N",
            defaultValue = "1",
            description = "Which of the controllers it is (default: ${DEFAULT-VALUE}).")
    private int id;

    @Option(
            names = "--controllers",
            paramLabel = "ID@HOST:PORT,…",
            description = {
                "All brokers of the cluster, with the ports on which they agree with one another"
                        + " (default: just this one, on the port after --port)."
            })
    private String controllers;

    @Mixin private MetricsOption metrics = new MetricsOption();

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Mixin
    private ConfigOption config = new ConfigOption();

    @Mixin private LogOption log = new LogOption();

    BrokerCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public void check() {
        BrokerPart.require();
        Ports.check("--port", port);
        BrokerValues.settings(id, host, port, controllers, directory);
    }

    @Override
    public Integer call() {
        log.beginService(streams);
        check();
        Path logs = Trees.make(directory).toAbsolutePath();
        BrokerSettings settings = BrokerValues.settings(id, host, port, controllers, logs);
        try (MetricsOption.Page page = metrics.open("broker");
                EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
            page.with(new BrokerMeter(settings.directory()));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "weir-shutdown"));
            LOG.info("broker {} listens on {}:{}", id, host, port);
            broker.awaitEnd();
            return ExitCode.OK;
        }
    }
}
