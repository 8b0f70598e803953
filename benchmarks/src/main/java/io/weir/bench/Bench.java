package io.weir.bench;

import io.weir.bench.kernel.Work;
import io.weir.bench.kernel.Works;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir bench}: runs the chosen measurements, and writes a results file. */
@Command(
        name = "weir bench",
        mixinStandardHelpOptions = true,
        description =
                "Measures Weir beside a C++ baseline over the same bytes, on one core, checks every"
                        + " result, and writes benchmarks/results/DATE-COMMIT.json.",
        subcommands = {
            EngineCommand.class,
            GenerateCommand.class,
            QueuesCommand.class,
            TablesCommand.class
        })
public final class Bench implements Callable<Integer> {
    /** The parts that can be measured. */
    enum Part {
        KERNEL,
        CROWD,
        WHEN,
        CAPTURE,
        COMMAND,
        WIRE
    }

    private static final String RESULTS = "benchmarks/results";

    /** Has files of its own: its table is brought up to date apart from that of kernels. */
    private static final String WIRE_RESULTS = "benchmarks/results/wire";

    /** Set by the launcher: the repository. */
    private final Path home = Path.of(System.getenv().getOrDefault("WEIR_HOME", "."));

    @Option(
            names = "--quick",
            description = "two forks and fewer packets: minutes instead of half an hour")
    private boolean isQuick;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "some of: ${COMPLETION-CANDIDATES}")
    private Set<Part> parts = new LinkedHashSet<>(List.of(Part.values()));

    @Option(
            names = "--work",
            split = ",",
            paramLabel = "NAME",
            description = "kernels of these works only; --list names them")
    private Set<String> works = Set.of();

    @Option(names = "--list", description = "names the works and their queries, measures nothing")
    private boolean isList;

    @Option(
            names = "--peers",
            description =
                    "beside kernels also DuckDB (from PyPI; table in memory) and Flink (from Maven;"
                            + " DataStream, objects used again), one thread each")
    private boolean hasPeers;

    @Option(
            names = "--figures",
            description = "writes the newest results into benchmarks/FIGURES.md, measures nothing")
    private boolean writesFigures;

    @Option(names = "--out", paramLabel = "FILE", description = "the results file")
    private Path resultsFile;

    public static void main(String[] args) {
        // Parallel runs disturb one another. The user may know that, so they are not forbidden.
        System.setProperty("jmh.ignoreLock", "true");
        CommandLine command = new CommandLine(new Bench());
        command.setCaseInsensitiveEnumValuesAllowed(true);
        System.exit(command.execute(args));
    }

    @Override
    public Integer call() throws IOException {
        if (writesFigures) {
            writeFigures();
            return 0;
        }
        if (isList) {
            Works.list().forEach(Bench::print);
            return 0;
        }
        if (!works.isEmpty()) {
            parts = Set.of(Part.KERNEL);
        }
        List<Work> measured = Works.named(works);
        Effort effort = isQuick ? Effort.QUICK : Effort.FULL;
        Path outputs = Files.createDirectories(home.resolve("target/bench"));
        Optional<NativeBaseline> baseline =
                NativeBaseline.build(home.resolve("benchmarks/native"), outputs);
        List<Peer> peers = hasPeers ? peers() : List.of();
        Map<String, Object> header = header(peers);
        List<Row> rows = new ArrayList<>();
        List<Row> wire = new ArrayList<>();
        for (Part part : parts) {
            Consumer<Row> sink = row -> add(row, part == Part.WIRE ? wire : rows);
            switch (part) {
                case KERNEL ->
                        new KernelSuite(effort, baseline, peers, outputs, sink).run(measured);
                case CROWD -> new CrowdSuite(effort, outputs, sink).run();
                case WHEN -> new WhenSuite(effort, outputs, sink).run();
                case CAPTURE -> new CaptureSuite(effort, outputs, sink).run();
                case COMMAND -> new CommandSuite(effort, launcher(), outputs, sink).run();
                case WIRE -> new WireSuite(effort, launcher(), outputs, sink).run();
            }
        }
        boolean isRight = write(rows, header, RESULTS);
        isRight &= write(wire, header, WIRE_RESULTS);
        return isRight ? 0 : 1;
    }

    /** Adds rows to their results file, if there are any. Returns whether all are right. */
    private boolean write(List<Row> rows, Map<String, Object> header, String folder)
            throws IOException {
        if (!rows.isEmpty()) {
            Results results = new Results(header, List.of());
            results.add(rows.stream().map(Row::toMap).toList());
            Path file = resultsFile == null ? defaultFile(folder) : resultsFile;
            results.over(file).write(file);
            System.err.println("results: " + file);
        }
        return rows.stream().allMatch(Row::hashOk);
    }

    private void writeFigures() throws IOException {
        Path page = home.resolve("benchmarks/FIGURES.md");
        FiguresTable.write(newestResults(RESULTS), page);
        WireTable.write(newestResults(WIRE_RESULTS), page);
    }

    private static void print(Work work) {
        Work.Text text = work.text();
        String from = text.sql() == null ? "library: " + text.libraryName() : text.sql();
        System.out.printf("%-20s %s%n", work.name(), from.replaceAll("\\s+", " "));
    }

    private Results newestResults(String folder) throws IOException {
        return Results.newest(home.resolve(folder))
                .orElseThrow(() -> new IllegalStateException(folder + " has no file"));
    }

    private List<String> launcher() {
        return List.of(home.resolve("weir").toString());
    }

    private static void add(Row row, List<Row> rows) {
        System.out.println(row.toLine());
        rows.add(row);
    }

    private List<Peer> peers() throws IOException {
        List<Peer> peers = new ArrayList<>();
        DuckDb.install(home).ifPresent(peers::add);
        Flink.find(home).ifPresent(peers::add);
        return peers;
    }

    private Map<String, Object> header(List<Peer> peers) {
        Map<String, Object> header = new LinkedHashMap<>();
        Instant now = Clock.systemUTC().instant();
        header.put("date", LocalDate.ofInstant(now, ZoneOffset.UTC).toString());
        header.put("time", now.truncatedTo(ChronoUnit.SECONDS).toString());
        header.put("commit", Machine.commit(home));
        header.put("quick", isQuick);
        header.putAll(Machine.describe(JmhRun.JVM_FLAGS));
        header.put("peers", String.join(", ", peers.stream().map(Peer::title).toList()));
        header.put("native_flags", String.join(" ", NativeBaseline.FLAGS));
        return header;
    }

    private Path defaultFile(String folder) {
        // A quick run does not replace a full one.
        String quick = isQuick ? "-quick" : "";
        String commit = Machine.commit(home) + quick;
        String name = LocalDate.now(Clock.systemUTC()) + "-" + commit + ".json";
        return home.resolve(folder).resolve(name);
    }
}
