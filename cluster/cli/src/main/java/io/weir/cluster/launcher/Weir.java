package io.weir.cluster.launcher;

import io.weir.operators.error.WeirException;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line. Exit code 0, or 2 with one error on standard error. */
@Command(
        name = "weir",
        versionProvider = BuildInfo.class,
        description = {
            "SQL over packets, with queries that wake one another (WHEN).",
            "",
            "Reads capture files, answers with rows on standard output, and closes with an account"
                    + " of every packet on standard error."
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Each command explains itself with -h. To begin with:",
            "  weir run --pcap trace.pcap \\",
            "    -e 'SELECT src_addr, COUNT(*) AS packets FROM packets GROUP BY src_addr'",
            "",
            "WEIR_DEBUG=1 in the environment adds stack traces to internal errors;"
                    + " WEIR_LOG=info shows what Kafka and other libraries log, and"
                    + " WEIR_LOG=weir=warn less of Weir's own messages."
        })
public final class Weir implements Runnable {
    private static final int USAGE_COLUMNS = 80;

    @Spec private CommandSpec spec;

    /** Does the same as the {@code weir} script. */
    public static void main(String[] arguments) {
        Parent.watch();
        StandardStreams streams =
                new StandardStreams(
                        new BufferedInputStream(new FileInputStream(FileDescriptor.in)),
                        new FileOutputStream(FileDescriptor.out),
                        new PrintStream(
                                new FileOutputStream(FileDescriptor.err),
                                true,
                                StandardCharsets.UTF_8));
        System.exit(execute(streams, arguments));
    }

    /** Runs the command line once, in this process. */
    public static int execute(StandardStreams streams, String... arguments) {
        try {
            LogOption.beginPlain(streams);
            CommandLine line = line(streams, only(arguments));
            ConfiguredArguments configured = ConfiguredArguments.of(line, arguments);
            line.setParameterExceptionHandler(
                    (e, args) ->
                            Failures.failed(configured.placed(Failures.misuse(e)), streams.err()));
            line.setExecutionExceptionHandler(
                    (e, l, parsed) ->
                            Failures.failed(
                                    e instanceof WeirException known ? configured.placed(known) : e,
                                    streams.err()));
            return line.execute(configured.arguments());
        } catch (Throwable e) { // picocli passes on exceptions, not errors
            return Failures.failed(e, streams.err());
        }
    }

    /** Returns the command to look at; empty for all. A configuration file may name all. */
    private static String only(String... arguments) {
        boolean configured =
                Arrays.stream(arguments).anyMatch(word -> word.startsWith(ConfigOption.NAME));
        return arguments.length == 0 || configured ? "" : arguments[0];
    }

    /** Returns all commands, with nothing run yet. */
    static CommandLine line(StandardStreams streams) {
        return line(streams, "");
    }

    /**
     * Returns a command alone, if there is one of this name; else all of them. To look at all takes
     * a quarter of the time of a short run.
     */
    private static CommandLine line(StandardStreams streams, String name) {
        CommandLine line = new CommandLine(new Weir());
        Map<String, Supplier<Object>> commands = commands(streams);
        if (commands.containsKey(name)) {
            line.addSubcommand(commands.get(name).get());
        } else {
            commands.values().forEach(command -> line.addSubcommand(command.get()));
            for (AddedCommand added : ServiceLoader.load(AddedCommand.class)) {
                line.addSubcommand(added.command(streams));
            }
        }
        PrintStream out = new PrintStream(streams.out(), true, StandardCharsets.UTF_8);
        line.setOut(new java.io.PrintWriter(out, true, StandardCharsets.UTF_8));
        line.setUsageHelpWidth(USAGE_COLUMNS);
        line.setExpandAtFiles(false);
        return line;
    }

    /** Returns the makers of this module's commands, by name. */
    static Map<String, Supplier<Object>> commands(StandardStreams streams) {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("run", () -> new RunCommand(streams));
        commands.put("sql", () -> new SqlCommand(streams));
        commands.put("server", () -> new ServerCommand(streams));
        commands.put("send", () -> new SendCommand(streams));
        commands.put("user", UserCommand::new);
        commands.put("queries", () -> new QueriesCommand(streams));
        commands.put("worker", () -> worker(streams));
        commands.put("slices", () -> new SlicesCommand(streams));
        commands.put("up", () -> new UpCommand(streams));
        commands.put("broker", () -> new BrokerCommand(streams));
        commands.put("doctor", () -> new DoctorCommand(streams, () -> line(streams)));
        commands.put("version", VersionCommand::new);
        return commands;
    }

    private static CommandLine worker(StandardStreams streams) {
        CommandLine worker = new CommandLine(new WorkerCommand(streams));
        worker.addSubcommand(new RetireCommand(streams));
        return worker;
    }

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    private boolean help;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    private boolean version;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
