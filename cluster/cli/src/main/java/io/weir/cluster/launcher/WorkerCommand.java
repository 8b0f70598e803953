package io.weir.cluster.launcher;

import io.weir.cluster.kafka.KafkaSettings;
import io.weir.cluster.kafka.catalog.KafkaCatalog;
import io.weir.cluster.kafka.catalog.SlicedReplay;
import io.weir.cluster.metrics.StageMeter;
import io.weir.cluster.node.Report;
import io.weir.cluster.outbox.Outbox;
import io.weir.cluster.sink.OutputSink;
import io.weir.cluster.worker.SliceWorkers;
import io.weir.cluster.worker.Worker;
import io.weir.cluster.worker.WorkerSettings;
import io.weir.ingest.source.Sources;
import io.weir.operators.account.Stage;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir worker}: counts packets for the queries of a cluster. */
@Command(
        name = "worker",
        sortOptions = false,
        description = {
            "A worker of a cluster: counts packets for the queries of the catalogue, and sends"
                    + " their rows to Kafka, each once.",
            "",
            "Its packets are captures, replayed as if they came now, or those that a pipe or an"
                    + " interface brings. It ends when they do, or when it is interrupted; either"
                    + " way it sends the rows that it has.",
            "Without packets it waits for the live sources that CREATE SOURCE makes for its node."
        },
        footer = {
            "",
            "Example:",
            "  weir worker --kafka 127.0.0.1:9092 --node-id Node1 --pcap a.pcap --repeat",
            "  tcpdump -U -w - | weir worker --kafka 127.0.0.1:9092 --node-id tap1 --pcap -",
            "  weir worker --kafka 127.0.0.1:9092 --node-id tap1 --source afpacket:eth0",
            "  weir worker --kafka 127.0.0.1:9092 --node-id Node2 --slices a --pcap a.pcap",
            "  weir worker --kafka 127.0.0.1:9092 --slices day --settle --pcap trace.pcap"
        })
final class WorkerCommand implements Callable<Integer>, ConfiguredCommand {
    private static final long MIB = 1L << 20;
    private static final long MOST_OUTBOX_MIB = 1L << 20;

    private final StandardStreams streams;

    @Spec private CommandSpec command;

    @Mixin private KafkaOptions kafka = new KafkaOptions();

    @Mixin private RowOptions rows = new RowOptions();

    @Mixin private InputOptions input = new InputOptions();

    @Mixin private SinkOptions sinks = new SinkOptions();

    @Mixin private ReplayArguments replay = new ReplayArguments();

    @Mixin private SliceOptions slices = new SliceOptions();

    @Mixin private TableOptions tables = new TableOptions();

    @Option(
            names = "--outbox",
            paramLabel = "DIR",
            description = {
                "Where rows and windows wait for Kafka (default: weir-outbox-NODE, in the current"
                        + " directory)."
            })
    private Path outbox;

    @Option(
            names = "--outbox-size",
            paramLabel = "MIB",
            defaultValue = "256",
            description = {
                "How much may wait, of rows and of windows for the merge each; beyond it the oldest"
                        + " go, and are counted (default: ${DEFAULT-VALUE} MiB)."
            })
    private long outboxMib;

    @Option(
            names = "--sole",
            description = {
                "There is no other worker: its rows are final also where several would have to"
                        + " merge theirs."
            })
    private boolean sole;

    @Mixin private MetricsOption metrics = new MetricsOption();

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Mixin
    private ConfigOption config = new ConfigOption();

    @Mixin private LogOption log = new LogOption();

    WorkerCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public void check() {
        rows.with(kafka.settings());
        sinks.specs();
        input.settings();
        replay.options();
        outboxBytes();
        settings(); // looks at the captures, so it is the last
    }

