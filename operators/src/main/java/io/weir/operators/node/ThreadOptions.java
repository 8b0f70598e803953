package io.weir.operators.node;

import java.util.List;

/**
 * How an engine's threads wait, and where they run.
 *
 * @param idle what a thread does that has nothing to do
 * @param cpus where the pipelines' threads run: pipeline p on the p-th of them, modulo their count;
 *     empty: wherever the system puts them
 * @param resultsThread whether the results have a thread of their own even where the reader runs
 *     the one pipeline itself: so no block waits for a window to be emptied
 */
public record ThreadOptions(Idle idle, List<Integer> cpus, boolean resultsThread) {
    /** Backs off; not pinned; run to completion where there is one pipeline. */
    public static final ThreadOptions DEFAULT = new ThreadOptions(Idle.BACKOFF, List.of(), false);

    public ThreadOptions {
        cpus = List.copyOf(cpus);
    }

    public ThreadOptions withResultsThread() {
        return new ThreadOptions(idle, cpus, true);
    }

    /**
     * Fails where this process may not use one of the CPUs, also one that no pipeline comes to.
     *
     * @throws io.weir.operators.error.WeirException INVALID_OPTION
     */
    public void check() {
        Cpu.check(cpus);
    }

    /** Binds the calling thread, which runs pipeline p, to its CPU; nothing without CPUs. */
    Cpu.Binding pin(int p) {
        return cpus.isEmpty() ? () -> {} : Cpu.bind(cpus.get(p % cpus.size()));
    }
}
