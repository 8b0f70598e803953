package io.weir.bench;

import io.weir.bench.engine.EngineFigures;
import io.weir.bench.engine.ScaleFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir bench engine}. */
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        description = {
            "Figures of whole engines, printed:",
            "  window  a block's time with and without window changes, a million groups",
            "  share   one query, and a hundred on one key and window",
            "  crowd   ten mixed queries, together and alone",
            "  live    attaching, altering and dropping while blocks flow",
            "  state   bytes a group, settled and while it grows",
            "  aggregates  CREATE AGGREGATE's copies of built-in aggregates beside them, on one core",
            "  flows   GPVs that become flows, on one core",
            "  lookup  packets that are looked up in a million prefixes, on one core",
            "  scale   from one core to all of the process (docs/CORES.md)",
            "Start it under taskset -c 0,1 for two cores."
        })
final class EngineCommand implements Callable<Integer> {
    static final MarkedText CORES =
            new MarkedText(
                    "<!-- figures: ./weir bench engine scale --write writes them -->\n",
                    "<!-- end of figures -->");

    private final Path home = Path.of(System.getenv().getOrDefault("WEIR_HOME", "."));

    @Parameters(index = "0", paramLabel = "WHAT", description = "one of these")
    private String what;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SIZE",
            description =
                    "groups of window and state, prefixes of lookup, blocks a round of share and crowd, packets of"
                            + " aggregates, flows and scale")
    private Integer size;

    @Option(names = "--write", description = "scale: writes its table into docs/CORES.md too")
    private boolean isWritten;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!what.equals("scale")) {
            EngineFigures.print(what, size);
            return 0;
        }
        Path traces = Files.createDirectories(home.resolve("target/bench"));
        int cores = Runtime.getRuntime().availableProcessors();
        if (cores == 1) {
            System.err.println("one CPU only: nothing can scale here");
        }
        String table = new ScaleFigures(size == null ? 5_000_000 : size, cores, traces).table();
        System.out.print(table);
        if (isWritten) {
            CORES.write(Machine.line(home) + table, home.resolve("docs/CORES.md"));
        }
        return 0;
    }
}
