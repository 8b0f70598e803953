package io.weir.operators.node;

import java.util.List;

/**
 * The way in which an engine's threads wait, and their CPUs.
 *
 * @param idle how a thread waits that has nothing to do
 * @param cpus the CPUs of the pipelines' threads: pipeline p runs on the p-th of them, modulo their
 *     count; empty: the system chooses
 * @param resultsThread whether the results have a thread of their own even if the reader runs the
 *     one pipeline itself. Then no block waits for a window to be emptied
 * @param pipelines the threads that run the pipelines
 */
public record ThreadOptions(
        IdleMode idle, List<Integer> cpus, boolean resultsThread, PipelineThreads pipelines) {
    /** Backs off; not pinned; one pipeline runs on the reader's thread. */
    public static final ThreadOptions DEFAULT =
            new ThreadOptions(IdleMode.BACKOFF, List.of(), false);

    public ThreadOptions {
        cpus = List.copyOf(cpus);
    }

    /** Without threads of their own for pipelines that the reader can run. */
    public ThreadOptions(IdleMode idle, List<Integer> cpus, boolean resultsThread) {
        this(idle, cpus, resultsThread, PipelineThreads.FOR_SEVERAL);
    }

    public ThreadOptions withResultsThread() {
        return new ThreadOptions(idle, cpus, true, pipelines);
    }

    /** Results have a thread of their own, and pipelines these. */
    ThreadOptions with(PipelineThreads other) {
        return new ThreadOptions(idle, cpus, true, other);
    }

    /**
     * Fails if this process may not use one of the CPUs, even one that no pipeline uses.
     *
     * @throws io.weir.operators.error.WeirException INVALID_OPTION
     */
    public void check() {
        Cpu.check(cpus);
    }

    /**
     * Binds the calling thread, which runs pipeline p, to its CPU. It does nothing without CPUs.
     */
    Cpu.Binding pin(int p) {
        return cpus.isEmpty() ? () -> {} : Cpu.bind(cpus.get(p % cpus.size()));
    }
}
