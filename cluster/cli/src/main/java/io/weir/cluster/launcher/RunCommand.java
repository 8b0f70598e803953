package io.weir.cluster.launcher;

import io.weir.cluster.node.Answer;
import io.weir.cluster.node.EmbeddedNode;
import io.weir.cluster.node.Events;
import io.weir.cluster.node.Program;
import io.weir.cluster.node.Replay;
import io.weir.cluster.node.Report;
import io.weir.cluster.sink.Format;
import io.weir.cluster.sink.OutputClosed;
import io.weir.cluster.sink.OutputSink;
import io.weir.cluster.sink.ReaderSink;
import io.weir.cluster.sink.TextOut;
import io.weir.cluster.sink.TextTable;
import io.weir.ingest.source.SourceSpec;
import io.weir.operators.error.ErrorCode;
import io.weir.operators.error.WeirException;
import io.weir.operators.graph.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir run}: runs queries over captures, to the end of the input. */
@Command(
        name = "run",
        sortOptions = false,
        description = {
            "Runs queries over captures to their end, or over live packets until Ctrl-C or a"
                    + " limit. Rows go to standard output, everything else to standard error.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  weir run -e 'SELECT COUNT(*) AS n FROM packets' --pcap a.pcap",
            "  weir run --sql queries.sql --pcap a.pcap --query ddos --format csv",
            "  weir run --library heavy_hitter --set TH=1000000 --pcap a.pcap",
            "  tcpdump -U -w - | weir run --sql queries.sql --pcap -",
            "  weir run --sql queries.sql --source afpacket:eth0 --for 1m",
            "  weir run --equery edison.eq --set NodeX=tap1 \\",
            "    --pcap tap1=a.pcap tap2=b.pcap"
        })
final class RunCommand implements Callable<Integer> {
    private final StandardStreams streams;

    @ArgGroup(multiplicity = "1")
    private QueryText text;

    @Option(
            names = "--query",
            paramLabel = "NAME",
            description = "Print this query only, of several in the text.")
    private String query;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description =
                    "table: a table for each window. csv: header and rows of one query. json: an"
                            + " object per line, its \"query\" first (default: ${DEFAULT-VALUE}).")
    private String format;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "Value of a parameter of the text (:name). May be repeated.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--stats",
            paramLabel = "FILE",
            description = "Write the account as JSON: offered, processed, lost, excluded by stage.")
    private Path stats;

    @Mixin private RunLimits limits = new RunLimits();

    @Mixin private SinkOptions sinks = new SinkOptions();

    @Mixin private InputOptions input = new InputOptions();

    @Mixin private TableOptions tables = new TableOptions();

    private volatile Replay running;

    RunCommand(StandardStreams streams) {
        this.streams = streams;
    }

    @Override
    public Integer call() {
        Format chosen = Format.parse(format);
        limits.check();
        List<SourceSpec> captures = input.sources();
        text.checkNoneOf(captures);
        try (EmbeddedNode node = new EmbeddedNode(input.settings(), captures, tables.local())) {
            return run(node, captures, chosen);
        }
    }

    private int run(EmbeddedNode node, List<SourceSpec> captures, Format chosen) {
        Program program = node.load(text.statements(node.frontend(), parameters));
        TextOut out = new TextOut(streams.out());
        program.warnings().forEach(text -> streams.err().println("warning: " + text));
        boolean reads = captures.isEmpty() ? program.asks() : !program.queries().isEmpty();
        if (!reads && !program.texts().isEmpty()) {
            checkNoStats();
            print(program.texts(), out, chosen);
            return ExitCode.OK;
        }
        List<Query> printed = Selection.of(program, query, chosen);
        checkStats();
        printBefore(program.texts(), out, chosen);
        return replay(node, captures, printed, new ReaderSink(chosen.sink(out, printed)));
    }

    /** With a pipe, an interrupt by the user is the end of the input: only the user knows it. */
    private int replay(
            EmbeddedNode node, List<SourceSpec> captures, List<Query> printed, ReaderSink reader) {
        if (captures.stream().noneMatch(SourceSpec::isReadOnce)) {
            return replay(node, printed, reader);
        }
        Interrupts interrupts = Interrupts.asking(this::stop);
        try {
            return replay(node, printed, reader);
        } finally {
            interrupts.ended();
        }
    }

    /** Returns whether there are rows to wait for. */
    private boolean stop() {
        Replay replay = running;
        if (replay == null || !replay.isReading()) {
            return false;
        }
        replay.stop();
        return true;
    }

    private int replay(EmbeddedNode node, List<Query> printed, ReaderSink reader) {
        List<SinkSpec> specs = sinks.specs();
        Events events =
                new Events(
                        new WakeLines(streams.err()),
                        failure -> Failures.failed(failure, streams.err()));
        Sinks others = new Sinks();
        Report report;
        try (OutputSink sink = others.beside(reader, specs, printed)) {
            Replay replay = node.replay(printed, sink, events);
            if (specs.isEmpty()) {
                reader.whenGone(replay::stop);
            }
            others.tellOf(replay.account());
            running = replay;
            limits.watch(replay);
            report = replay.run();
            sink.end();
        }
        events.end();
        boolean quiet = reader.isGone() && specs.isEmpty();
        return close(report.with(others.account().snapshot()), quiet);
    }

    private static void print(List<Answer.Texts> answers, TextOut out, Format format) {
        if (!answers.isEmpty() && format != Format.TABLE) {
            throw new WeirException(
                    ErrorCode.NOT_SUPPORTED,
                    "SHOW, DESCRIBE and EXPLAIN are printed as tables only",
                    "leave --format out");
        }
        for (Answer.Texts texts : answers) {
            TextTable.print(out, texts.headings(), texts.rows().get());
        }
    }

    /** A reader who goes away here has also gone at the first row. */
    private static void printBefore(List<Answer.Texts> answers, TextOut out, Format format) {
        try {
            print(answers, out, format);
        } catch (OutputClosed e) {
            if (!e.isBrokenPipe()) {
                throw e;
            }
        }
    }

    /**
     * @param quiet nobody wants the rows any more, so the account is only given on request
     */
    private int close(Report report, boolean quiet) {
        if (!quiet) {
            ClosingAccount.print(streams, report.notes(), report.stages());
        }
        if (stats != null) {
            write(AccountJson.of(report.stages(), report.tables()));
        }
        ClosingAccount.check(report.isBalanced());
        return report.failures().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void checkNoStats() {
        if (stats != null) {
            throw new WeirException(
                    ErrorCode.INVALID_OPTION,
                    "--stats has no account to write: no packets are read",
                    "leave it out, or add a SELECT");
        }
    }

    /** The check comes before the run, not after an hour of it. */
    private void checkStats() {
        if (stats == null) {
            return;
        }
        Path folder = stats.toAbsolutePath().getParent();
        if (stats.toString().equals("-")) {
            throw unwritable("cannot be written: standard output has the rows");
        } else if (Files.isDirectory(stats)) {
            throw unwritable("is a directory");
        } else if (folder != null && !Files.isDirectory(folder)) {
            throw unwritable("cannot be written: there is no directory " + folder);
        } else if (!Files.isWritable(Files.exists(stats) ? stats : folder)) {
            throw unwritable("may not be written");
        }
    }

    private void write(String json) {
        try {
            Files.writeString(stats, json);
        } catch (IOException e) {
            throw unwritable("cannot be written: " + e.getMessage());
        }
    }

    private WeirException unwritable(String problem) {
        return new WeirException(
                ErrorCode.UNWRITABLE_OUTPUT,
                stats + " " + problem,
                "--stats takes the file that the account is written to");
    }
}
