package io.weir.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One fork of one JMH benchmark.
 *
 * @param mpps million packets per second
 * @param bytesPerOp heap allocated per operation
 * @param hashOk whether the benchmark found its own result right
 */
record JmhRun(double mpps, double bytesPerOp, boolean hashOk) {
    /** The flags of the forked JVMs: the launcher's, with room for the oracle. */
    static final List<String> JVM_FLAGS = flags();

    private static List<String> flags() {
        List<String> flags =
                new ArrayList<>(
                        List.of(
                                "-Xms1g",
                                "-Xmx1g",
                                "-XX:+UseSerialGC",
                                "--add-exports",
                                "java.base/jdk.internal.misc=ALL-UNNAMED"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(JmhRun::isOfKernels)
                .forEach(flags::add);
        return List.copyOf(flags);
    }

    /** Returns whether a flag of the launcher's controls how kernels are compiled. */
    private static boolean isOfKernels(String flag) {
        return flag.startsWith("-XX:UseAVX=")
                || flag.startsWith("-XX:CompileCommand=")
                || flag.equals("-XX:-PrintWarnings")
                || flag.equals("-XX:+CriticalJNINatives");
    }

    private static final String PACKETS = "packets";
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /**
     * Forks and measures.
     *
     * @param params of the benchmark, by name
     */
    static JmhRun of(Class<?> benchmark, String method, Map<String, Object> params, Effort effort) {
        return run(options(benchmark, method, params, effort).forks(1), params);
    }

    /** Does the same in this process, shortly: for tests. */
    static JmhRun inProcess(Class<?> benchmark, String method, Map<String, Object> params) {
        ChainedOptionsBuilder options = options(benchmark, method, params, Effort.QUICK);
        return run(
                options.forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20)),
                params);
    }

    private static ChainedOptionsBuilder options(
            Class<?> benchmark, String method, Map<String, Object> params, Effort effort) {
        String name = benchmark.getName() + "." + method;
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include("^" + Pattern.quote(name) + "$")
                        .warmupIterations(effort.warmups())
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(effort.iterations())
                        .measurementTime(TimeValue.seconds(1))
                        .jvmArgs(JVM_FLAGS.toArray(new String[0]))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true);
        params.forEach((param, value) -> options.param(param, value.toString()));
        return options;
    }

    private static JmhRun run(ChainedOptionsBuilder options, Map<String, Object> params) {
        try {
            RunResult result = new Runner(options.build()).runSingle();
            double packetsPerSecond = medianOf(result, PACKETS);
            return new JmhRun(packetsPerSecond / 1e6, medianOf(result, ALLOCATED), true);
        } catch (RunnerException wrong) {
            System.err.println("benchmark failed with " + params);
            wrong.printStackTrace();
            return new JmhRun(Double.NaN, Double.NaN, false);
        }
    }

    /**
     * The median over the iterations: an allocation at a benchmark's end is in the last one's
     * figure.
     */
    private static double medianOf(RunResult result, String figure) {
        return Median.of(
                result.getBenchmarkResults().stream()
                        .flatMap(fork -> fork.getIterationResults().stream())
                        .map(iteration -> iteration.getSecondaryResults().get(figure).getScore())
                        .toList());
    }

    /** The median of several forks; right when all are. */
    static JmhRun median(List<JmhRun> runs) {
        List<Double> rates = new ArrayList<>();
        List<Double> allocations = new ArrayList<>();
        boolean hashOk = true;
        for (JmhRun run : runs) {
            rates.add(run.mpps);
            allocations.add(run.bytesPerOp);
            hashOk &= run.hashOk;
        }
        return new JmhRun(Median.of(rates), Median.of(allocations), hashOk);
    }
}
