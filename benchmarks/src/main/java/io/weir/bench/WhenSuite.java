package io.weir.bench;

import io.weir.bench.ResultHash.Answer;
import io.weir.bench.crowd.Crowds;
import io.weir.bench.crowd.EngineRun;
import io.weir.bench.engine.WakeFigures;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.operators.kernel.CompiledQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Measures WHEN. An engine's CPU time shows the cost of bindings, and of queries that sleep while
 * packets come. The latency is from a row that fires to the first packet that the woken query has
 * counted. Variants run in turns in this JVM. Each pass must have the same rows.
 */
final class WhenSuite {
    private static final int SOURCES = 100_000;
    private static final List<Integer> BINDINGS = List.of(1, 100, 10_000);
    private static final List<Integer> DORMANT = List.of(0, 1_000);

    private final Effort effort;
    private final TrafficShape shape;
    private final Path traces;
    private final Consumer<Row> sink;

    /** One number of queries or bindings. */
    private static final class Variant {
        private final int number;
        private final List<CompiledQuery> queries;
        private final List<Double> seconds = new ArrayList<>();
        private Map<String, Answer> answers;
        private boolean isRight = true;

        Variant(int number, List<CompiledQuery> queries) {
            this.number = number;
            this.queries = queries;
        }
    }

    WhenSuite(Effort effort, Path traces, Consumer<Row> sink) {
        this.effort = effort;
        this.traces = traces;
        this.sink = sink;
        shape = TrafficShape.of(effort.packets() / 4, SOURCES, 1);
    }

    void run() throws IOException {
        EngineRun engine = EngineRun.quick(GpvTrace.open(KernelSuite.trace(shape, "full", traces)));
        List<Variant> bound = new ArrayList<>();
        BINDINGS.forEach(number -> bound.add(new Variant(number, Crowds.bound(number))));
        measure(engine, bound, engine::cpuNs);
        rows("when_bindings", "bindings", bound);
        List<Variant> dormant = new ArrayList<>();
        DORMANT.forEach(number -> dormant.add(new Variant(number, Crowds.dormant(number))));
        measure(engine, dormant, engine::packetsNs);
        rows("when_dormant", "sleeping", dormant);
        latency();
    }

    private void measure(EngineRun engine, List<Variant> variants, LongSupplier ns) {
        for (int pass = 0; pass < effort.warmupPasses() + effort.passes(); pass++) {
            for (Variant one : variants) {
                Map<String, Answer> answers = engine.run(one.queries);
                one.isRight &= one.answers == null || one.answers.equals(answers);
                one.answers = answers;
                if (pass >= effort.warmupPasses()) {
                    one.seconds.add(ns.getAsLong() / 1e9);
                }
            }
        }
    }

    /** The first variant is the measure of the others. */
    private void rows(String work, String number, List<Variant> variants) {
        double first = Median.of(variants.get(0).seconds);
        for (Variant one : variants) {
            double seconds = Median.of(one.seconds);
            Map<String, Object> what = what();
            what.put(number, one.number);
            Map<String, Object> more = Map.of("ratio_to_first", seconds / first);
            double mpps = shape.packets() / seconds / 1e6;
            sink.accept(Row.alone(work + "_" + one.number, what, mpps, one.isRight, more));
        }
    }

    private Map<String, Object> what() {
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("layout", "full");
        what.put("packets", shape.packets());
        return what;
    }

    private void latency() {
        int wakes = (int) Math.min(1_000, effort.packets() / 20_000);
        WakeFigures.Took took = WakeFigures.measure(wakes);
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("layout", "full");
        what.put("wakes", wakes);
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("median_us", took.quantile(0.5));
        more.put("p90_us", took.quantile(0.9));
        more.put("p99_us", took.quantile(0.99));
        more.put("most_us", took.quantile(1));
        sink.accept(Row.alone("when_fire", what, took.mpps(), took.isWhole(), more));
    }
}
