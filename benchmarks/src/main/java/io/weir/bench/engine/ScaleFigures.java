package io.weir.bench.engine;

import io.weir.bench.PerSource;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.operators.kernel.CompiledQuery;
import io.weir.operators.kernel.KernelCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the growth from one core to all. Equal GPVs and queries run in engines of several
 * shapes, in turns, with medians. It also measures the machine's memory with so many threads. It
 * makes a table for docs/CORES.md.
 */
public final class ScaleFigures {
    private static final int FEW = 1_000;
    private static final int MANY = 617_000;

    /** The first round only serves the compiler. */
    private static final int ROUNDS = 6;

    private static final int[] MODELLED = {2, 4, 8, 16, 32};

    private final long packets;
    private final int cores;
    private final Path directory;

    /**
     * @param cores of the process; the shapes use one, and all of them
     * @param directory for traces, which are kept
     */
    public ScaleFigures(long packets, int cores, Path directory) {
        this.packets = packets;
        this.cores = cores;
        this.directory = directory;
    }

    /** The part of a shape that is measured. */
    private enum Load {
        READ("reading only"),
        FEW_SOURCES("1 k sources"),
        MANY_SOURCES("617 k sources");

        private final String title;

        Load(String title) {
            this.title = title;
        }
    }

    private record Cell(double mpps, double cores) {}

    /** Markdown. */
    public String table() throws IOException {
        Map<ScaleShape, Map<Load, List<Cell>>> cells = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Load load : Load.values()) {
                for (ScaleShape shape : shapes()) {
                    Cell cell = measure(shape, load);
                    if (round > 0) {
                        cells.computeIfAbsent(shape, s -> new LinkedHashMap<>())
                                .computeIfAbsent(load, l -> new ArrayList<>())
                                .add(cell);
                    }
                }
            }
        }
        return text(cells) + model(cells) + memory();
    }

    private List<ScaleShape> shapes() {
        int all = Math.max(2, cores);
        return List.of(
                new ScaleShape(1, 0),
                new ScaleShape(all, 0),
                new ScaleShape(1, all),
                new ScaleShape(all, 1));
    }

    private Cell measure(ScaleShape shape, Load load) throws IOException {
        GpvTrace trace = trace(load == Load.FEW_SOURCES ? FEW : MANY);
        try (GpvParts parts = new GpvParts(trace, shape.readers())) {
            int passes = (int) Math.max(1, 20_000_000 / packets);
            Optional<CompiledQuery> query = load == Load.READ ? Optional.empty() : query();
            ScaleRun.Took took = new ScaleRun(shape, parts, query, passes).run();
            return new Cell(packets * (double) passes / took.wallNs() * 1e3, took.cores());
        }
    }

    private static Optional<CompiledQuery> query() {
        return Optional.of(KernelCompiler.compile(PerSource.query(), List.of(GpvParts.LAYOUT)));
    }

    private GpvTrace trace(int sources) throws IOException {
        TrafficShape shape = TrafficShape.of(packets, sources, 1);
        Path file = directory.resolve("flow32-" + shape.fileName() + ".gpv");
        if (!Files.exists(file)) {
            GpvTrace.write(shape, "flow32", file);
        }
        return GpvTrace.open(file);
    }

    private String text(Map<ScaleShape, Map<Load, List<Cell>>> cells) {
        StringBuilder out = new StringBuilder();
        out.append(
                String.format(
                        Locale.ROOT,
                        "%d CPUs, %,d packets a pass, M packets/s by the clock (× the first row):"
                                + "%n%n| shape | threads |",
                        cores,
                        packets));
        for (Load load : Load.values()) {
            out.append(' ').append(load.title).append(" |");
        }
        out.append(" cores busy |\n|---|---|---|---|---|---|\n");
        Map<Load, List<Cell>> first = cells.values().iterator().next();
        cells.forEach((shape, loads) -> out.append(line(shape, loads, first)));
        return out.toString();
    }

    private static String line(
            ScaleShape shape, Map<Load, List<Cell>> loads, Map<Load, List<Cell>> first) {
        StringBuilder out = new StringBuilder();
        out.append("| ").append(shape.title()).append(" | ").append(shape.threads()).append(" |");
        for (Load load : Load.values()) {
            double mpps = median(loads.get(load)).mpps();
            double one = median(first.get(load)).mpps();
            out.append(String.format(Locale.ROOT, " %.1f (%.2f) |", mpps, mpps / one));
        }
        double busy = median(loads.get(Load.MANY_SOURCES)).cores();
        return out.append(String.format(Locale.ROOT, " %.2f |%n", busy)).toString();
    }

    /** Returns the model's inputs, as docs/CORES.md names them, and its results. */
    private String model(Map<ScaleShape, Map<Load, List<Cell>>> cells) {
        List<Map<Load, List<Cell>>> rows = List.copyOf(cells.values());
        double all = Math.max(2, cores);
        double readNs = 1e3 / median(rows.get(0).get(Load.READ)).mpps();
        StringBuilder out = new StringBuilder();
        for (Load load : List.of(Load.FEW_SOURCES, Load.MANY_SOURCES)) {
            double one = median(rows.get(0).get(load)).mpps();
            double speedUp = median(rows.get(1).get(load)).mpps() / one;
            double sigma = Math.max(0, (all / speedUp - 1) / (all - 1));
            out.append(
                    String.format(
                            Locale.ROOT,
                            "%n%s: t_r = %.2f ns, t_k = %.2f ns, σ = %.3f; so the model has, in M"
                                    + " packets/s,",
                            load.title,
                            readNs,
                            1e3 / one - readNs,
                            sigma));
            for (int c : MODELLED) {
                out.append(
                        String.format(
                                Locale.ROOT,
                                " %d cores %.0f,",
                                c,
                                c * one / (1 + sigma * (c - 1))));
            }
            out.setCharAt(out.length() - 1, '.');
            out.append('\n');
        }
        return out.toString();
    }

    private static Cell median(List<Cell> cells) {
        List<Cell> sorted = new ArrayList<>(cells);
        sorted.sort(Comparator.comparingDouble(Cell::mpps));
        return sorted.get(sorted.size() / 2);
    }

    private String memory() {
        MemoryFigures memory = new MemoryFigures(packets < 1_000_000 ? 1 << 20 : 512 << 20);
        int all = Math.max(2, cores);
        return String.format(
                Locale.ROOT,
                "%nThe machine's memory, one thread and %d: %.1f and %.1f GB/s read in order;"
                        + " %.0f and %.0f M lines/s read at random.%n",
                all,
                memory.streamed(1),
                memory.streamed(all),
                memory.lines(1),
                memory.lines(all));
    }
}