    private WorkerSettings settings() {
        if (input.sources().isEmpty()
                && (slices.name().isPresent() || !TypedOptions.is(command, "--node-id"))) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "there are no packets to read",
                    "name capture files with --pcap, or a node that CREATE SOURCE gives sources to"
                            + " with --node-id");
        }
        if (slices.name().isEmpty()) {
            TypedOptions.checkNone(command, slices, "goes with --slices", "--slices NAME");
            Sources.checkWorker(input.sources());
            replay.check(command, input.sources());
        } else {
            input.sources().forEach(Sources::checkReadAgain);
        }
        String name = input.nodeId();
        return new WorkerSettings(
                        name,
                        input.sources(slices.name().orElse(name)),
                        input.settings(),
                        replay.options(),
                        outbox == null ? Path.of("weir-outbox-" + name) : outbox,
                        outboxBytes(),
                        sole)
                .withTables(tables.given());
    }

    @Override
    public Integer call() {
        log.beginService(streams);
        KafkaSettings settings = rows.with(kafka.settings());
        WorkerSettings worker = settings();
        if (slices.name().isPresent()) {
            return share(worker, settings);
        }
        Sinks made = new Sinks();
        try (MetricsOption.Page page = metrics.open("worker");
                OutputSink beside =
                        made.ofWorker(sinks.specs(), () -> worker.patience(settings.clock()))) {
            WorkerLines lines = new WorkerLines(worker.name());
            Worker running = new Worker(worker, settings, lines, beside);
            made.tellOf(running.account());
            page.with(running.meter())
                    .with(new StageMeter(made.account(), "worker", worker.name()));
            return run(running, made, beside);
        }
    }

    private long outboxBytes() {
        long leastMib = Outbox.LEAST_BYTES / MIB;
        if (outboxMib < leastMib || outboxMib > MOST_OUTBOX_MIB) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--outbox-size " + outboxMib + " cannot be",
                    "from " + leastMib + " to " + MOST_OUTBOX_MIB + " MiB");
        }
        return outboxMib * MIB;
    }

    private int share(WorkerSettings worker, KafkaSettings settings) {
        if (sole || !sinks.specs().isEmpty()) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--slices cannot be with --sole or --sink",
                    "rows of slices are made where they are merged: weir server --sink gives them");
        }
        SlicedReplay there = shared(worker, settings);
        WorkerSettings shared = worker.replaying(SliceOptions.of(there, worker.replay()));
        SliceWorkers running =
                new SliceWorkers(shared, there, settings, new WorkerLines(worker.name()));
        Interrupts interrupts = Interrupts.on(running::stop);
        try (MetricsOption.Page page = metrics.open("worker")) {
            page.with(running.meter());
            report(new Report(running.run(), List.of(), List.of()));
            return ExitCode.OK;
        } finally {
            interrupts.ended();
        }
    }

    private SlicedReplay shared(WorkerSettings worker, KafkaSettings settings) {
        if (slices.settles()) {
            TypedOptions.checkNone(
                    command,
                    replay,
                    "cannot be with --settle",
                    "packets keep their times, and go as fast as conditions settle");
        }
        SlicedReplay wanted = slices.wanted(worker.captures(), worker.replay(), settings.clock());
        SliceOptions.check(wanted, wanted, worker.node());
        try (KafkaCatalog catalog =
                KafkaCatalog.openForWorker(settings, "worker " + worker.name())) {
            SlicedReplay there = catalog.share(wanted);
            SliceOptions.check(wanted, there, worker.node());
            return there;
        }
    }

    private int run(Worker running, Sinks made, OutputSink beside) {
        Interrupts interrupts =
                Interrupts.asking(
                        () -> {
                            running.stop();
                            return running.hasBegun();
                        });
        try {
            List<Stage.Snapshot> packets = running.run();
            beside.end();
            Report report =
                    new Report(packets, List.of(), List.of()).with(made.account().snapshot());
            report(report);
            return ExitCode.OK;
        } finally {
            interrupts.ended();
        }
    }

    private void report(Report report) {
        ClosingAccount.print(streams, report.notes(), report.stages());
        ClosingAccount.check(report.isBalanced());
    }
}
