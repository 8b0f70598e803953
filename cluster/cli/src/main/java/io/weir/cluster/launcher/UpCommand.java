package io.weir.cluster.launcher;

import io.weir.cluster.audit.AuditedNode;
import io.weir.cluster.broker.BrokerMeter;
import io.weir.cluster.broker.BrokerSettings;
import io.weir.cluster.broker.EmbeddedBroker;
import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.logging.LogForm;
import io.weir.cluster.node.CountedNode;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.server.WeirServer;
import io.weir.cluster.service.ClusterNode;
import io.weir.cluster.service.ClusterSinks;
import io.weir.cluster.service.MergeInstance;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.ingest.source.SourceSpec;
import io.weir.ingest.source.Sources;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.ring.ThreadEnd;
import io.weir.operators.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir up}: a whole cluster in one process. */
@Command(
        name = "up",
        sortOptions = false,
        description = {
            "A cluster in one process: a Kafka broker, the SQL server, a worker for each node whose"
                    + " captures are named, and the merge where there are several.",
            "",
            "Runs until it is interrupted. Results are in Kafka's topics weir.results.QUERY, for any"
                    + " consumer on this machine."
        },
        footer = {
            "",
            "Example:",
            "  weir up --kafka 9092 --pcap demo/capture.pcap --repeat",
            "  tcpdump -i eth0 -U -w - | weir up --kafka 9092 --pcap -",
            "  weir sql --url jdbc:weir://localhost:9347"
        })
