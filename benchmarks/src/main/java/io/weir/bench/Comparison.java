package io.weir.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs a benchmark over all its parameters, and prints one line for each. */
final class Comparison {
    private final Class<?> benchmark;
    private final int forks;
    private final Map<String, String[]> params = new TreeMap<>();

    /**
     * @param forks 0 runs in this process, shortly: for tests
     */
    Comparison(Class<?> benchmark, int forks) {
        this.benchmark = benchmark;
        this.forks = forks;
    }

    Comparison with(String param, String... values) {
        params.put(param, values);
        return this;
    }

    /** Runs it. Returns lines of parameters and the score. */
    List<String> run() throws RunnerException {
        boolean quick = forks == 0;
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include("^" + benchmark.getName() + "\\.")
                        .forks(forks)
                        .warmupIterations(quick ? 0 : 3)
                        .warmupTime(TimeValue.milliseconds(300))
                        .measurementIterations(quick ? 1 : 5)
                        .measurementTime(TimeValue.milliseconds(quick ? 10 : 300))
                        .jvmArgs(JmhRun.JVM_FLAGS.toArray(new String[0]))
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true);
        params.forEach(options::param);
        Collection<RunResult> results = new Runner(options.build()).run();
        List<String> lines = new ArrayList<>();
        for (RunResult result : results) {
            lines.add(line(result));
        }
        Collections.sort(lines);
        return lines;
    }

    private static String line(RunResult result) {
        StringBuilder line = new StringBuilder();
        String method = result.getParams().getBenchmark();
        line.append(method.substring(method.lastIndexOf('.') + 1));
        for (String param : result.getParams().getParamsKeys()) {
            line.append(' ').append(param).append('=').append(result.getParams().getParam(param));
        }
        double median =
                Median.of(
                        result.getBenchmarkResults().stream()
                                .flatMap(fork -> fork.getIterationResults().stream())
                                .map(i -> i.getPrimaryResult().getScore())
                                .toList());
        return line.append(
                        String.format(" %.4g %s", median, result.getPrimaryResult().getScoreUnit()))
                .toString();
    }
}
