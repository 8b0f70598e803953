package io.weir.operators.node;

import io.weir.operators.ring.BlockWriter;

/**
 * The shape and the bounds of an engine.
 *
 * @param partitions how many parts the source splits its packets into
 * @param pipelines how many rings and threads share one partition. With one partition of one
 *     pipeline the reader's thread does all the work. 0: one, and each reader of live packets runs
 *     its own
 * @param latenessNs the source's LATENESS
 * @param timeoutNs the time-out of the source's cache
 * @param live whether packets come whether or not there is room for them. Then no kernel counts
 *     before it runs compiled, and the source never waits for a condition to settle. A finite input
 *     waits instead, and its rows are the same each time
 * @param readers how many threads read packets, each with as many rings. Two of them may see
 *     packets of one flow
 */
public record EngineOptions(
        int partitions,
        int pipelines,
        long latenessNs,
        long timeoutNs,
        Bounds bounds,
        boolean live,
        int readers,
        ThreadOptions threads) {
    private static final long SECOND_NS = 1_000_000_000L;

    /**
     * The memory bounds of an engine.
     *
     * @param memoryBytes of native memory, all together
     * @param stateBytes of one query's state on one pipeline; a query without a budget has no more
     *     than a quarter of the memory on all of them
     * @param ringBytes a power of two, at least eight blocks
     */
    public record Bounds(long memoryBytes, long stateBytes, int blockBytes, int ringBytes) {}

    /** The options of a run over files. */
    public static final EngineOptions DEFAULT =
            new EngineOptions(
                    1,
                    1,
                    SECOND_NS,
                    SECOND_NS,
                    new Bounds(4L << 30, 1L << 30, BlockWriter.DEFAULT_BLOCK_BYTES, 1 << 20),
                    false,
                    1,
                    ThreadOptions.DEFAULT);

    public EngineOptions {
        if (partitions < 1 || pipelines < 0 || partitions * (long) pipelines > 1024) {
            throw new IllegalArgumentException(partitions + " partitions × " + pipelines);
        }
        if (latenessNs < 0 || timeoutNs < 0) {
            throw new IllegalArgumentException("lateness or time-out below zero");
        }
    }

    /**
     * Returns the bound of all open windows together. The rest is for closed windows and their
     * rows.
     */
    long statesBytes() {
        return bounds.memoryBytes() / 4 * 3;
    }

    /**
     * Returns the bound of a query without a budget on one pipeline. On all pipelines it is a
     * quarter of the memory.
     */
    long mostStateBytes() {
        return Math.min(bounds.stateBytes(), bounds.memoryBytes() / 4 / rings());
    }

    /**
     * Returns whether sinks get totals once, at the end, and not in ticks. Conditions and queries
     * over totals always get ticks. A live input has no end to wait for.
     */
    boolean finalTotals() {
        return !live;
    }

    /** Returns whether the reader's thread runs the one pipeline, and the results. */
    boolean isInline() {
        return rings() == 1
                && !threads.resultsThread()
                && threads.pipelines() == PipelineThreads.FOR_SEVERAL;
    }

    /** Returns the number of rings, which is the number of pipelines. */
    public int rings() {
        return partitions * ringsOfPartition();
    }

    /** Returns the number of rings of a partition. */
    int ringsOfPartition() {
        return Math.max(1, pipelines);
    }

    /** Returns the delay after a window's end until no older packet can come. */
    public long delayNs() {
        return latenessNs + timeoutNs;
    }

    public EngineOptions withShape(int newPartitions, int newPipelines) {
        return new EngineOptions(
                newPartitions, newPipelines, latenessNs, timeoutNs, bounds, live, readers, threads);
    }

    public EngineOptions withTime(long newLatenessNs, long newTimeoutNs) {
        return new EngineOptions(
                partitions, pipelines, newLatenessNs, newTimeoutNs, bounds, live, readers, threads);
    }

    public EngineOptions withMemory(long memoryBytes, long stateBytes) {
        return with(new Bounds(memoryBytes, stateBytes, bounds.blockBytes(), bounds.ringBytes()));
    }

    public EngineOptions withBlocks(int blockBytes, int ringBytes) {
        return with(new Bounds(bounds.memoryBytes(), bounds.stateBytes(), blockBytes, ringBytes));
    }

    private EngineOptions with(Bounds other) {
        return new EngineOptions(
                partitions, pipelines, latenessNs, timeoutNs, other, live, readers, threads);
    }

    /**
     * Returns options for packets that wait for nothing: no block waits for a window to be emptied.
     */
    public EngineOptions forLive() {
        ThreadOptions two = threads.withResultsThread();
        return new EngineOptions(
                partitions, pipelines, latenessNs, timeoutNs, bounds, true, readers, two);
    }

    /**
     * For live sources: their readers wait for nobody, neither for windows nor for the kernels of
     * other threads.
     *
     * @param sources threads that read packets; each has rings of its own
     */
    public EngineOptions forLive(int sources) {
        ThreadOptions own =
                threads.with(pipelines == 0 ? PipelineThreads.NEVER : PipelineThreads.ALWAYS);
        return new EngineOptions(
                partitions * sources, pipelines, latenessNs, timeoutNs, bounds, true, sources, own);
    }

    /** Returns whether pipelines can have packets of one flow, so that its groups are merged. */
    boolean splitsFlows() {
        return readers > 1;
    }

    public EngineOptions withThreads(ThreadOptions other) {
        return new EngineOptions(
                partitions, pipelines, latenessNs, timeoutNs, bounds, live, readers, other);
    }
}