final class UpCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(UpCommand.class);
    private static final String ANY_PORT = "0";

    /** The time for a stopped worker's last rows. Then it is interrupted. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final StandardStreams streams;

    @Spec private CommandSpec command;

    @Option(
            names = "--kafka",
            arity = "0..1",
            fallbackValue = ANY_PORT,
            paramLabel = "PORT",
            converter = OwnPort.class,
            description = "With a broker of its own; on any free port if none is named.")
    private Integer kafkaPort;

    @Option(
            names = "--shards",
            paramLabel = "N",
            defaultValue = "" + KafkaSettings.SHARDS,
            description = {
                "The parts over which the merge's groups are spread. A broker whose logs are kept"
                        + " has the number of its first run (default: ${DEFAULT-VALUE})."
            })
    private int shards;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = {
                "Where the broker's logs and the workers' outboxes are kept (default: a new"
                        + " directory, which goes when it ends)."
            })
    private Path directory;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + WeirServer.DEFAULT_PORT,
            description = "The SQL server's port; 0 for any (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin private InputOptions input = new InputOptions();

    @Mixin private ReplayArguments replay = new ReplayArguments();

    @Mixin private TableOptions tables = new TableOptions();

    @Mixin private ServerSinks sinks = new ServerSinks();

    @Mixin private MetricsOption metrics = new MetricsOption();

    @Mixin private LogOption log = new LogOption();

    private final CountDownLatch interrupted = new CountDownLatch(1);

    UpCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() throws Exception {
        log.begin(streams, LogForm.PLAIN);
        BrokerPart.require();
        Ports.check("--port", port);
        KafkaSettings.checkShards(shards);
        if (kafkaPort == null) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "Missing required option: '--kafka'",
                    "weir up --kafka --pcap FILE: its broker is its own, on any free port");
        }
        Map<String, List<SourceSpec>> captures = capturesByNode();
        sinks.check();
        replay.options(); // a wrong option fails before anything starts
        Path home =
                directory == null ? Files.createTempDirectory("weir-up-") : Trees.make(directory);
        Interrupts interrupts = Interrupts.on(interrupted::countDown);
        try {
            run(home.toAbsolutePath(), captures);
            return ExitCode.OK;
        } finally {
            if (directory == null) {
                Trees.delete(home);
            }
            interrupts.ended();
        }
    }

    /** Users of workers and servers type an address here. */
    private static final class OwnPort implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (!text.matches("\\d{1,9}")) {
                throw new WeirException(
                        ErrorCode.INVALID_OPTION,
                        "--kafka " + text + " is no port",
                        "weir up has a broker of its own; weir worker and weir server join another");
            }
            int port = Integer.parseInt(text);
            Ports.check("--kafka", port);
            return port;
        }
    }

    private Map<String, List<SourceSpec>> capturesByNode() {
        Map<String, List<SourceSpec>> byNode = new LinkedHashMap<>();
        replay.check(command, input.sources());
        Sources.checkAll(input.sources());
        for (SourceSpec capture : input.sources()) {
            byNode.computeIfAbsent(capture.node(), node -> new ArrayList<>()).add(capture);
        }
        if (byNode.isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "there are no packets to read",
                    "name capture files with --pcap");
        }
        byNode.values().forEach(Sources::checkWorker);
        return byNode;
    }

    private void run(Path home, Map<String, List<SourceSpec>> captures)
            throws IOException, InterruptedException {
        int brokerPort = kafkaPort == 0 ? EmbeddedBroker.freePort() : kafkaPort;
        BrokerSettings alone =
                BrokerSettings.alone(brokerPort, EmbeddedBroker.freePort(), home.resolve("kafka"));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (MetricsOption.Page page = metrics.open("up");
                EmbeddedBroker broker = EmbeddedBroker.start(alone);
                ClusterNode node =
                        ClusterNode.open(kafka(broker.bootstrap()), "weir up", tables.given());
                WeirServer server = server(node, address, page)) {
            page.with(new BrokerMeter(alone.directory())).with(node.meter());
            LOG.info("kafka on {}", broker.bootstrap());
            LOG.info("listening on {}", server.url());
            count(home, captures, kafka(broker.bootstrap()), node, page);
        }
    }

    private KafkaSettings kafka(String bootstrap) {
        return KafkaSettings.of(bootstrap).withShards(shards);
    }

    /** Counts until interrupted. The windows of several workers are merged. */
    private void count(
            Path home,
            Map<String, List<SourceSpec>> captures,
            KafkaSettings kafka,
            ClusterNode node,
            MetricsOption.Page page)
            throws InterruptedException {
        boolean sole = captures.size() == 1;
        Optional<ClusterSinks> given = sinks.start(kafka, node, Auditing.server(port), page);
        Optional<MergeInstance> merge =
                sole ? Optional.empty() : Optional.of(merge(kafka, node, page));
        try {
            List<Running> workers = new ArrayList<>();
            captures.forEach(
                    (name, files) ->
                            workers.add(start(worker(home, name, files, sole), kafka, page)));
            interrupted.await();
            for (Running worker : workers) {
                worker.stop();
            }
        } finally {
            merge.ifPresent(MergeInstance::close);
            given.ifPresent(ClusterSinks::close);
        }
    }

    private MergeInstance merge(KafkaSettings kafka, ClusterNode node, MetricsOption.Page page) {
        MergeInstance merge = new MergeInstance(kafka, node);
        page.with(merge.meter());
        return merge;
    }

    private WorkerSettings worker(Path home, String name, List<SourceSpec> files, boolean sole) {
        return new WorkerSettings(
                        name,
                        files,
                        input.settings(),
                        replay.options(),
                        home.resolve("outbox-" + name),
                        Outbox.LEAST_BYTES,
                        sole)
                .withTables(tables.given());
    }

    private record Running(Worker worker, Thread thread) {
        void stop() {
            worker.stop();
            ThreadEnd.await(thread, PATIENCE);
        }
    }

    private WeirServer server(
            ClusterNode node, InetSocketAddress address, MetricsOption.Page page) {
        CountedNode counted =
                new CountedNode(
                        new AuditedNode(node, node.audit(), Auditing.server(port), Clock.SYSTEM));
        WeirServer server = new WeirServer(counted, address, WeirServer.IDLE).start();
        page.with(counted).with(server::read);
        return server;
    }

    private Running start(WorkerSettings settings, KafkaSettings kafka, MetricsOption.Page page) {
        Worker worker = new Worker(settings, kafka, new WorkerLines(settings.name()));
        page.with(worker.meter());
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                worker.run();
                            } catch (RuntimeException e) {
                                Failures.failed(e, streams.err());
                            }
                        },
                        "weir-worker-" + settings.name());
        thread.start();
        return new Running(worker, thread);
    }
}
