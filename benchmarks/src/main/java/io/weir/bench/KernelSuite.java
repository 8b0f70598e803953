package io.weir.bench;

import io.weir.bench.ResultHash.Answer;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.KernelWorker;
import io.weir.bench.kernel.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Kernels over GPVs in memory, in turns with C++ over the same bytes: Weir, plain, best, Weir, … on
 * one core, so that a busy moment of the machine hits all. Each fork is a new JVM and a new native
 * process; a figure is the median of the passes of all forks.
 */
final class KernelSuite {
    private static final String WEIR = "weir";

    private final Effort effort;
    private final Optional<NativeBaseline> baseline;
    private final Path traces;
    private final Consumer<Row> sink;

    /**
     * @param traces where traces are kept: one that is there is used again
     */
    KernelSuite(Effort effort, Optional<NativeBaseline> baseline, Path traces, Consumer<Row> sink) {
        this.effort = effort;
        this.baseline = baseline;
        this.traces = traces;
        this.sink = sink;
    }

    void run(List<Work> works) throws IOException {
        for (Work work : works) {
            for (String layout : work.layouts()) {
                Path trace = trace(work.shape(effort.packets()), layout, traces);
                for (Work.State state : work.states()) {
                    measure(work, layout, state, trace);
                }
            }
        }
    }

    /** The file of the shape's trace, written unless it is there. */
    static Path trace(TrafficShape shape, String layout, Path directory) throws IOException {
        Path file = directory.resolve(layout + "-" + shape.fileName() + ".gpv");
        if (!Files.exists(file)) {
            Files.createDirectories(directory);
            GpvTrace.write(shape, layout, file);
        }
        return file;
    }

    private void measure(Work work, String layout, Work.State state, Path trace) {
        Passes passes = new Passes();
        List<Answer> answers = new ArrayList<>();
        for (int round = 0; round < effort.rounds(); round++) {
            try (Contender weir = weir(trace, work, layout, state)) {
                if (baseline.isPresent()) {
                    try (Contender cpp = baseline.get().start(trace, work, state)) {
                        answers.addAll(round(weir, Optional.of(cpp), passes));
                    }
                } else {
                    answers.addAll(round(weir, Optional.empty(), passes));
                }
            }
        }
        double packets = work.shape(effort.packets()).packets();
        sink.accept(
                new Row(
                        work.name(),
                        what(work, layout, state, answers.get(0)),
                        packets / Median.of(passes.weir) / 1e6,
                        packets / Median.of(passes.plain) / 1e6,
                        packets / Median.of(passes.best) / 1e6,
                        answers.stream().distinct().count() == 1,
                        Map.of()));
    }

    private Map<String, Object> what(Work work, String layout, Work.State state, Answer answer) {
        TrafficShape shape = work.shape(effort.packets());
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("layout", layout);
        what.put("family", shape.ipv6Percent() == 100 ? 6 : 4);
        what.put("state", state.name().toLowerCase(Locale.ROOT));
        what.put("packets", shape.packets());
        what.put("groups", answer.rows());
        return what;
    }

    /** Seconds of the passes that count, by who made them. */
    private static final class Passes {
        private final List<Double> weir = new ArrayList<>();
        private final List<Double> plain = new ArrayList<>();
        private final List<Double> best = new ArrayList<>();
    }

    /** One fork of each. Returns what each had as its answer, after equally many passes. */
    private List<Answer> round(Contender weir, Optional<Contender> cpp, Passes passes) {
        for (int pass = 0; pass < effort.warmups() + effort.iterations(); pass++) {
            boolean counts = pass >= effort.warmups();
            keep(counts, weir.pass(WEIR), passes.weir);
            cpp.ifPresent(
                    program -> {
                        keep(counts, program.pass(NativeBaseline.PLAIN), passes.plain);
                        keep(counts, program.pass(NativeBaseline.BEST), passes.best);
                    });
        }
        List<Answer> answers = new ArrayList<>(List.of(weir.check(WEIR)));
        cpp.ifPresent(
                program -> {
                    answers.add(program.check(NativeBaseline.PLAIN));
                    answers.add(program.check(NativeBaseline.BEST));
                });
        return answers;
    }

    private static void keep(boolean counts, double seconds, List<Double> into) {
        if (counts) {
            into.add(seconds);
        }
    }

    private static Contender weir(Path trace, Work work, String layout, Work.State state) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JmhRun.JVM_FLAGS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(KernelWorker.class.getName());
        command.addAll(List.of(trace.toString(), work.name(), layout, state.name()));
        return Contender.start(command);
    }
}
