package io.weir.bench.kernel;

import io.weir.bench.ResultHash.Answer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Rates of kernels over one trace, which run in turns, so that a busy moment hits all. */
final class KernelRates {
    private static final int PASSES = 9;

    private final List<KernelRun> runs;
    private final double[][] rates;

    KernelRates(KernelRun... runs) {
        this.runs = List.of(runs);
        rates = new double[runs.length][PASSES];
        for (int p = -PASSES; p < PASSES; p++) {
            for (int r = 0; r < runs.length; r++) {
                rates[r][Math.max(p, 0)] = rate(runs[r]);
            }
        }
        for (double[] ofRun : rates) {
            Arrays.sort(ofRun);
        }
    }

    /** Returns millions of packets a second of CPU time. */
    private static double rate(KernelRun run) {
        run.prepare();
        long startNs = cpuNs();
        run.pass();
        return run.packets() * 1e3 / (cpuNs() - startNs);
    }

    private static long cpuNs() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** Returns the median of a run. */
    double median(int run) {
        return rates[run][PASSES / 2];
    }

    /** Returns each run's rows, of all its passes. It ends them. */
    List<Answer> answers() {
        List<Answer> answers = new ArrayList<>();
        runs.forEach(run -> answers.add(run.check()));
        return answers;
    }

    static void print(String what, double rate, Object more) {
        System.out.printf(
                Locale.ROOT,
                "%-22s %6.1f M packets/s (median of %d), %s%n",
                what,
                rate,
                PASSES,
                more);
    }
}
