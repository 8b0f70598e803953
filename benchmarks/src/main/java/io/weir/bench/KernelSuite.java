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
 * Measures kernels over GPVs in memory, in turns with C++ over the same bytes: Weir, plain, best,
 * Weir, … on one core. So a busy moment of the machine hits all. Each fork is a new JVM and a new
 * native process. A figure is the median of the passes of all forks.
 */
final class KernelSuite {
    private static final String WEIR = "weir";
    private static final int PEER_PASSES_A_ROUND = 2;

    private final Effort effort;
    private final Optional<NativeBaseline> baseline;
    private final List<Peer> peers;
    private final Path traces;
    private final Consumer<Row> sink;

    /**
     * @param traces the folder of traces; an existing one is used again
     */
    KernelSuite(
            Effort effort,
            Optional<NativeBaseline> baseline,
            List<Peer> peers,
            Path traces,
            Consumer<Row> sink) {
        this.effort = effort;
        this.baseline = baseline;
        this.peers = List.copyOf(peers);
        this.traces = traces;
        this.sink = sink;
    }

    void run(List<Work> works) throws IOException {
        for (Work work : works) {
            List<PeerRun> beside = beside(work);
            for (String layout : work.layouts()) {
                Path trace = trace(work.shape(effort.packets()), layout, traces);
                for (Work.State state : work.states()) {
                    // Peers begin anew with each pass, so they have no such rows.
                    boolean alone = work.isOfOrder() && state == Work.State.WARM;
                    measure(work, layout, state, trace, alone ? List.of() : beside);
                }
            }
        }
    }

    private List<PeerRun> beside(Work work) throws IOException {
        List<PeerRun> runs = new ArrayList<>();
        for (Peer peer : peers) {
            if (peer.states(work)) {
                Path packets = PacketFile.of(work.shape(effort.packets()), traces);
                runs.add(new PeerRun(peer, packets, work, effort.rounds() * PEER_PASSES_A_ROUND));
            }
        }
        return runs;
    }

    /** Returns the file of the shape's trace, and writes it unless it exists. */
    static Path trace(TrafficShape shape, String layout, Path directory) throws IOException {
        Path file = directory.resolve(layout + "-" + shape.fileName() + ".gpv");
        if (!Files.exists(file)) {
            Files.createDirectories(directory);
            GpvTrace.write(shape, layout, file);
        }
        return file;
    }

    private void measure(
            Work work, String layout, Work.State state, Path trace, List<PeerRun> beside) {
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
        boolean isRight = answers.stream().distinct().count() == 1;
        for (PeerRun peer : beside) {
            isRight &= peer.agrees(answers.get(0), state);
        }
        Map<String, Object> what = what(work, layout, state, answers.get(0));
        sink.accept(row(work, what, passes, beside, isRight));
    }

    private Row row(
            Work work,
            Map<String, Object> what,
            Passes passes,
            List<PeerRun> beside,
            boolean isRight) {
        double millions = work.shape(effort.packets()).packets() / 1e6;
        double weirMpps = millions / Median.of(passes.weir);
        double plainMpps = millions / Median.of(passes.plain);
        double bestMpps = Math.max(plainMpps, millions / Median.of(passes.best));
        Map<String, Object> more = new LinkedHashMap<>();
        for (PeerRun peer : beside) {
            double mpps = millions / peer.seconds();
            more.put(peer.name() + "_mpps", mpps);
            more.put("ratio_" + peer.name(), weirMpps / mpps);
        }
        return new Row(work.name(), what, weirMpps, plainMpps, bestMpps, isRight, more);
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

    /** Seconds of the passes that count, by system. */
    private static final class Passes {
        private final List<Double> weir = new ArrayList<>();
        private final List<Double> plain = new ArrayList<>();
        private final List<Double> best = new ArrayList<>();
    }

    /** Runs one fork of each. Returns each one's answer, after equally many passes. */
    private List<Answer> round(Contender weir, Optional<Contender> cpp, Passes passes) {
        for (int pass = 0; pass < effort.warmupPasses() + effort.passes(); pass++) {
            boolean counts = pass >= effort.warmupPasses();
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
