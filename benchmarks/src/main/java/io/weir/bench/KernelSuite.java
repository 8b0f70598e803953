package io.weir.bench;

import io.weir.bench.NativeBaseline.Rate;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.bench.kernel.FreshKernel;
import io.weir.bench.kernel.WarmKernel;
import io.weir.operators.memory.NativeAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Kernels from GPVs in memory, each round beside the C++ programs over the same bytes. */
final class KernelSuite {
    private static final long MOST_TRACE_BYTES = 16L << 30;
    private static final long SEED = 1;

    private final Effort effort;
    private final Optional<NativeBaseline> baseline;
    private final Path outputs;
    private final Consumer<Row> sink;

    KernelSuite(
            Effort effort, Optional<NativeBaseline> baseline, Path outputs, Consumer<Row> sink) {
        this.effort = effort;
        this.baseline = baseline;
        this.outputs = outputs;
        this.sink = sink;
    }

    void run() throws IOException {
        for (String layout : List.of("flow32", "full")) {
            for (int sources : effort.sources()) {
                measure(layout, TrafficShape.of(effort.packets(), sources, SEED));
            }
        }
    }

    private void measure(String layout, TrafficShape shape) throws IOException {
        Path trace = outputs.resolve(layout + "-" + shape.fileName() + ".gpv");
        List<Rate> rates = new ArrayList<>();
        List<JmhRun> warm = new ArrayList<>();
        List<JmhRun> fresh = new ArrayList<>();
        try {
            if (baseline.isPresent()) {
                dump(shape, layout, trace);
            }
            Map<String, Object> params =
                    Map.of(
                            "sources", shape.sources(),
                            "packets", shape.packets(),
                            "layout", layout);
            for (int round = 0; round < effort.rounds(); round++) {
                baseline.ifPresent(
                        program ->
                                rates.addAll(
                                        program.measure(
                                                trace,
                                                shape.sources(),
                                                effort.nativeRepetitions())));
                warm.add(JmhRun.of(WarmKernel.class, "block", params, effort));
                fresh.add(JmhRun.of(FreshKernel.class, "trace", params, effort));
            }
        } finally {
            Files.deleteIfExists(trace);
        }
        ResultHash expected = SourceTotals.of(shape).hash(1);
        sink.accept(row("warm", layout, expected, warm, rates));
        sink.accept(row("fresh", layout, expected, fresh, rates));
    }

    private static Row row(
            String state,
            String layout,
            ResultHash expected,
            List<JmhRun> runs,
            List<Rate> allRates) {
        List<Rate> rates = allRates.stream().filter(r -> r.state().equals(state)).toList();
        boolean hashOk =
                rates.stream()
                        .allMatch(
                                r ->
                                        r.hash() == expected.value()
                                                && r.groups() == expected.groups());
        JmhRun weir = JmhRun.median(runs);
        return new Row(
                "kernel: packets and bytes per source, " + state + " table",
                expected.groups(),
                layout,
                weir.mpps(),
                fastest(rates.stream().filter(Rate::isPlain)),
                fastest(rates.stream()),
                weir.bytesPerOp(),
                hashOk && weir.hashOk(),
                Map.of());
    }

    /** The median of the variant with the greatest one; NaN without any. */
    private static double fastest(Stream<Rate> rates) {
        return rates
                .collect(
                        Collectors.groupingBy(
                                Rate::variant, Collectors.mapping(Rate::mpps, Collectors.toList())))
                .values()
                .stream()
                .mapToDouble(Median::of)
                .max()
                .orElse(Double.NaN);
    }

    private static void dump(TrafficShape shape, String layout, Path file) throws IOException {
        try (NativeAllocator allocator = new NativeAllocator(MOST_TRACE_BYTES);
                GpvTrace trace = GpvTrace.generate(shape, layout, allocator)) {
            trace.writeTo(file);
        }
    }
}
