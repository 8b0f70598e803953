package io.weir.operators.node;

import io.weir.operators.ring.BlockWriter;

/**
 * The shape and the bounds of an engine.
 *
 * @param partitions how many parts the source splits its packets into
 * @param pipelines how many rings and threads share one partition; with one partition of one
 *     pipeline the reader's thread does it all
 * @param latenessNs the source's LATENESS
 * @param timeoutNs the time-out of the source's cache
 * @param memoryBytes bound of all native memory
 * @param stateBytes bound of one query's state on one pipeline; a query without a budget has no
 *     more than a quarter of the memory on all of them
 * @param ringBytes a power of two, at least eight blocks
 * @param tickNs how often totals without a window come, in event time
 * @param live whether packets come whether or not there is room for them: then no kernel counts
 *     before it runs compiled, and nothing holds the source for a condition to settle. A finite
 *     input waits instead, and its rows are the same each time
 */
public record EngineOptions(
        int partitions,
        int pipelines,
        long latenessNs,
        long timeoutNs,
        long memoryBytes,
        long stateBytes,
        int blockBytes,
        int ringBytes,
        long tickNs,
        boolean live,
        ThreadOptions threads) {
    private static final long SECOND_NS = 1_000_000_000L;

    /** What a run over files takes. */
    public static final EngineOptions DEFAULT =
            new EngineOptions(
                    1,
                    1,
                    SECOND_NS,
                    SECOND_NS,
                    4L << 30,
                    1L << 30,
                    BlockWriter.DEFAULT_BLOCK_BYTES,
                    1 << 20,
                    SECOND_NS,
                    false,
                    ThreadOptions.DEFAULT);

    public EngineOptions {
        if (partitions < 1 || pipelines < 1 || partitions * (long) pipelines > 1024) {
            throw new IllegalArgumentException(partitions + " partitions × " + pipelines);
        }
        if (latenessNs < 0 || timeoutNs < 0 || tickNs <= 0) {
            throw new IllegalArgumentException("lateness, time-out or tick below zero");
        }
    }

    /** Of open windows, all together; what is left is for what is made of those that close. */
    long statesBytes() {
        return memoryBytes / 4 * 3;
    }

    /** Of a query without a budget on one pipeline: on all of them, a quarter of the memory. */
    long mostStateBytes() {
        return Math.min(stateBytes, memoryBytes / 4 / rings());
    }

    /**
     * Whether sinks get totals once, at the end, and not by ticks; conditions and queries over
     * totals get ticks all the same. A live input has no end to wait for.
     */
    boolean finalTotals() {
        return !live;
    }

    /** Rings, and pipelines in all. */
    public int rings() {
        return partitions * pipelines;
    }

    /** From the end of a window until no packet of before it can come. */
    public long delayNs() {
        return latenessNs + timeoutNs;
    }

    public EngineOptions withShape(int newPartitions, int newPipelines) {
        return new EngineOptions(
                newPartitions,
                newPipelines,
                latenessNs,
                timeoutNs,
                memoryBytes,
                stateBytes,
                blockBytes,
                ringBytes,
                tickNs,
                live,
                threads);
    }

    public EngineOptions withTime(long newLatenessNs, long newTimeoutNs) {
        return new EngineOptions(
                partitions,
                pipelines,
                newLatenessNs,
                newTimeoutNs,
                memoryBytes,
                stateBytes,
                blockBytes,
                ringBytes,
                tickNs,
                live,
                threads);
    }

    public EngineOptions withMemory(long newMemoryBytes, long newStateBytes) {
        return new EngineOptions(
                partitions,
                pipelines,
                latenessNs,
                timeoutNs,
                newMemoryBytes,
                newStateBytes,
                blockBytes,
                ringBytes,
                tickNs,
                live,
                threads);
    }

    public EngineOptions withBlocks(int newBlockBytes, int newRingBytes) {
        return new EngineOptions(
                partitions,
                pipelines,
                latenessNs,
                timeoutNs,
                memoryBytes,
                stateBytes,
                newBlockBytes,
                newRingBytes,
                tickNs,
                live,
                threads);
    }

    /** For packets that wait for nobody: no block waits for a window to be emptied. */
    public EngineOptions forLive() {
        return new EngineOptions(
                partitions,
                pipelines,
                latenessNs,
                timeoutNs,
                memoryBytes,
                stateBytes,
                blockBytes,
                ringBytes,
                tickNs,
                true,
                threads.withResultsThread());
    }

    public EngineOptions withThreads(ThreadOptions newThreads) {
        return new EngineOptions(
                partitions,
                pipelines,
                latenessNs,
                timeoutNs,
                memoryBytes,
                stateBytes,
                blockBytes,
                ringBytes,
                tickNs,
                live,
                newThreads);
    }
}
