package io.weir.cluster.launcher;

import io.weir.cluster.audit.Audit;
import io.weir.cluster.audit.AuditFile;
import io.weir.cluster.audit.AuditedNode;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.node.CountedNode;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.SqlNode;
import io.weir.cluster.security.Access;
import io.weir.cluster.server.WeirServer;
import io.weir.cluster.service.ClusterNode;
import io.weir.cluster.service.ClusterSinks;
import io.weir.cluster.service.MergeInstance;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.time.Clock;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir server}: the JDBC server. */
@Command(
        name = "server",
        sortOptions = false,
        description = {
            "The JDBC server, over capture files or for a cluster: jdbc:weir://host:port, driver"
                    + " io.weir.cluster.server.WeirDriver.",
            "",
            "Runs until it is interrupted. To listen on other than the loopback it needs users and"
                    + " TLS (docs/SECURITY.md)."
        },
        footer = {
            "",
            "Examples:",
            "  weir server --pcap trace.pcap --port 9347",
            "  weir server --kafka 127.0.0.1:9092",
            "  weir server --kafka 127.0.0.1:9092 --sink prometheus:9469 \\",
            "    --sink ddos=file:alarms",
            "  weir server --kafka 10.0.0.1:9092 --host 0.0.0.0 --users users \\",
            "    --tls-cert server.pem --tls-key server.key"
        })
final class ServerCommand implements Callable<Integer>, ConfiguredCommand {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);
    private final StandardStreams streams;

    @Spec private CommandSpec command;

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

    @Mixin private AccessOptions access = new AccessOptions();

    @Option(
            names = "--audit",
            paramLabel = "FILE",
            description = {
                "Notes each statement there, as a line of JSON; with --kafka they are noted in the"
                        + " topic weir.audit."
            })
    private Path auditFile;

    @Mixin private KafkaOptions kafka = new KafkaOptions();

    @Mixin private RowOptions rows = new RowOptions();

    @Option(
            names = "--no-merge",
            description = {
                "Leave the merge of workers' windows to other servers of the cluster; one of them"
                        + " must do it."
            })
    private boolean noMerge;

    @Mixin private ServerSinks sinks = new ServerSinks();

    @Mixin private InputOptions input = new InputOptions();

    @Mixin private TableOptions tables = new TableOptions();

    @Mixin private MetricsOption metrics = new MetricsOption();

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Mixin
    private ConfigOption config = new ConfigOption();

    @Mixin private LogOption log = new LogOption();

    ServerCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public void check() {
        address();
        checkOptions(kafka.given().map(rows::with).isPresent());
        input.settings();
        tables.given();
    }

    private InetSocketAddress address() {
        Ports.check("--port", port);
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION, "no address is known for " + host + " (--host)");
        }
        return address;
    }

    @Override
    public Integer call() throws InterruptedException {
        log.beginService(streams);
        InetSocketAddress address = address();
        Access allowed = access.access(System.getenv());
        allowed.check(address); // before anything is connected
        Optional<KafkaSettings> cluster = kafka.given().map(rows::with);
        checkOptions(cluster.isPresent());
        try (MetricsOption.Page page = metrics.open("server")) {
            return call(cluster, address, allowed, page);
        }
    }

    private int call(
            Optional<KafkaSettings> cluster,
            InetSocketAddress address,
            Access allowed,
            MetricsOption.Page page)
            throws InterruptedException {
        return cluster.isPresent()
                ? serveCluster(cluster.get(), address, allowed, page)
                : serveCaptures(address, allowed, page);
    }

    /** Refuses options of captures for a cluster, and the other way round. */
    private void checkOptions(boolean cluster) {
        sinks.check();
        if (cluster) {
            TypedOptions.checkNone(
                    command,
                    input,
                    "cannot be with --kafka: a cluster's packets are its workers'",
                    "weir worker --kafka HOST:PORT --pcap FILE");
            TypedOptions.checkNone(
                    command,
                    "--audit",
                    "cannot be with --kafka: a cluster's statements are noted in Kafka",
                    "SHOW AUDIT, or any consumer of weir.audit, tells them");
        } else {
            sinks.checkNone();
            TypedOptions.checkNone(command, rows, "goes with --kafka", "--kafka HOST:PORT");
            TypedOptions.checkNone(command, "--no-merge", "goes with --kafka", "--kafka HOST:PORT");
        }
    }

    private int serveCaptures(InetSocketAddress address, Access allowed, MetricsOption.Page page)
            throws InterruptedException {
        try (EmbeddedNode node = node()) {
            node.open();
            // The process ends by a signal: then this is what ends the packets.
            Runtime.getRuntime().addShutdownHook(new Thread(node::close, "weir-packets-end"));
            page.with(node.sourceMeter());
            return serveCaptures(node, address, allowed, page);
        }
    }

    private EmbeddedNode node() {
        return new EmbeddedNode(input.settings(), input.sources(), tables.given());
    }

    private int serveCaptures(
            EmbeddedNode node, InetSocketAddress address, Access allowed, MetricsOption.Page page)
            throws InterruptedException {
        if (auditFile == null) {
            return serve(node, address, allowed, page);
        }
        try (AuditFile audit = new AuditFile(auditFile)) {
            return serve(node.withAudit(Auditing.latest(audit)), audit, address, allowed, page);
        }
    }

    private int serveCluster(
            KafkaSettings settings,
            InetSocketAddress address,
            Access allowed,
            MetricsOption.Page page)
            throws InterruptedException {
        String author = "server on " + Auditing.server(port);
        try (ClusterNode node = ClusterNode.open(settings, author, tables.given())) {
            page.with(node.meter());
            if (!noMerge) {
                MergeInstance merge = new MergeInstance(settings, node);
                Runtime.getRuntime().addShutdownHook(new Thread(merge::close, "weir-merge-end"));
                page.with(merge.meter());
            }
            sinks.start(settings, node, Auditing.server(port), page)
                    .ifPresent(ServerCommand::closeAtEnd);
            return serve(node, node.audit(), address, allowed, page);
        }
    }

    private static void closeAtEnd(ClusterSinks given) {
        Runtime.getRuntime().addShutdownHook(new Thread(given::close, "weir-sinks-end"));
    }

    /** Serves, with each statement recorded. */
    private int serve(
            SqlNode node,
            Audit audit,
            InetSocketAddress address,
            Access allowed,
            MetricsOption.Page page)
            throws InterruptedException {
        String server = Auditing.server(port);
        return serve(
                new AuditedNode(node, audit, server, Clock.SYSTEM),
                address,
                allowed.telling(Auditing.logins(audit, server)),
                page);
    }

    private int serve(
            SqlNode node, InetSocketAddress address, Access allowed, MetricsOption.Page page)
            throws InterruptedException {
        CountedNode counted = new CountedNode(node);
        try (WeirServer server = new WeirServer(counted, address, idle, allowed).start()) {
            page.with(counted).with(server::read);
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "weir-shutdown"));
            LOG.info("listening on {}", server.url());
            new CountDownLatch(1).await();
            return ExitCode.OK;
        }
    }
}
