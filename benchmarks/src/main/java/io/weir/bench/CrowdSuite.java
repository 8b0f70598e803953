package io.weir.bench;

import io.weir.bench.ResultHash.Answer;
import io.weir.bench.crowd.Crowds;
import io.weir.bench.crowd.EngineRun;
import io.weir.bench.generate.GpvTrace;
import io.weir.bench.generate.TrafficShape;
import io.weir.operators.kernel.CompiledQuery;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures the cost of a query among others: CPU time of an engine with all of them, with each one
 * alone, and with none. These run in turns in this JVM. A query's rows must be the same among
 * others as alone.
 */
final class CrowdSuite {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int SOURCES = 100_000;

    private final Effort effort;
    private final TrafficShape shape;
    private final Path traces;
    private final Consumer<Row> sink;

    CrowdSuite(Effort effort, Path traces, Consumer<Row> sink) {
        this.effort = effort;
        this.traces = traces;
        this.sink = sink;
        shape = TrafficShape.of(effort.packets() / 4, SOURCES, 1);
    }

    void run() throws IOException {
        EngineRun engine = new EngineRun(GpvTrace.open(KernelSuite.trace(shape, "full", traces)));
        List<CompiledQuery> mixed = Crowds.tenMixed();
        measure("crowd_10_mixed", engine, mixed, mixed);
        List<CompiledQuery> same = Crowds.hundredOnOneKey();
        measure("crowd_100_one_key", engine, same, same.subList(0, 1));
    }

    /**
     * @param alone the queries that are also measured alone
     */
    private void measure(
            String work, EngineRun engine, List<CompiledQuery> all, List<CompiledQuery> alone) {
        List<Double> none = new ArrayList<>();
        List<Double> crowd = new ArrayList<>();
        List<List<Double>> each = new ArrayList<>();
        alone.forEach(query -> each.add(new ArrayList<>()));
        boolean isRight = true;
        for (int pass = 0; pass < effort.warmupPasses() + effort.passes(); pass++) {
            boolean counts = pass >= effort.warmupPasses();
            timed(engine, List.of(), counts, none);
            Map<String, Answer> answers = timed(engine, all, counts, crowd);
            Map<String, Answer> expected = new HashMap<>();
            for (int q = 0; q < alone.size(); q++) {
                expected.putAll(timed(engine, List.of(alone.get(q)), counts, each.get(q)));
            }
            isRight &= answers.entrySet().containsAll(expected.entrySet());
        }
        double empty = Median.of(none);
        double sum = each.stream().mapToDouble(list -> Median.of(list) - empty).sum();
        double together = Median.of(crowd) - empty;
        sink.accept(row(work, all.size(), Median.of(crowd), together / sum, isRight));
    }

    private Row row(String work, int queries, double seconds, double ratio, boolean isRight) {
        Map<String, Object> what = new LinkedHashMap<>();
        what.put("layout", "full");
        what.put("packets", shape.packets());
        what.put("queries", queries);
        Map<String, Object> more = Map.of("ratio_crowd_to_alone", ratio);
        return Row.alone(work, what, shape.packets() / seconds / 1e6, isRight, more);
    }

    private static Map<String, Answer> timed(
            EngineRun engine, List<CompiledQuery> queries, boolean counts, List<Double> into) {
        long startNs = THREADS.getCurrentThreadCpuTime();
        Map<String, Answer> answers = engine.run(queries);
        double seconds = (THREADS.getCurrentThreadCpuTime() - startNs) / 1e9;
        if (counts) {
            into.add(seconds);
        }
        return answers;
    }
}
