package io.weir.cluster.launcher;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.CountedNode;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.server.WeirServer;
import io.weir.cluster.service.ClusterNode;
import io.weir.cluster.service.MergeInstance;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir server}: the JDBC server. */
@Command(
        name = "server",
        sortOptions = false,
        description = {
            "The JDBC server, over capture files or for a cluster: jdbc:weir://host:port, driver"
                    + " io.weir.cluster.server.WeirDriver.",
            "",
            "Runs until it is interrupted. There is no authentication yet: think before you let it"
                    + " listen on other than the loopback."
        },
        footer = {
            "",
            "Examples:",
            "  weir server --pcap trace.pcap --port 9347",
            "  weir server --kafka 127.0.0.1:9092"
        })
final class ServerCommand implements Callable<Integer> {
    private final Streams streams;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + WeirServer.DEFAULT_PORT,
            description = "Port to listen on; 0 for any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--idle-timeout",
            paramLabel = "TIME",
            defaultValue = "5m",
            converter = DurationConverter.class,
            description = {
                "Silence after which a client's queries are stopped (default: ${DEFAULT-VALUE})."
            })
    private Duration idle;

    @Mixin private KafkaOptions kafka = new KafkaOptions();

    @Option(
            names = "--no-merge",
            description = {
                "Leave the merge of workers' windows to other servers of the cluster; one of them"
                        + " must do it."
            })
    private boolean noMerge;

    @Mixin private InputOptions input = new InputOptions();

    @Mixin private MetricsOption metrics = new MetricsOption();

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Mixin
    private HelpOption help = new HelpOption();

    ServerCommand(Streams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws InterruptedException {
        Ports.check(port);
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new WeirException(ErrorCode.INVALID_OPTION, "no address is known for " + host);
        }
        Optional<KafkaSettings> cluster = kafka.given();
        try (MetricsOption.Page page = metrics.open("server", streams.err())) {
            return call(cluster, address, page);
        }
    }

    private int call(
            Optional<KafkaSettings> cluster, InetSocketAddress address, MetricsOption.Page page)
            throws InterruptedException {
        if (cluster.isEmpty()) {
            EmbeddedNode node = new EmbeddedNode(input.settings(), input.captures());
            node.checkCaptures();
            return serve(node, address, page);
        } else if (!input.captures().isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--pcap cannot be with --kafka: a cluster's packets are its workers'",
                    "weir worker --kafka HOST:PORT --pcap FILE");
        }
        return serveCluster(cluster.get(), address, page);
    }

    private int serveCluster(
            KafkaSettings settings, InetSocketAddress address, MetricsOption.Page page)
            throws InterruptedException {
        String author = "server on " + host + ":" + port;
        try (ClusterNode node = ClusterNode.open(settings, author)) {
            page.with(node.meter());
            if (noMerge) {
                return serve(node, address, page);
            }
            MergeInstance merge =
                    new MergeInstance(
                            settings,
                            node,
                            e -> streams.err().println("the merge begins again: " + e));
            Runtime.getRuntime().addShutdownHook(new Thread(merge::close, "weir-merge-end"));
            page.with(merge.meter());
            return serve(node, address, page);
        }
    }

    private int serve(SqlNode node, InetSocketAddress address, MetricsOption.Page page)
            throws InterruptedException {
        CountedNode counted = new CountedNode(node);
        try (WeirServer server = new WeirServer(counted, address, idle).start()) {
            page.with(counted).with(server::read);
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "weir-shutdown"));
            streams.err().println("listening on " + server.url());
            new CountDownLatch(1).await();
            return Weir.OK;
        }
    }
}
